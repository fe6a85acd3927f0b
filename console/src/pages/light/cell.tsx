import { ActionIcon, Loader, Popover, TagsInput, Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconColumns2,
  IconPhotoOff,
  IconSparkles,
  IconStar,
  IconStarFilled,
  IconTag,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Mark } from '../../api/marks.ts';
import type { Task } from '../../api/types.ts';
import { Picture } from '../../components/compare/picture.tsx';
import type { SideName } from '../../components/compare/sides.ts';
import { factsOf, hasResult } from '../../components/task-facts.ts';
import { historyTexts } from '../../texts/history.ts';
import { lightTexts } from '../../texts/light.ts';
import fields from './fields.module.css';
import classes from './results.module.css';

const texts = lightTexts.cell;
/** Besides the star and the rejection, which are tags too. */
const MOST_TAGS = 18;
const LONGEST_TAG = 40;

/** What can be done with a result, by its button or its key. */
export interface CellActions {
  readonly star: () => void;
  readonly reject: () => void;
  readonly rate: (stars: number) => void;
  readonly tag: (open: boolean) => void;
  readonly setTags: (tags: readonly string[]) => void;
  readonly compare: () => void;
  readonly more: () => void;
  readonly enlarge: () => void;
  /** @param isRange selects all from the one that was selected before */
  readonly select: (isRange: boolean) => void;
}

/** One result: the picture, its facts, and buttons whose keys the table handles. */
export function Cell({
  task,
  name,
  full,
  mark,
  side,
  isTagging,
  actions,
}: {
  readonly task: Task;
  /** The model, shown where there are no column headings. */
  readonly name: string;
  /** Whether the whole file is shown instead of its thumbnail. */
  readonly full: boolean;
  readonly mark: Mark;
  /** Its side in the comparison. */
  readonly side: SideName | null;
  readonly isTagging: boolean;
  readonly actions: CellActions;
}) {
  const { price, seconds, size, seed } = factsOf(task);
  const { tags } = mark;
  return (
    <>
      <div className={classes.face} data-picture>
        <span id={`${task.task_id}-state`} className={classes.stateArea}>
          {!hasResult(task) && <State task={task} />}
        </span>
        {hasResult(task) && <Picture task={task} alt="" full={full} />}
        {side !== null && <span className={classes.side} data-side={side} />}
        {mark.rating > 0 && (
          <span className={classes.rating} aria-hidden="true">
            {'★'.repeat(mark.rating)}
          </span>
        )}
        {mark.star && <IconStarFilled className={classes.starred} size={20} aria-hidden="true" />}
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
          {tags.length > 0 && (
            <span className={classes.tags}>
              {tags.map((tag) => (
                <span key={tag}>{tag} </span>
              ))}
            </span>
          )}
        </span>
        <span id={`${task.task_id}-marks`} className="visually-hidden">
          {[
            mark.star ? texts.starred : null,
            mark.rejected ? texts.rejected : null,
            mark.rating > 0 ? historyTexts.wall.ratedAs(mark.rating) : null,
            side === null ? null : texts.inComparison(side),
          ]
            .filter((word) => word !== null)
            .join(', ')}
        </span>
        {hasResult(task) && (
          <span className={classes.buttons}>
            <CellButton label={texts.star} pressed={mark.star} onClick={actions.star}>
              {mark.star ? <IconStarFilled size={16} /> : <IconStar size={16} />}
            </CellButton>
            <CellButton label={texts.reject} pressed={mark.rejected} onClick={actions.reject}>
              <IconX size={16} />
            </CellButton>
            <Popover opened={isTagging} onChange={actions.tag} width={240} trapFocus withinPortal returnFocus>
              <Popover.Target>
                <CellButton label={texts.tag} pressed={tags.length > 0} onClick={() => actions.tag(!isTagging)}>
                  <IconTag size={16} />
                </CellButton>
              </Popover.Target>
              <Popover.Dropdown onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}>
                <TagsInput
                  label={texts.tag}
                  aria-label={texts.tagField(name)}
                  placeholder={texts.tagPlaceholder}
                  value={[...tags]}
                  onChange={actions.setTags}
                  classNames={{ inputField: fields.inner ?? '' }}
                  acceptValueOnBlur
                  maxTags={MOST_TAGS}
                  maxLength={LONGEST_TAG}
                  data-autofocus
                />
              </Popover.Dropdown>
            </Popover>
            <CellButton label={texts.compare} pressed={side !== null} onClick={actions.compare}>
              <IconColumns2 size={16} />
            </CellButton>
            <CellButton label={texts.more} onClick={actions.more}>
              <IconSparkles size={16} />
            </CellButton>
          </span>
        )}
      </div>
    </>
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

function State({ task }: { readonly task: Task }) {
  const icon =
    task.status === 'failed' ? (
      <IconAlertTriangle size={24} stroke={1.4} color="var(--mantine-color-error)" aria-hidden="true" />
    ) : task.status === 'canceled' ? (
      <IconBan size={24} stroke={1.4} aria-hidden="true" />
    ) : task.status === 'succeeded' ? (
      <IconPhotoOff size={24} stroke={1.4} aria-hidden="true" />
    ) : (
      <Loader type="dots" size={28} aria-hidden="true" />
    );
  return (
    <span className={classes.state}>
      {icon}
      {stateOf(task)}
      {task.error !== null && <span className={classes.reason}>{task.error.message}</span>}
    </span>
  );
}

function stateOf(task: Task): string {
  return task.status === 'succeeded' ? texts.erased : historyTexts.status[task.status];
}
