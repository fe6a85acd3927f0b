import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Stack, Text } from '@mantine/core';
import { IconColumns2, IconDownload, IconStar, IconStarFilled, IconTrash, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { FAVOURITE, markOf, REJECTED } from '../../../api/marks.ts';
import { orderingKey, useSession } from '../../../api/session.ts';
import { inverse, readTagsAgain, retag, showTags } from '../../../api/tagging.ts';
import { cachedTask, isFinal } from '../../../api/task-cache.ts';
import { sendChange, type TagChange } from '../../../api/task-tags.ts';
import { noteChange } from '../../../api/undo.ts';
import { refresh } from '../../../api/use-api.ts';
import { MOST_COMPARED } from '../../../components/compare/sides.ts';
import { ErrorNote } from '../../../components/error-note.tsx';
import { MOST_SHARED, ShareLinks } from '../../../components/lazy-share-links.ts';
import type { OnProgress } from '../../../components/results-zip.ts';
import { BarButton } from '../../../components/selection/bar-button.tsx';
import classes from '../../../components/selection/selection.module.css';
import { SelectionBar } from '../../../components/selection/selection-bar.tsx';
import { TagSelection } from '../../../components/selection/tag-selection.tsx';
import type { Selection } from '../../../components/selection/use-selection.ts';
import { ShareDialog } from '../../../components/share-dialog.tsx';
import { hasResult } from '../../../components/task-facts.ts';
import { useSaving } from '../../../components/use-saving.ts';
import { formatCount } from '../../../format.ts';
import { historyTexts } from '../../../texts/history.ts';
import { selectionTexts as texts } from '../../../texts/selection.ts';
import { shareTexts } from '../../../texts/shares.ts';
import { deleteOrders } from './delete-orders.ts';

interface Actions {
  /** Of the ZIP, without the extension. */
  readonly zipName: string;
  /** The name of a result's file, without the extension. */
  readonly fileOf: (task: Task) => string;
  readonly canDelete: boolean;
  /** Compares the selected results, which are few enough. */
  readonly onCompare: () => void;
}

/** What can be done with the selected orders, on the wall and on a table. */
export function WorkSelection({
  selection,
  tasks,
  ...actions
}: Actions & {
  readonly selection: Selection;
  /** All that can be selected, with their tags. */
  readonly tasks: readonly Task[];
}) {
  return (
    <SelectionBar selection={selection} all={tasks.length}>
      <SelectionActions tasks={tasks.filter(({ task_id: id }) => selection.has(id))} {...actions} />
    </SelectionBar>
  );
}

/** Returns the selected results if they are two to four, which can be compared; else none. */
export function comparedOf(selection: Selection, tasks: readonly Task[]): readonly Task[] {
  const results = tasks.filter((task) => selection.has(task.task_id) && hasResult(task));
  return results.length >= 2 && results.length <= MOST_COMPARED ? results : [];
}

function SelectionActions({
  tasks: listed,
  zipName,
  fileOf,
  canDelete,
  onCompare,
}: Actions & { readonly tasks: readonly Task[] }) {
  const secret = orderingKey(useSession());
  const tasks = listed.map((task) => newest(task, secret));
  const results = tasks.filter(hasResult);
  const tagging = useChangeTags();
  const marks = tasks.map(({ tags = [] }) => markOf(tags));
  const isStarred = marks.every(({ star }) => star);
  const isRejected = marks.every(({ rejected }) => rejected);
  const retag = (change: TagChange) => tagging.run({ taskIds: tasks.map(({ task_id: id }) => id), change });
  const save = async (onProgress: OnProgress) => {
    const { saveResultsZip } = await import('../../../components/results-zip.ts');
    return await saveResultsZip(
      { name: zipName, tasks: results, tagsOf: ({ tags = [] }) => tags, nameOf: fileOf },
      onProgress,
    );
  };
  return (
    <>
      {results.length >= 2 && results.length <= MOST_COMPARED && (
        <BarButton label="Compare" icon={<IconColumns2 size={16} aria-hidden="true" />} onClick={onCompare} />
      )}
      <ShareSelection tasks={tasks} />
      <SaveSelection disabled={results.length === 0} save={save} />
      <BarButton
        label={isStarred ? 'Remove the star' : 'Star'}
        icon={isStarred ? <IconStarFilled size={16} aria-hidden="true" /> : <IconStar size={16} aria-hidden="true" />}
        disabled={tagging.isRunning}
        onClick={() => retag(isStarred ? { add: [], remove: [FAVOURITE] } : { add: [FAVOURITE], remove: [REJECTED] })}
      />
      <BarButton
        label={isRejected ? 'Do not reject' : 'Reject'}
        icon={<IconX size={16} aria-hidden="true" />}
        disabled={tagging.isRunning}
        onClick={() => retag(isRejected ? { add: [], remove: [REJECTED] } : { add: [REJECTED], remove: [FAVOURITE] })}
      />
      <TagSelection
        tags={[...new Set(marks.flatMap(({ tags }) => tags))].sort()}
        isBusy={tagging.isRunning}
        onChange={retag}
      />
      {canDelete && <DeleteSelection tasks={tasks} />}
      {tagging.isRunning && (
        <span className="figures">
          {tagging.done} of {tagging.all} changed
        </span>
      )}
      <ErrorNote
        title={`The tags of ${tagging.done} of ${tagging.all} orders were changed, then it failed`}
        error={tagging.error}
      />
    </>
  );
}

/** The task as events brought it, with its tags, which they do not tell. */
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
    <ShareDialog label="Share" title="Share the selected results" className={classes.action ?? ''}>
      <Stack>
        {others > 0 && <Text size="sm">{texts.withoutResult(others)}</Text>}
        {results.length > MOST_SHARED && <Text size="sm">{shareTexts.most(formatCount(MOST_SHARED))}</Text>}
        {results.length > 0 && <ShareLinks tasks={results.slice(0, MOST_SHARED)} />}
      </Stack>
    </ShareDialog>
  );
}

