import type { CSSProperties, MouseEvent, Ref } from 'react';
import type { Mark } from '../../api/marks.ts';
import type { Task } from '../../api/types.ts';
import type { SideName } from '../../components/compare/sides.ts';
import { SelectBox } from '../../components/selection/select-box.tsx';
import type { Selection } from '../../components/selection/use-selection.ts';
import { hasResult } from '../../components/task-facts.ts';
import { lightTexts } from '../../texts/light.ts';
import { Cell, type CellActions, cellWords } from './cell.tsx';
import classes from './results.module.css';

// A role that ARIA allows on the cells of a table; the linter does not know it there.
const GRID_CELL = { role: 'gridcell' } as const;

/** A place of the table: a result that can be selected, or that nothing was ordered there. */
export function GridCell({
  ref,
  task,
  name,
  aspect,
  full,
  mark,
  side,
  isActive,
  isDim,
  isTagging,
  selection,
  actions,
  onFocus,
}: {
  readonly ref: Ref<HTMLTableCellElement>;
  readonly task: Task | undefined;
  /** Of the model. */
  readonly name: string;
  /** Width by height, as CSS takes it. */
  readonly aspect: string;
  readonly full: boolean;
  readonly mark: Mark;
  readonly side: SideName | null;
  /** Whether it is the one in the tab order. */
  readonly isActive: boolean;
  /** Whether the choice of what is shown leaves it out. */
  readonly isDim: boolean;
  readonly isTagging: boolean;
  readonly selection: Selection;
  /** Null where nothing was ordered. */
  readonly actions: CellActions | null;
  readonly onFocus: () => void;
}) {
  const canBeChosen = hasResult(task) && !isDim;
  const onPicture = (act: () => void) => (event: MouseEvent) => {
    if (hasResult(task) && (event.target as Element).closest('[data-picture]') !== null) act();
  };
  // The table handles the keys for the same.
  const clicks = {
    onClick: (event: MouseEvent) => {
      if (event.shiftKey && canBeChosen) onPicture(() => actions?.select(true))(event);
    },
    onDoubleClick: onPicture(() => actions?.enlarge()),
  };
  return (
    <td
      {...GRID_CELL}
      ref={ref}
      tabIndex={isActive ? 0 : -1}
      {...(task === undefined
        ? { 'aria-label': `${name}, ${lightTexts.table.notOrdered}` }
        : { 'aria-labelledby': cellWords(task.task_id) })}
      {...(canBeChosen ? { 'aria-selected': selection.has(task.task_id) } : {})}
      className={classes.cell}
      data-rejected={mark.rejected || undefined}
      data-dim={isDim || undefined}
      style={{ '--aspect': aspect } as CSSProperties}
      onFocus={onFocus}
      {...clicks}
    >
      {task === undefined || actions === null ? (
        <span className={classes.empty}>{lightTexts.table.notOrdered}</span>
      ) : (
        <>
          <Cell task={task} name={name} full={full} mark={mark} side={side} isTagging={isTagging} actions={actions} />
          {canBeChosen && (
            <SelectBox
              taskId={task.task_id}
              name={name}
              selection={selection}
              isShown={selection.ids.length > 0}
              inTabOrder={false}
            />
          )}
        </>
      )}
    </td>
  );
}
