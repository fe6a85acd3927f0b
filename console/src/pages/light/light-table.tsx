import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Group, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useBatch } from '../../api/follow-batch.ts';
import type { CatalogModel } from '../../api/model.ts';
import { useOrderableModels } from '../../api/use-models.ts';
import { BatchActions, BatchState, LIGHT_TABLE } from '../../components/batches/batch-state.tsx';
import { SmallButton } from '../../components/buttons.ts';
import { useFilmsInStep } from '../../components/compare/films-in-step.ts';
import { MOST_COMPARED } from '../../components/compare/sides.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { useSelection } from '../../components/selection/use-selection.ts';
import { hasResult, promptOf } from '../../components/task-facts.ts';
import { Small } from '../../components/words.ts';
import { frameTexts } from '../../texts/frame.ts';
import { lightTexts } from '../../texts/light.ts';
import type { Shown } from './download-menu.tsx';
import classes from './light-table.module.css';
import { markIn, useMarks } from './marks.ts';
import { OrderState } from './ordering.tsx';
import { Results } from './results.tsx';
import { layOut } from './table-layout.ts';
import { TableSelection } from './table-selection.tsx';
import { axesOf, MODEL, viewOf } from './table-view.ts';
import { Tools } from './tools.tsx';
import { useBatchOrdering } from './use-batch-ordering.ts';
import { useCellSize } from './use-cell-size.ts';
import { FIT, type Zoom } from './zoom.ts';

const Compare = lazyPart(async () => (await import('../../components/compare/compare.tsx')).Compare);
const CompareBlind = lazyPart(async () => (await import('./compare-blind.tsx')).CompareBlind);
const MoreLikeThis = lazyPart(async () => (await import('./more-like-this.tsx')).MoreLikeThis);
const FullScreen = lazyPart(async () => (await import('../../components/full-screen.tsx')).FullScreen);
const texts = lightTexts.table;
const NO_MODELS: readonly CatalogModel[] = [];

/** A light table that was ordered: its results side by side while they are made and after. */
export function LightTable({ batchId }: { readonly batchId: string }) {
  const { batch, tasks, error, interrupted } = useBatch(batchId);
  const { models = NO_MODELS } = useOrderableModels();
  const [zoom, setZoom] = useState<Zoom>(FIT);
  const [chosenAxis, setAxis] = useState<string | null>(null);
  const [shown, setShown] = useState<Shown>('all');
  const [pair, setPair] = useState<readonly string[]>([]);
  const [comparing, setComparing] = useState<'two' | 'blind' | null>(null);
  const [like, setLike] = useState<Task | null>(null);
  const [large, setLarge] = useState<string | null>(null);
  const ordering = useBatchOrdering();
  const root = useRef<HTMLDivElement>(null);
  const films = useFilmsInStep(root);
  const layout = useMemo(() => layOut(tasks), [tasks]);
  const axes = useMemo(() => axesOf(layout), [layout]);
  const axis = axes.find((name) => name === chosenAxis) ?? axes[0] ?? MODEL;
  const names = useMemo(() => new Map(models.map(({ model_id: id, name }) => [id, name])), [models]);
  const nameOf = useCallback((id: string) => names.get(id) ?? id, [names]);
  const view = useMemo(() => viewOf(layout, axis, nameOf), [layout, axis, nameOf]);
  const size = useCellSize(view);
  const zoomTo = (wanted: Zoom | null) => {
    setZoom(wanted ?? FIT);
    if (wanted === null) size.choose(null);
  };
  const marking = useMarks(batchId, [...new Set(tasks.map(({ type }) => type))]);
  const { marks } = marking;
  const vendors = useMemo(() => new Map(models.map(({ model_id: id, vendor }) => [id, vendor])), [models]);
  const areDrawings = batch?.mode === 'test' && tasks.some(({ model_id: id }) => vendors.get(id) !== 'Darkroom');
  const finished = useMemo(() => tasks.filter(hasResult), [tasks]);
  const isIncluded = (task: Task, choice: Shown = shown) => {
    const mark = markIn(marks, task.task_id);
    if (choice === 'starred') return mark.star;
    if (choice === 'kept') return !mark.rejected;
    return choice === 'all' || mark.tags.includes(choice.slice('tag:'.length));
  };
  // In the order in which they are shown, for ranges.
  const choosable = view.rows
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
  const title = batch?.metadata[LIGHT_TABLE] ?? (tasks[0] === undefined ? '' : promptOf(tasks[0]));
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
          <div className={`${classes.status} figures`} role="status">
            {batch !== null && <BatchState batch={batch} />}
            {interrupted ? <span>{texts.interrupted}</span> : batch === null && frameTexts.loading}
          </div>
        </div>
        {batch !== null && (
          <Group gap="xs">
            <SmallButton component={Link} href={`/batches/${batchId}`}>
              {texts.inHistory}
            </SmallButton>
            <BatchActions batch={batch} />
          </Group>
        )}
      </Group>
      {marking.error !== null && <ErrorNote title={texts.markFailed} error={marking.error} />}
      <Tools
        download={download}
        zoom={zoom}
        onZoom={zoomTo}
        size={size}
        axes={axes}
        axis={axis}
        onAxis={setAxis}
        shown={shown}
        onShown={setShown}
        films={finished.some(({ type }) => type === 'video') ? films : null}
        canCompare={chosen.length >= 2}
        onCompare={() => setComparing('two')}
        areDrawings={areDrawings}
        onBlind={() => setComparing('blind')}
      />
      <div ref={size.ref} className={classes.results}>
        {size.fitted !== null && (
          <Results
            view={view}
            fitted={size.fitted}
            marking={marking}
            nameOf={nameOf}
            zoom={zoom}
            onZoom={zoomTo}
            isIncluded={isIncluded}
            isFiltered={shown !== 'all'}
            selection={selection}
            pair={pair}
            onPair={choosePair}
            onMore={setLike}
            onLarge={setLarge}
          />
        )}
      </div>
      {areDrawings && (
        <Small mt="md" role="note">
          {texts.drawings}
        </Small>
      )}
      <Small mt="md">{texts.marks}</Small>
      <TableSelection selection={selection} all={choosable.length} marking={marking} download={download} />
      <Suspense>
        {comparing === 'two' && chosen.length >= 2 && (
          <Compare tasks={chosen} nameOf={nameOf} onClose={() => setComparing(null)} />
        )}
        {comparing === 'blind' && <CompareBlind layout={layout} nameOf={nameOf} onClose={() => setComparing(null)} />}
        {like !== null && <MoreLikeThis task={like} ordering={ordering} onClose={() => setLike(null)} />}
        {large !== null && (
          <FullScreen
            tasks={finished.filter((task) => isIncluded(task))}
            taskId={large}
            tagsOf={({ task_id: id }) => marks[id] ?? []}
            onMove={setLarge}
            onMark={marking.byKey}
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
