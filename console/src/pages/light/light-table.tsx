import { Button, Group, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { perform } from '../../api/deeds.ts';
import { useBatch } from '../../api/follow-batch.ts';
import type { Task } from '../../api/types.ts';
import { useOrderableModels } from '../../api/use-models.ts';
import { useFilmsInStep } from '../../components/compare/films-in-step.ts';
import { MOST_COMPARED } from '../../components/compare/sides.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { formatMoney } from '../../components/money.tsx';
import { useSelection } from '../../components/selection/use-selection.ts';
import { Mark as StatusMark } from '../../components/status-mark.tsx';
import { hasResult, promptOf } from '../../components/task-facts.ts';
import { frameTexts } from '../../texts/frame.ts';
import { lightTexts } from '../../texts/light.ts';
import { MARK } from './batch-body.ts';
import type { Shown } from './download-menu.tsx';
import classes from './light-table.module.css';
import { markIn, useMarks } from './marks.ts';
import { OrderState } from './ordering.tsx';
import { Results } from './results.tsx';
import { layOut } from './table-layout.ts';
import { TableSelection } from './table-selection.tsx';
import { TONES } from './tones.ts';
import { Tools } from './tools.tsx';
import { useBatchOrdering } from './use-batch-ordering.ts';
import { FIT, type Zoom } from './zoom.ts';

const Compare = lazyPart(async () => (await import('../../components/compare/compare.tsx')).Compare);
const CompareBlind = lazyPart(async () => (await import('./compare-blind.tsx')).CompareBlind);
const MoreLikeThis = lazyPart(async () => (await import('./more-like-this.tsx')).MoreLikeThis);
const LargeResult = lazyPart(async () => (await import('./large-result.tsx')).LargeResult);
const texts = lightTexts.table;

/** A light table that was ordered: its results side by side while they are made and after. */
export function LightTable({ batchId }: { readonly batchId: string }) {
  const { batch, tasks, error, interrupted } = useBatch(batchId);
  const { models = [] } = useOrderableModels();
  const [zoom, setZoom] = useState<Zoom>(FIT);
  const [shown, setShown] = useState<Shown>('all');
  const [pair, setPair] = useState<readonly string[]>([]);
  const [view, setView] = useState<'two' | 'blind' | null>(null);
  const [like, setLike] = useState<Task | null>(null);
  const [large, setLarge] = useState<string | null>(null);
  const ordering = useBatchOrdering();
  const root = useRef<HTMLDivElement>(null);
  const films = useFilmsInStep(root);
  const cancel = useMutation({
    mutationFn: () =>
      perform('POST /v1/batches/{batch_id}/cancel', { path: { batch_id: batchId } }, `${texts.cancel}: ${title}`),
  });
  const layout = useMemo(() => layOut(tasks), [tasks]);
  const marking = useMarks(batchId, [...new Set(tasks.map(({ type }) => type))]);
  const { marks } = marking;
  const finished = useMemo(() => tasks.filter(hasResult), [tasks]);
  const nameOf = (id: string) => models.find(({ model_id: other }) => other === id)?.name ?? id;
  const isIncluded = (task: Task, choice: Shown = shown) => {
    const mark = markIn(marks, task.task_id);
    if (choice === 'starred') return mark.star;
    if (choice === 'kept') return !mark.rejected;
    return choice === 'all' || mark.tags.includes(choice.slice('tag:'.length));
  };
  // In the order in which they are shown, for ranges.
  const choosable = layout.rows
    .flatMap((row) => row.tasks)
    .flatMap((task) => (hasResult(task) && isIncluded(task) ? [task.task_id] : []));
  const selection = useSelection(choosable, batchId);
  const choosePair = (taskId: string) =>
    setPair(pair.includes(taskId) ? pair.filter((id) => id !== taskId) : [...pair.slice(1 - MOST_COMPARED), taskId]);
  const chosen = pair.flatMap((id) => finished.find(({ task_id: other }) => other === id) ?? []);

  if (error !== null && batch === null)
    return (
      <>
        <BackLink />
        <ErrorNote title={texts.missing} error={error} />
      </>
    );
  const ended = batch === null ? 0 : batch.orders - batch.counts.queued - batch.counts.processing;
  const title = batch?.metadata[MARK] ?? (tasks[0] === undefined ? '' : promptOf(tasks[0]));
  const download = { batchId, layout, tasks: finished, marks, nameOf, title, isIncluded };
  return (
    <div ref={root}>
      <BackLink />
      {like === null && ordering.unconfirmed !== null && <OrderState ordering={ordering} />}
      <Group justify="space-between" align="flex-start" gap="md" className={classes.head ?? ''}>
        <div className={classes.heads}>
          <Title order={1} size="h2" className={classes.title ?? ''} dir="auto">
            {title === '' ? lightTexts.title : title}
          </Title>
          {batch === null ? (
            <div className={classes.status} role="status">
              {interrupted ? texts.interrupted : frameTexts.loading}
            </div>
          ) : (
            <div className={`${classes.status} figures`} role="status">
              <StatusMark tone={TONES[batch.status]}>{lightTexts.status[batch.status]}</StatusMark>
              <span>{texts.progress(ended, batch.orders)}</span>
              {batch.mode === 'test' ? (
                <span>{texts.wouldCost(formatMoney(batch.cost.quoted))}</span>
              ) : (
                <span>
                  {texts.charged(formatMoney(batch.cost.charged))}
                  {batch.status === 'processing' && `, ${texts.held(formatMoney(batch.cost.held))}`}
                </span>
              )}
              {interrupted && <span>{texts.interrupted}</span>}
            </div>
          )}
        </div>
        {batch?.status === 'processing' && (
          <Button
            variant="default"
            size="xs"
            onClick={() => cancel.mutate()}
            loading={cancel.isPending}
            disabled={batch.cancel_requested_at !== null}
          >
            {texts.cancel}
          </Button>
        )}
      </Group>
      {cancel.error !== null && <ErrorNote title={texts.cancelFailed} error={cancel.error} />}
      {marking.error !== null && <ErrorNote title={texts.markFailed} error={marking.error} />}
      <Tools
        download={download}
        zoom={zoom}
        onZoom={setZoom}
        shown={shown}
        onShown={setShown}
        films={finished.some(({ type }) => type === 'video') ? films : null}
        canCompare={chosen.length >= 2}
        onCompare={() => setView('two')}
        onBlind={() => setView('blind')}
      />
      <Results
        layout={layout}
        marking={marking}
        nameOf={nameOf}
        zoom={zoom}
        onZoom={setZoom}
        isIncluded={isIncluded}
        isFiltered={shown !== 'all'}
        selection={selection}
        pair={pair}
        onPair={choosePair}
        onMore={setLike}
        onLarge={setLarge}
      />
      <Text size="xs" c="dimmed" mt="md">
        {texts.marks}
      </Text>
      <TableSelection selection={selection} all={choosable.length} marking={marking} download={download} />
      <Suspense>
        {view === 'two' && chosen.length >= 2 && (
          <Compare tasks={chosen} nameOf={nameOf} onClose={() => setView(null)} />
        )}
        {view === 'blind' && <CompareBlind layout={layout} nameOf={nameOf} onClose={() => setView(null)} />}
        {like !== null && <MoreLikeThis task={like} ordering={ordering} onClose={() => setLike(null)} />}
        {large !== null && (
          <LargeResult
            tasks={finished.filter((task) => isIncluded(task))}
            taskId={large}
            nameOf={nameOf}
            onMove={setLarge}
            onClose={() => setLarge(null)}
          />
        )}
      </Suspense>
    </div>
  );
}

function BackLink() {
  return (
    <Link href="/light" className={classes.back ?? ''}>
      <IconArrowLeft size={16} aria-hidden="true" /> {texts.back}
    </Link>
  );
}
