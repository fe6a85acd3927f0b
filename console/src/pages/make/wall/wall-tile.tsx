import type { TaskView as Task } from '@darkroom-service/contract';
import { VisuallyHidden } from '@mantine/core';
import { useLongPress } from '@mantine/hooks';
import {
  IconArrowsMaximize,
  IconPlayerPlayFilled,
  IconStar,
  IconStarFilled,
  IconTrash,
  IconVolume,
  IconX,
} from '@tabler/icons-react';
import { type MouseEvent, memo, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useFreshTask } from '../../../api/follow-task.ts';
import { markOf } from '../../../api/marks.ts';
import { nearUrl } from '../../../api/service-url.ts';
import { markByKey } from '../../../api/tagging.ts';
import { isFinal } from '../../../api/task-cache.ts';
import { dragTask, NOT_DRAGGABLE } from '../../../components/dragged.ts';
import { SelectBox } from '../../../components/selection/select-box.tsx';
import type { Selection } from '../../../components/selection/use-selection.ts';
import { hasResult, promptOf } from '../../../components/task-facts.ts';
import { TaskState } from '../../../components/task-state.tsx';
import { formatAge, formatAgo, formatMoney } from '../../../format.ts';
import { historyTexts } from '../../../texts/history.ts';
import { inWords } from '../../../texts/in-words.ts';
import { deleteOrders } from './delete-orders.ts';
import { OffersMenu, Tool } from './offers-menu.tsx';
import classes from './wall.module.css';

/** Limits of width divided by height. Wider or higher pictures get empty space beside them. */
const [NARROWEST, WIDEST] = [0.4, 3];
/** Longest side of a thumbnail, in pixels. */
const THUMBNAIL = 512;
/** Minimum height of a tile that shows its state in words, in pixels. */
const WORDED = 130;
const LONG_PRESS_MS = 450;
/** Smallest tile that offers orders on itself, in pixels; smaller ones offer them in a menu. */
const OFFERING = { width: 150, height: 150 };

/** Returns the buttons of what a result offers. @param name the name of the result */
export type OffersOf = (task: Task, name: string) => ReactNode;

const shapes = new WeakMap<Task, number>();

/** Returns width divided by height of a task's picture, or of the order. */
export function shapeOf(task: Task): number {
  const known = shapes.get(task) ?? readShape(task);
  shapes.set(task, known);
  return known;
}

function readShape(task: Task): number {
  const output = task.outputs[0];
  const [, across, up] = /^(\d+):(\d+)$/.exec(String(task.input.aspect_ratio ?? '')) ?? [];
  const shape =
    output?.width != null && output.height != null ? output.width / output.height : Number(across) / Number(up);
  return Number.isFinite(shape) ? Math.min(WIDEST, Math.max(NARROWEST, shape)) : 1;
}

