import type { TaskView as Task } from '@darkroom-service/contract';
import { Popover } from '@mantine/core';
import { IconSparkles, IconStar, IconStarFilled, IconTag, IconX } from '@tabler/icons-react';
import { type ComponentProps, type CSSProperties, type MouseEvent, memo, useState } from 'react';
import { type Mark, markOf, type Tags } from '../../../api/marks.ts';
import { Picture } from '../../../components/compare/picture.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { SelectBox } from '../../../components/selection/select-box.tsx';
import { TagsField } from '../../../components/tags/tags-field.tsx';
import { factsOf, hasResult } from '../../../components/task-facts.ts';
import { TaskState } from '../../../components/task-state.tsx';
import classes from './results.module.css';

const NOT_ORDERED = 'not ordered';

/** Deeds that are not marks; `range` selects all results from the last selected one. */
export type OtherDeed = 'tag' | 'more' | 'enlarge' | 'select' | 'range';
/** Deeds for a result, by its button or its key: `s` stars it, `x` rejects it. */
export type Deed = OtherDeed | 's' | 'x';

/** Callbacks from the cells to their table. The object stays the same, so that only changed cells are rendered. */
export interface CellActions {
  act(action: Deed, task: Task): void;
  setTags(task: Task, tags: readonly string[]): void;
  focus(row: number, column: number): void;
}

interface CellProps {
  readonly task: Task;
  /** The model, shown where there are no column headings. */
  readonly name: string;
  /** Whether the whole file is shown instead of its thumbnail. */
  readonly full: boolean;
  readonly tags: Tags;
  readonly isTagging: boolean;
  /** Whether its properties are shown below it. */
  readonly hasCaption: boolean;
  readonly actions: CellActions;
}

/** A result: the picture, its properties, and buttons whose keys the table handles. */
export function Cell({
  hasButtons,
  ...cell
}: CellProps & {
  /** Whether the buttons are rendered: for hundreds of cells they would take long. */
  readonly hasButtons: boolean;
}) {
  const { task, name, full, hasCaption } = cell;
  const mark = markOf(cell.tags);
  return (
    <>
      <div className={classes.face} data-picture>
        <span id={`${task.task_id}-state`} className={classes.stateArea}>
          {!hasResult(task) && <TaskState task={task} isWorded={hasCaption} />}
        </span>
        {hasResult(task) && <Picture task={task} alt="" full={full} />}
        {mark.star && <IconStarFilled className={classes.starred} size={20} aria-hidden="true" />}
        {hasResult(task) && !hasCaption && hasButtons && (
          <span className={classes.tagged} data-open={cell.isTagging || undefined}>
            <TagButton {...cell} mark={mark} />
          </span>
        )}
      </div>
      <div className={classes.caption}>
        <span id={`${task.task_id}-words`} className={classes.words}>
          <span className={`${classes.model} truncate`}>{name}</span>{' '}
          <span className={`${classes.facts} figures`}>
            {factsOf(task).map((fact) => (
              <span key={fact}>{fact} </span>
            ))}
          </span>
          {mark.tags.length > 0 && (
            <span className={classes.tags}>
              {mark.tags.map((tag) => (
                <span key={tag}>{tag} </span>
              ))}
            </span>
          )}
        </span>
        <span id={`${task.task_id}-marks`} className="visually-hidden">
          {[mark.star ? 'starred' : null, mark.rejected ? 'rejected' : null].filter((word) => word !== null).join(', ')}
        </span>
        {hasResult(task) && hasCaption && (
          <span className={classes.buttons}>{hasButtons && <Buttons {...cell} mark={mark} />}</span>
        )}
      </div>
    </>
  );
}

type ButtonsProps = Pick<CellProps, 'task' | 'name' | 'isTagging' | 'actions'> & { readonly mark: Mark };

function Buttons(props: ButtonsProps) {
  const { task, mark, actions } = props;
  return (
    <>
      <CellButton label="Star" pressed={mark.star} onClick={() => actions.act('s', task)}>
        {mark.star ? <IconStarFilled size={16} /> : <IconStar size={16} />}
      </CellButton>
      <CellButton label="Reject" pressed={mark.rejected} onClick={() => actions.act('x', task)}>
        <IconX size={16} />
      </CellButton>
      <TagButton {...props} />
      <CellButton label="More like this" onClick={() => actions.act('more', task)}>
        <IconSparkles size={16} />
      </CellButton>
    </>
  );
}

/** The tags of a result, and the field that changes them. */
function TagButton({ task, name, isTagging, mark: { tags }, actions }: ButtonsProps) {
  const toggle = () => actions.act('tag', task);
  return (
    <Popover opened={isTagging} onChange={toggle} width={240} trapFocus withinPortal returnFocus>
      <Popover.Target>
        <CellButton label="Tags" pressed={tags.length > 0} onClick={toggle}>
          <IconTag size={16} />
        </CellButton>
      </Popover.Target>
      <Popover.Dropdown onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}>
        <TagsField
          label="Tags"
          aria-label={`Tags of ${name}`}
          tags={tags}
          onChange={(changed) => actions.setTags(task, changed)}
          comboboxProps={{ withinPortal: false }}
          data-autofocus
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Returns the ids of the elements that name a cell for a screen reader. */
function cellWords(taskId: string): string {
  return [`${taskId}-state`, `${taskId}-words`, `${taskId}-marks`].join(' ');
}

function CellButton({ pressed, ...button }: ComponentProps<typeof IconButton> & { readonly pressed?: boolean }) {
  const state = pressed === undefined ? {} : { 'aria-pressed': pressed, 'data-pressed': pressed || undefined };
  // Not on focus, which a button of a cell keeps after it was pressed.
  const tip = { events: { hover: true, focus: false, touch: false } };
  return <IconButton {...button} {...state} tip={tip} size={28} tabIndex={-1} className={classes.button ?? ''} />;
}

// ARIA allows this role on the cells of a table, but the linter does not know that.
const GRID_CELL = { role: 'gridcell' } as const;

/** A cell of the table: a result that can be selected, or a note that nothing was ordered there. */
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
  /** Heading of its column. */
  readonly heading: string;
  /** Aspect ratio as a CSS value. */
  readonly aspect: string;
  /** Whether the cell is the one in the tab order. */
  readonly isActive: boolean;
  /** Whether the filter excludes the result. */
  readonly isDim: boolean;
  readonly isSelected: boolean;
  /** Whether any result is selected. */
  readonly isSelecting: boolean;
  /** Whether there is room for the checkbox that selects it. */
  readonly hasBox: boolean;
}) {
  const [isPointedAt, setPointedAt] = useState(false);
  const { actions, name } = cell;
  const canBeChosen = hasResult(task) && !isDim;
  const onPicture = (event: MouseEvent, action: 'range' | 'enlarge') => {
    if (hasResult(task) && (event.target as Element).closest('[data-picture]') !== null) actions.act(action, task);
  };
  // Clicks for the deeds whose keys the table handles.
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
        ? { 'aria-label': `${heading}, ${NOT_ORDERED}` }
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
        <span className={classes.empty}>{cell.hasCaption && NOT_ORDERED}</span>
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
