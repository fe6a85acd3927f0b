import type { TaskView as Task } from '@darkroom-service/contract/task';
import { ActionIcon, Popover, TagsInput, Tooltip } from '@mantine/core';
import { IconSparkles, IconStar, IconStarFilled, IconTag, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Mark, markOf } from '../../../api/marks.ts';
import type { Tags } from '../../../api/task-tags.ts';
import { Picture } from '../../../components/compare/picture.tsx';
import { factsOf, hasResult } from '../../../components/task-facts.ts';
import { TaskState } from '../../../components/task-state.tsx';
import { lightTexts } from '../../../texts/light.ts';
import fields from './fields.module.css';
import classes from './results.module.css';

const texts = lightTexts.cell;
/** Besides the star and the rejection, which are tags too. */
const MOST_TAGS = 18;
const LONGEST_TAG = 40;

/** `range` selects all from the last. */
export type OtherDeed = 'tag' | 'more' | 'enlarge' | 'select' | 'range';
/** What can be done with a result, by its button or its key: it is starred and rejected by the key's name. */
export type Deed = OtherDeed | 's' | 'x';

/** What the cells of a table tell it. It stays the same while they change, so that only changed cells are rendered. */
export interface CellActions {
  act(deed: Deed, task: Task): void;
  setTags(task: Task, tags: readonly string[]): void;
  focus(row: number, column: number): void;
}

export interface CellProps {
  readonly task: Task;
  /** The model, shown where there are no column headings. */
  readonly name: string;
  /** Whether the whole file is shown instead of its thumbnail. */
  readonly full: boolean;
  readonly tags: Tags;
  readonly isTagging: boolean;
  /** Whether its facts stand below it. */
  readonly hasCaption: boolean;
  readonly actions: CellActions;
}

/** One result: the picture, its facts, and buttons whose keys the table handles. */
export function Cell({
  hasButtons,
  ...cell
}: CellProps & {
  /** Whether the buttons are there: those of hundreds of cells would take long to make. */
  readonly hasButtons: boolean;
}) {
  const { task, name, full, hasCaption } = cell;
  const { price, seconds, size, seed } = factsOf(task);
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
            {[price, seconds, size, seed === null ? null : lightTexts.table.seed(seed)]
              .filter((fact) => fact !== null)
              .map((fact) => (
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
        <CellButton label={texts.tag} pressed={tags.length > 0} onClick={toggle}>
          <IconTag size={16} />
        </CellButton>
      </Popover.Target>
      <Popover.Dropdown onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}>
        <TagsInput
          label={texts.tag}
          aria-label={`Tags of ${name}`}
          placeholder="Add a tag"
          value={[...tags]}
          onChange={(changed) => actions.setTags(task, changed)}
          classNames={{ inputField: fields.inner ?? '' }}
          acceptValueOnBlur
          maxTags={MOST_TAGS}
          maxLength={LONGEST_TAG}
          data-autofocus
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Returns the ids of the words that name a cell for a screen reader. */
export function cellWords(taskId: string): string {
  return [`${taskId}-state`, `${taskId}-words`, `${taskId}-marks`].join(' ');
}

function CellButton({
  label,
  pressed,
  onClick,
  children,
  ...others
}: {
  readonly label: string;
  readonly pressed?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Tooltip label={label} events={{ hover: true, focus: false, touch: false }}>
      <ActionIcon
        {...others}
        size={28}
        tabIndex={-1}
        aria-label={label}
        {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
        data-pressed={pressed === true || undefined}
        className={classes.button ?? ''}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