/** A task's picture or state in its own shape, with its properties and actions on hover or after a long press. */
export const WallTile = memo(function WallTile({
  task: listed,
  height,
  isSelected,
  isSelecting,
  inTabOrder,
  onToggle,
  onFocus,
  onFull,
  offersOf,
}: {
  readonly task: Task;
  /** Height in pixels. */
  readonly height: number;
  readonly isSelected: boolean;
  /** Whether any task is selected. */
  readonly isSelecting: boolean;
  readonly inTabOrder: boolean;
  readonly onToggle: Selection['toggle'];
  readonly onFocus: (taskId: string) => void;
  readonly onFull: (taskId: string) => void;
  /** Returns the buttons of what a result offers; the same function at each call. */
  readonly offersOf: OffersOf;
}) {
  const task = useFreshTask(listed);
  const [isPointedAt, setPointedAt] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const press = useLongPress(() => setHeld(true), { threshold: LONG_PRESS_MS, events: ['touch'] });
  // Events bring tasks without their tags.
  const { star, rejected } = markOf(listed.tags ?? []);
  const name = promptOf(task) === '' ? historyTexts.noPrompt : promptOf(task);
  const width = Math.round(height * shapeOf(listed));
  const hasTools = isPointedAt || isHeld || isMenuOpen;
  const isSmall = width < OFFERING.width || height < OFFERING.height;
  const onClick = (event: MouseEvent) => {
    if (isHeld) event.preventDefault();
    // With these keys the browser opens a window or a tab.
    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) return;
    if (event.shiftKey && !isSelecting) return;
    onToggle(task.task_id, event.shiftKey);
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only shows what the keys do too
    <div
      className={classes.tile}
      style={{ width }}
      data-selected={isSelected || undefined}
      data-rejected={rejected || undefined}
      data-held={isHeld || undefined}
      onMouseEnter={() => setPointedAt(true)}
      onMouseLeave={() => {
        setPointedAt(false);
        setHeld(false);
      }}
      {...press}
    >
      <Link
        href={`/history/${task.task_id}`}
        className={classes.face ?? ''}
        data-tile={task.task_id}
        tabIndex={inTabOrder ? 0 : -1}
        aria-keyshortcuts="s x v c Space"
        onClick={onClick}
        onFocus={() => onFocus(task.task_id)}
        {...(hasResult(task) ? dragTask(task.task_id) : NOT_DRAGGABLE)}
      >
        <VisuallyHidden>
          {inWords(task.type)}, {hasResult(task) && inWords(task.status)}
        </VisuallyHidden>
        {hasResult(task) ? (
          <Picture task={task} height={height} isPlaying={isPointedAt} />
        ) : (
          <TaskState task={task} isWorded={height >= WORDED} />
        )}
        <span className={classes.caption}>
          <span className="truncate" dir="auto">
            {name}
          </span>
          <span className="truncate figures">
            {formatAgo(task.created_at)} · {task.model_id}
            {task.cost.state === 'charged' && ` · ${formatMoney(task.cost.amount)}`}
          </span>
        </span>
        {star && (
          <span className={classes.marks}>
            <IconStarFilled size={15} role="img" aria-label={historyTexts.favourite} />
          </span>
        )}
        {rejected && <VisuallyHidden>, {historyTexts.isRejected}</VisuallyHidden>}
      </Link>
      <SelectBox
        taskId={task.task_id}
        name={name}
        isSelected={isSelected}
        onToggle={onToggle}
        isShown={isSelecting}
        inTabOrder={inTabOrder}
      />
      {hasTools && hasResult(task) && !isSmall && <span className={classes.offers}>{offersOf(task, name)}</span>}
      {hasTools && (
        <span className={classes.tools}>
          {isSmall && hasResult(task) && (
            <OffersMenu name={name} isOpen={isMenuOpen} onChange={setMenuOpen}>
              {offersOf(task, name)}
            </OffersMenu>
          )}
          <Tool label="Star (s key)" onClick={() => markByKey('s', listed)}>
            {star ? <IconStarFilled size={16} /> : <IconStar size={16} />}
          </Tool>
          <Tool label={historyTexts.reject} onClick={() => markByKey('x', listed)}>
            <IconX size={16} />
          </Tool>
          {hasResult(task) && (
            <Tool label="Full screen (space bar)" onClick={() => onFull(task.task_id)}>
              <IconArrowsMaximize size={16} />
            </Tool>
          )}
          {isFinal(task) && (
            <Tool label="Delete this order" onClick={() => void deleteOrders([task.task_id])}>
              <IconTrash size={16} />
            </Tool>
          )}
        </span>
      )}
    </div>
  );
});

function Picture({
  task,
  height,
  isPlaying,
}: {
  readonly task: Task;
  readonly height: number;
  readonly isPlaying: boolean;
}) {
  const [output] = task.outputs;
  if (output === undefined) return null;
  const longest = Math.max(height, height * shapeOf(task)) * Math.min(2, window.devicePixelRatio);
  const isLarge = task.type === 'image' && longest > THUMBNAIL * 1.4;
  const source = isLarge ? output.url : output.thumbnail_url;
  const duration = output.duration_seconds;
  return (
    <>
      {source !== null && (
        <img className={classes.picture} src={nearUrl(source)} alt="" loading="lazy" decoding="async" />
      )}
      {task.type === 'video' && isPlaying && !prefersStillness() && (
        <video className={classes.picture} src={nearUrl(output.url)} autoPlay muted loop playsInline />
      )}
      {duration !== null && (
        <span className={`${classes.length} figures`}>
          <IconPlayerPlayFilled size={10} aria-hidden="true" /> {formatAge(duration)}
          {output.has_audio === true && <IconVolume size={12} role="img" aria-label={historyTexts.withSound} />}
        </span>
      )}
    </>
  );
}

function prefersStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
