import type { TaskView as Task } from '@darkroom-service/contract';
import { Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconColumns2, IconDownload, IconStar, IconStarFilled, IconTrash, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { FAVOURITE, markOf, REJECTED, type TagChange } from '../../../api/marks.ts';
import { orderingKey, useSession } from '../../../api/session.ts';
import { type Retagging, retag, taggingFault, tagsNow } from '../../../api/tagging.ts';
import { cachedTask, isFinal } from '../../../api/task-cache.ts';
import { MOST_COMPARED } from '../../../components/compare/sides.ts';
import { ErrorNote } from '../../../components/error-note.tsx';
import { lazyPart } from '../../../components/lazy-part.ts';
import classes from '../../../components/selection/selection.module.css';
import { BarButton, SelectionBar, TagSelection } from '../../../components/selection/selection-bar.tsx';
import type { Selection } from '../../../components/selection/use-selection.ts';
import { MOST_SHARED, ONLY_NEWEST, ShareDialog, ShareLinks } from '../../../components/share-dialog.tsx';
import { hasResult } from '../../../components/task-facts.ts';
import { formatMany } from '../../../format.ts';
import { historyTexts } from '../../../texts/history.ts';
import { deleteOrders } from './delete-orders.ts';
import { isForOthers } from './wall-keys.ts';

const Compare = lazyPart(async () => (await import('../../../components/compare/compare.tsx')).Compare);

interface Files {
  /** Name of the ZIP archive, without the extension. */
  readonly zipName: string;
  /** Returns the name of a result's file, without the extension. */
  readonly fileOf: (task: Task) => string;
}

type Actions = Files & { readonly canDelete: boolean };

/** The actions for the selected orders, on the wall and on a table. The key `c` compares them. */
export function WorkSelection({
  selection,
  tasks,
  nameOf,
  ...actions
}: Actions & {
  readonly selection: Selection;
  /** All tasks that can be selected, with their tags. */
  readonly tasks: readonly Task[];
  /** Returns the name of a model. */
  readonly nameOf: (modelId: string) => string;
}) {
  const [isComparing, setComparing] = useState(false);
  const selected = tasks.filter(({ task_id: id }) => selection.has(id));
  const results = selected.filter(hasResult);
  const canCompare = results.length >= 2 && results.length <= MOST_COMPARED;
  const onCompare = canCompare ? () => setComparing(true) : null;
  useWindowEvent('keydown', (event) => event.key.toLowerCase() === 'c' && !isForOthers(event) && onCompare?.());
  return (
    <>
      <SelectionBar selection={selection} all={tasks.length}>
        <SelectionActions tasks={selected} onCompare={onCompare} {...actions} />
      </SelectionBar>
      <Suspense>
        {isComparing && canCompare && <Compare tasks={results} nameOf={nameOf} onClose={() => setComparing(false)} />}
      </Suspense>
    </>
  );
}

function SelectionActions({
  tasks: listed,
  canDelete,
  onCompare,
  ...files
}: Actions & {
  readonly tasks: readonly Task[];
  /** Null if the selected results are not two to four. */
  readonly onCompare: (() => void) | null;
}) {
  const secret = orderingKey(useSession());
  const tasks = listed.map((task) => newest(task, secret));
  const results = tasks.filter(hasResult);
  const tagging = useProgress(async (changes: readonly Retagging[], onDone) => {
    onDone(await retag(changes, historyTexts.tagged));
    const fault = taggingFault.get();
    if (fault !== null) throw fault.error;
  });
  const marks = tasks.map(({ tags = [] }) => markOf(tags));
  const isStarred = marks.every(({ star }) => star);
  const isRejected = marks.every(({ rejected }) => rejected);
  const change = (change: TagChange) =>
    tagging.mutate(tasks.map(({ task_id: taskId, tags = [] }) => ({ taskId, before: tagsNow(taskId, tags), change })));
  return (
    <>
      {onCompare !== null && (
        <BarButton label="Compare" icon={<IconColumns2 size={16} aria-hidden="true" />} onClick={onCompare} />
      )}
      <ShareSelection tasks={tasks} />
      <SaveSelection results={results} {...files} />
      <BarButton
        label={isStarred ? 'Remove the star' : 'Star'}
        icon={isStarred ? <IconStarFilled size={16} aria-hidden="true" /> : <IconStar size={16} aria-hidden="true" />}
        disabled={tagging.isPending}
        onClick={() => change(isStarred ? { add: [], remove: [FAVOURITE] } : { add: [FAVOURITE], remove: [REJECTED] })}
      />
      <BarButton
        label={isRejected ? 'Do not reject' : 'Reject'}
        icon={<IconX size={16} aria-hidden="true" />}
        disabled={tagging.isPending}
        onClick={() => change(isRejected ? { add: [], remove: [REJECTED] } : { add: [REJECTED], remove: [FAVOURITE] })}
      />
      <TagSelection
        tags={[...new Set(marks.flatMap(({ tags }) => tags))].sort()}
        isBusy={tagging.isPending}
        onChange={change}
      />
      {canDelete && <DeleteSelection tasks={tasks} />}
      <ErrorNote
        title={`The tags of ${tagging.done} of ${tagging.variables?.length ?? 0} orders were changed, then it failed`}
        error={tagging.error}
      />
    </>
  );
}

/** Returns the task's latest state from events, with its tags, which events do not contain. */
function newest(listed: Task, secret: string | null): Task {
  const known = secret === null ? undefined : cachedTask(listed.task_id, secret);
  const { tags } = listed;
  return known === undefined || known.revision <= listed.revision || tags === undefined ? listed : { ...known, tags };
}

/** Shares the selected results by one link. */
function ShareSelection({ tasks }: { readonly tasks: readonly Task[] }) {
  const results = tasks.filter(hasResult);
  const others = tasks.length - results.length;
  return (
    <ShareDialog word="Share" title="Share the selected results" className={classes.action ?? ''}>
      <Stack>
        {others > 0 && (
          <Text size="sm">{`${formatMany(others, 'selected order has', 'selected orders have')} no result.`}</Text>
        )}
        {results.length > MOST_SHARED && <Text size="sm">{ONLY_NEWEST}</Text>}
        {results.length > 0 && <ShareLinks tasks={results.slice(0, MOST_SHARED)} />}
      </Stack>
    </ShareDialog>
  );
}

/** Saves the selected results as a ZIP archive. */
function SaveSelection({ results, zipName: name, fileOf: nameOf }: Files & { readonly results: readonly Task[] }) {
  const saving = useProgress(async (tasks: readonly Task[], onDone) => {
    const { saveResultsZip } = await import('../../../components/results-zip.ts');
    return await saveResultsZip({ name, tasks, nameOf }, onDone);
  });
  const missing = saving.data ?? 0;
  return (
    <>
      <BarButton
        label="Download"
        icon={<IconDownload size={16} aria-hidden="true" />}
        loading={saving.isPending}
        disabled={results.length === 0}
        onClick={() => saving.mutate(results)}
      />
      <output className={classes.note}>
        {saving.isPending && `${saving.done} of ${results.length} files`}
        {missing > 0 && `${formatMany(missing, 'file')} could not be loaded; the ZIP lacks them.`}
      </output>
      <ErrorNote title="The download failed" error={saving.error} />
    </>
  );
}

/** Deletes the selected orders that have ended. It can be undone for some minutes. */
function DeleteSelection({ tasks }: { readonly tasks: readonly Task[] }) {
  const ended = tasks.filter(isFinal);
  const unfinished = tasks.length - ended.length;
  const remove = useProgress(deleteOrders);
  const all = remove.variables?.length ?? 0;
  return (
    <>
      <BarButton
        label="Delete"
        icon={<IconTrash size={16} color="var(--mantine-color-error)" aria-hidden="true" />}
        loading={remove.isPending}
        disabled={ended.length === 0}
        onClick={() => remove.mutate(ended.map(({ task_id: id }) => id))}
      />
      {unfinished > 0 && (
        <span>
          {`${formatMany(unfinished, 'selected order is', 'selected orders are')} still under way, and not deleted.`}
        </span>
      )}
      {remove.isPending && (
        <span className="figures">
          {remove.done} of {all} deleted
        </span>
      )}
      <ErrorNote title={`${remove.done} of ${all} orders were deleted, then it failed`} error={remove.error} />
    </>
  );
}

type OnDone = (done: number) => void;

/** Returns the mutation of a deed for many orders, with the number of completed ones. */
function useProgress<What, Data>(act: (what: What, onDone: OnDone) => Promise<Data>) {
  const [done, setDone] = useState(0);
  const run = useMutation({ mutationFn: (what: What) => act(what, setDone), onMutate: () => setDone(0) });
  return { ...run, done };
}
