import { IconStar, IconStarFilled, IconX } from '@tabler/icons-react';
import { changedTags, type TagChange } from '../../api/task-tags.ts';
import type { OnProgress } from '../../components/results-zip.ts';
import { BarButton } from '../../components/selection/bar-button.tsx';
import { SaveSelection } from '../../components/selection/save-selection.tsx';
import { SelectionBar } from '../../components/selection/selection-bar.tsx';
import { ShareSelection } from '../../components/selection/share-selection.tsx';
import { TagSelection } from '../../components/selection/tag-selection.tsx';
import type { Selection } from '../../components/selection/use-selection.ts';
import { selectionTexts as texts } from '../../texts/selection.ts';
import type { Downloadable } from './download-menu.tsx';
import { markIn, type useMarks } from './marks.ts';

/** What can be done with the selected results of a light table. */
export function TableSelection({
  selection,
  all,
  marking,
  download,
}: {
  readonly selection: Selection;
  /** How many there are to select. */
  readonly all: number;
  readonly marking: ReturnType<typeof useMarks>;
  readonly download: Downloadable;
}) {
  const { ids } = selection;
  const tasks = download.tasks.filter(({ task_id: id }) => selection.has(id));
  const marks = ids.map((id) => markIn(marking.marks, id));
  const isStarred = marks.every(({ star }) => star);
  const isRejected = marks.every(({ rejected }) => rejected);
  const save = async (onProgress: OnProgress) => {
    const { downloadTable } = await import('./download-table.ts');
    return await downloadTable({ ...download, tasks }, onProgress);
  };
  const change = (wanted: TagChange) => marking.setAll(ids, ({ tags }) => ({ tags: changedTags(tags, wanted) }));
  return (
    <SelectionBar selection={selection} all={all}>
      <ShareSelection tasks={tasks} />
      <SaveSelection disabled={tasks.length === 0} save={save} />
      <BarButton
        label={isStarred ? texts.unstar : texts.star}
        icon={isStarred ? <IconStarFilled size={16} aria-hidden="true" /> : <IconStar size={16} aria-hidden="true" />}
        onClick={() => marking.setAll(ids, ({ rejected }) => ({ star: !isStarred, rejected: rejected && isStarred }))}
      />
      <BarButton
        label={isRejected ? texts.unreject : texts.reject}
        icon={<IconX size={16} aria-hidden="true" />}
        onClick={() => marking.setAll(ids, ({ star }) => ({ rejected: !isRejected, star: star && isRejected }))}
      />
      <TagSelection tags={[...new Set(marks.flatMap(({ tags }) => tags))].sort()} onChange={change} />
    </SelectionBar>
  );
}
