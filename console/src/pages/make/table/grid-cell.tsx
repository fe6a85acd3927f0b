import type { TaskView as Task } from '@darkroom-service/contract/task';
import { type CSSProperties, type MouseEvent, memo, useState } from 'react';
import { markOf } from '../../../api/marks.ts';
import { SelectBox } from '../../../components/selection/select-box.tsx';
import { hasResult } from '../../../components/task-facts.ts';
import { lightTexts } from '../../../texts/light.ts';
import { Cell, type CellProps, cellWords } from './cell.tsx';
import classes from './results.module.css';

// A role that ARIA allows on the cells of a table; the linter does not know it there.
const GRID_CELL = { role: 'gridcell' } as const;

/** A place of the table: a result that can be selected, or that nothing was ordered there. */
export const GridCell = memo(function GridCell({
  task,
  row,
  column,
  heading,
  aspect,
  isActive,
  isDim,
  isSelected,
  isSelecting,
  hasBox,
  ...cell
}: Omit<CellProps, 'task'> & {
  readonly task: Task | undefined;
  readonly row: number;
  readonly column: number;
  /** Of its column. */
  readonly heading: string;
  /** Width by height, as CSS takes it. */
  readonly aspect: string;
  /** Whether it is the one in the tab order. */
  readonly isActive: boolean;
  /** Whether the choice of what is shown leaves it out. */
  readonly isDim: boolean;
  readonly isSelected: boolean;
  /** Whether any result is selected. */
  readonly isSelecting: boolean;
  /** Whether there is room for the box that selects it. */
  readonly hasBox: boolean;
}) {
  const [isPointedAt, setPointedAt] = useState(false);
  const { actions, name } = cell;
  const canBeChosen = hasResult(task) && !isDim;
  const onPicture = (event: MouseEvent, deed: 'range' | 'enlarge') => {
    if (hasResult(task) && (event.target as Element).closest('[data-picture]') !== null) actions.act(deed, task);
  };
  // The table handles the keys for the same.
  const clicks = {
    onClick: (event: MouseEvent) => {
      if (event.shiftKey && canBeChosen) onPicture(event, 'range');
    },
    onDoubleClick: (event: MouseEvent) => onPicture(event, 'enlarge'),
    onMouseEnter: () => setPointedAt(true),
    onMouseLeave: () => setPointedAt(false),
  };
  return (
    <td
      {...GRID_CELL}
      data-cell={`${row},${column}`}
      tabIndex={isActive ? 0 : -1}
      {...(task === undefined
        ? { 'aria-label': `${heading}, ${lightTexts.table.notOrdered}` }
        : { 'aria-labelledby': cellWords(task.task_id) })}
      {...(canBeChosen ? { 'aria-selected': isSelected } : {})}
      className={classes.cell}
      data-rejected={markOf(cell.tags).rejected || undefined}
      data-dim={isDim || undefined}
      style={{ '--aspect': aspect } as CSSProperties}
      onFocus={() => actions.focus(row, column)}
      {...clicks}
    >
      {task === undefined ? (
        <span className={classes.empty}>{cell.hasCaption && lightTexts.table.notOrdered}</span>
      ) : (
        <>
          <Cell {...cell} task={task} hasButtons={isActive || isPointedAt || cell.isTagging} />
          {canBeChosen && hasBox && (
            <SelectBox
              taskId={task.task_id}
              name={name}
              isSelected={isSelected}
              onToggle={(_, isRange) => actions.act(isRange ? 'range' : 'select', task)}
              isShown={isSelecting}
              inTabOrder={false}
            />
          )}
        </>
      )}
    </td>
  );
});
