import { Loader, RingProgress, VisuallyHidden } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconPhotoOff,
  IconPlayerPlayFilled,
  IconStarFilled,
  IconVolume,
} from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import { Link } from 'wouter';
import { useFreshTask } from '../../api/follow-task.ts';
import { FAVOURITE } from '../../api/marks.ts';
import { nearUrl } from '../../api/service-url.ts';
import type { Task } from '../../api/types.ts';
import { dragTask, NOT_DRAGGABLE } from '../../components/dragged.ts';
import { formatMoney } from '../../components/money.tsx';
import { SelectBox } from '../../components/selection/select-box.tsx';
import type { Selection } from '../../components/selection/use-selection.ts';
import { formatAgo } from '../../format.ts';
import { historyTexts } from '../../texts/history.ts';
import classes from './history.module.css';

/** A task's thumbnail or status, and the box that selects it. Videos play under the pointer. */
export function TaskTile({ task: listed, selection }: { readonly task: Task; readonly selection: Selection }) {
  const task = useFreshTask(listed);
  const prompt = promptOf(task);
  const [isActive, setActive] = useState(false);
  // Events bring tasks without their tags.
  const isFavourite = listed.tags?.includes(FAVOURITE) === true;
  const isSelecting = selection.ids.length > 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'x' || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    selection.toggle(task.task_id, event.shiftKey);
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    // Otherwise the browser opens a window.
    if (!event.shiftKey || !isSelecting) return;
    selection.toggle(task.task_id, true);
    event.preventDefault();
  };
  return (
    <div className={classes.place} data-selected={selection.has(task.task_id) || undefined}>
      <Link
        href={`/history/${task.task_id}`}
        className={classes.tile ?? ''}
        aria-keyshortcuts="x"
        onKeyDown={onKeyDown}
        onClick={onClick}
        {...(isShown(task) ? dragTask(task.task_id) : NOT_DRAGGABLE)}
        onMouseEnter={() => setActive(true)}
        onMouseLeave={() => setActive(false)}
        onFocus={() => setActive(true)}
        onBlur={() => setActive(false)}
      >
        <VisuallyHidden>
          {historyTexts.kinds[task.type]}, {isShown(task) && historyTexts.status[task.status]}
        </VisuallyHidden>
        <span className={classes.face}>
          <TileFace task={task} isActive={isActive} />
          {isFavourite && (
            <IconStarFilled className={classes.star} size={18} role="img" aria-label={historyTexts.tags.favourite} />
          )}
        </span>
        <span className={classes.caption}>
          <span className={`${classes.prompt} truncate`} dir="auto">
            {prompt === '' ? historyTexts.noPrompt : prompt}
          </span>
          <span className={`${classes.facts} truncate figures`}>
            {formatAgo(task.created_at)} · {task.model_id}
            {task.cost.state === 'charged' && ` · ${formatMoney(task.cost.amount)}`}
          </span>
        </span>
      </Link>
      <SelectBox
        taskId={task.task_id}
        name={prompt === '' ? historyTexts.noPrompt : prompt}
        selection={selection}
        isShown={isSelecting}
      />
    </div>
  );
}

export function promptOf({ input }: Pick<Task, 'input'>): string {
  return typeof input.prompt === 'string' ? input.prompt : '';
}

/** Tells whether there is a thumbnail; otherwise the tile shows the status. */
function isShown({ status, outputs }: Task): boolean {
  return status === 'succeeded' && outputs.length > 0;
}

function TileFace({ task, isActive }: { readonly task: Task; readonly isActive: boolean }) {
  const [output] = task.outputs;
  if (task.status === 'succeeded' && output !== undefined) {
    const duration = output.duration_seconds;
    return (
      <>
        {output.thumbnail_url !== null && (
          <img className={classes.picture} src={nearUrl(output.thumbnail_url)} alt="" loading="lazy" decoding="async" />
        )}
        {task.type === 'video' && isActive && !prefersStillness() && (
          <video className={classes.picture} src={nearUrl(output.url)} autoPlay muted loop playsInline />
        )}
        {duration !== null && (
          <span className={`${classes.length} figures`}>
            <IconPlayerPlayFilled size={10} aria-hidden="true" /> {Math.round(duration)} s
            {output.has_audio === true && (
              <IconVolume size={12} role="img" aria-label={historyTexts.detail.withSound} />
            )}
          </span>
        )}
      </>
    );
  }
  return <span className={classes.state}>{stateOf(task)}</span>;
}

function stateOf(task: Task) {
  const word = historyTexts.status[task.status];
  switch (task.status) {
    case 'failed':
      return (
        <>
          <IconAlertTriangle size={26} stroke={1.4} color="var(--mantine-color-error)" aria-hidden="true" />
          {word}
          <span className={classes.reason}>{task.error?.message}</span>
        </>
      );
    case 'canceled':
      return (
        <>
          <IconBan size={26} stroke={1.4} aria-hidden="true" />
          {word}
        </>
      );
    case 'succeeded':
      return (
        <>
          <IconPhotoOff size={26} stroke={1.4} aria-hidden="true" />
          {historyTexts.erased}
        </>
      );
    case 'processing':
      return (
        <>
          <RingProgress
            size={46}
            thickness={4}
            roundCaps
            aria-hidden="true"
            sections={[{ value: task.progress, color: 'var(--accent)' }]}
          />
          {word}
        </>
      );
    default:
      return (
        <>
          <Loader type="dots" size={30} aria-hidden="true" />
          {word}
        </>
      );
  }
}

function prefersStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