/** Saves the selected results as a ZIP archive. */
function SaveSelection({
  disabled,
  save,
}: {
  readonly disabled: boolean;
  readonly save: (onProgress: OnProgress) => Promise<number>;
}) {
  const saving = useSaving((_: null, onProgress) => save(onProgress));
  return (
    <>
      <BarButton
        label="Download"
        icon={<IconDownload size={16} aria-hidden="true" />}
        loading={saving.isSaving}
        disabled={disabled}
        onClick={() => saving.save(null)}
      />
      <SavingNote saving={saving} className={classes.note} />
    </>
  );
}

/** Deletes the selected orders that have ended. It can be undone for some minutes. */
function DeleteSelection({ tasks }: { readonly tasks: readonly Task[] }) {
  const [done, setDone] = useState(0);
  const ended = tasks.filter(isFinal);
  const unfinished = tasks.length - ended.length;
  const remove = useMutation({
    mutationFn: (ids: readonly string[]) => deleteOrders(ids, setDone),
    onMutate: () => setDone(0),
  });
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
      {unfinished > 0 && <span>{texts.removeUnfinished(unfinished)}</span>}
      {remove.isPending && (
        <span className="figures">
          {done} of {all} deleted
        </span>
      )}
      <ErrorNote title={`${done} of ${all} orders were deleted, then it failed`} error={remove.error} />
    </>
  );
}

/** How far the saving of results is, what is missing in the file, and why it failed. */
function SavingNote({
  saving: { progress, missing, error },
  className,
}: {
  readonly saving: Pick<ReturnType<typeof useSaving>, 'progress' | 'missing' | 'error'>;
  readonly className: string | undefined;
}) {
  return (
    <>
      <output className={className}>
        {progress !== null && texts.saving(...progress)}
        {missing > 0 && texts.incomplete(missing)}
      </output>
      <ErrorNote title="The download failed" error={error} />
    </>
  );
}

/** Changes the tags of many tasks, one after the other, each shown once it is stored. It can be undone together. */
function useChangeTags() {
  const [done, setDone] = useState(0);
  const stored = useRef<Parameters<typeof inverse>[0][]>([]);
  const run = useMutation({
    mutationFn: async ({ taskIds, change }: { readonly taskIds: readonly string[]; readonly change: TagChange }) => {
      setDone(0);
      for (const [index, taskId] of taskIds.entries()) {
        const { tags, before } = await sendChange(taskId, change);
        showTags(taskId, tags);
        stored.current.push({ taskId, before, change });
        setDone(index + 1);
      }
    },
    onSettled: () => {
      const changes = stored.current.splice(0);
      if (changes.length > 0)
        noteChange(historyTexts.wall.tagged(changes.length), () => retag(changes.map(inverse), null));
      return Promise.all([readTagsAgain(), refresh('GET /v1/tags')]);
    },
  });
  return { run: run.mutate, isRunning: run.isPending, error: run.error, done, all: run.variables?.taskIds.length ?? 0 };
}
