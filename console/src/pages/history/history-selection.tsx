import type { TaskView as Task } from '@darkroom-service/contract/task';
import { IconColumns2, IconStar, IconStarFilled } from '@tabler/icons-react';
import { FAVOURITE, markOf } from '../../api/marks.ts';
import { orderingKey, useSession } from '../../api/session.ts';
import { cachedTask } from '../../api/task-cache.ts';
import type { TagChange } from '../../api/task-tags.ts';
import { MOST_COMPARED } from '../../components/compare/sides.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { BarButton } from '../../components/selection/bar-button.tsx';
import { SaveSelection } from '../../components/selection/save-selection.tsx';
import { SelectionBar } from '../../components/selection/selection-bar.tsx';
import { ShareSelection } from '../../components/selection/share-selection.tsx';
import { TagSelection } from '../../components/selection/tag-selection.tsx';
import type { Selection } from '../../components/selection/use-selection.ts';
import { hasResult } from '../../components/task-facts.ts';
import { historyTexts } from '../../texts/history.ts';
import { selectionTexts as texts } from '../../texts/selection.ts';
import { DeleteSelection } from './delete-selection.tsx';
import { useChangeManyTags } from './task-tags.ts';

/** What can be done with the selected orders of the history. */
export function HistorySelection({
  selection,
  tasks,
  onCompare,
}: {
  readonly selection: Selection;
  /** All that are loaded. */
  readonly tasks: readonly Task[];
  readonly onCompare: (tasks: readonly Task[]) => void;
}) {
  return (
    <SelectionBar selection={selection} all={tasks.length}>
      <Actions tasks={tasks.filter(({ task_id: id }) => selection.has(id))} onCompare={onCompare} />
    </SelectionBar>
  );
}

function Actions({
  tasks: listed,
  onCompare,
}: {
  readonly tasks: readonly Task[];
  readonly onCompare: (tasks: readonly Task[]) => void;
}) {
  const secret = orderingKey(useSession());
  const tasks = listed.map((task) => newest(task, secret));
  const results = tasks.filter(hasResult);
  const tagging = useChangeManyTags();
  const marks = tasks.map(({ tags = [] }) => markOf(tags));
  const isStarred = marks.every(({ star }) => star);
  const change = (what: TagChange) => tagging.run({ taskIds: tasks.map(({ task_id: id }) => id), what });
  const save = async (onProgress: (done: number, all: number) => void) => {
    const { saveResultsZip } = await import('../../components/results-zip.ts');
    const nameOf = ({ task_id: id }: Task) => id;
    return await saveResultsZip(
      { name: 'darkroom', tasks: results, tagsOf: ({ tags = [] }) => tags, nameOf },
      onProgress,
    );
  };
  return (
    <>
      {results.length >= 2 && results.length <= MOST_COMPARED && (
        <BarButton
          label={historyTexts.wall.compare}
          icon={<IconColumns2 size={16} aria-hidden="true" />}
          onClick={() => onCompare(results)}
        />
      )}
      <ShareSelection tasks={tasks} />
      <SaveSelection disabled={results.length === 0} save={save} />
      <BarButton
        label={isStarred ? texts.unstar : texts.star}
        icon={isStarred ? <IconStarFilled size={16} aria-hidden="true" /> : <IconStar size={16} aria-hidden="true" />}
        disabled={tagging.isRunning}
        onClick={() => change(isStarred ? { add: [], remove: [FAVOURITE] } : { add: [FAVOURITE], remove: [] })}
      />
      <TagSelection
        tags={[...new Set(marks.flatMap(({ tags }) => tags))].sort()}
        isBusy={tagging.isRunning}
        onChange={change}
      />
      <DeleteSelection tasks={tasks} />
      {tagging.isRunning && <span className="figures">{texts.changing(tagging.done, tagging.all)}</span>}
      {tagging.error !== null && (
        <ErrorNote title={texts.changeFailed(tagging.done, tagging.all)} error={tagging.error} />
      )}
    </>
  );
}

/** The task as events brought it, with its tags, which they do not tell. */
function newest(listed: Task, secret: string | null): Task {
  const known = secret === null ? undefined : cachedTask(listed.task_id, secret);
  const { tags } = listed;
  return known === undefined || known.revision <= listed.revision || tags === undefined ? listed : { ...known, tags };
}
