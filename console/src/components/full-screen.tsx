import type { TaskView as Task } from '@darkroom-service/contract';
import { ActionIcon, Group, Modal, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconStarFilled, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { markOf } from '../api/marks.ts';
import { markByKey } from '../api/tagging.ts';
import { historyTexts } from '../texts/history.ts';
import { fieldLabel } from '../texts/studio-labels.ts';
import classes from './full-screen.module.css';
import { ResultMedia } from './result-media.tsx';
import { factsOf, promptOf } from './task-facts.ts';
import { Small } from './words.tsx';

const TOLD = ['prompt', 'seed', 'model_id', 'num_images'];

/** A result that fills the window. The keys that mark results apply to it, and the arrow keys go to the next one. */
export function FullScreen({
  tasks,
  taskId,
  onMove,
  onClose,
}: {
  /** The results to go through, with their tags. */
  readonly tasks: readonly Task[];
  readonly taskId: string;
  readonly onMove: (taskId: string) => void;
  readonly onClose: () => void;
}) {
  const place = tasks.findIndex(({ task_id: id }) => id === taskId);
  const task = tasks[place];
  const [previous, next] = [tasks[place - 1]?.task_id ?? null, tasks[place + 1]?.task_id ?? null];
  const { star, rejected } = markOf(task?.tags ?? []);
  useWindowEvent('keydown', (event) => {
    if (task === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : null;
    if (to !== null) onMove(to);
    else if (event.key === ' ') onClose();
    else if (event.repeat || !markByKey(event.key.toLowerCase(), task)) return;
    event.preventDefault();
  });
  if (task === undefined) return null;
  const alt = promptOf(task) === '' ? historyTexts.noPrompt : promptOf(task);
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      radius={0}
      transitionProps={{ duration: 0 }}
      title={alt}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '', title: `${classes.title} truncate` }}
    >
      <Step label="Previous result (left arrow key)" to={previous} onMove={onMove} className={classes.previous ?? ''}>
        <IconChevronLeft size={22} />
      </Step>
      <div className={classes.stage} data-large data-rejected={rejected || undefined}>
        <ResultMedia key={task.task_id} task={task} alt={alt} film={{ autoPlay: true }} />
      </div>
      <Step label="Next result (right arrow key)" to={next} onMove={onMove} className={classes.next ?? ''}>
        <IconChevronRight size={22} />
      </Step>
      <Group gap="4px 18px" justify="center" mih={24}>
        <Group component="span" gap={12} c="var(--accent)" fw={600} fz="sm" role="status">
          {star && (
            <span>
              <IconStarFilled size={15} aria-hidden="true" /> {historyTexts.favourite}
            </span>
          )}
          {rejected && (
            <span>
              <IconX size={15} aria-hidden="true" /> {historyTexts.isRejected}
            </span>
          )}
        </Group>
        <Text size="sm" className="figures">
          {[task.model_id, ...factsOf(task)].join(' · ')}
        </Text>
        <Small>
          {settingsOf(task)}
          <Link href={`/t/${taskId}`}>{taskId}</Link>
        </Small>
        <Small>← → next · s star · x reject · space closes · Ctrl+Z undo</Small>
      </Group>
    </Modal>
  );
}

/** Returns the settings that are not shown elsewhere. */
function settingsOf({ input }: Task): string {
  return Object.entries(input)
    .filter(([name, value]) => !TOLD.includes(name) && value !== null && typeof value !== 'object')
    .map(([name, value]) => `${fieldLabel(name)} ${value} · `)
    .join('');
}

function Step({
  label,
  to,
  className,
  onMove,
  children,
}: {
  readonly label: string;
  readonly to: string | null;
  readonly className: string;
  readonly onMove: (taskId: string) => void;
  readonly children: ReactNode;
}) {
  return (
    <ActionIcon
      size={44}
      variant="default"
      className={className}
      aria-label={label}
      disabled={to === null}
      onClick={() => to !== null && onMove(to)}
    >
      {children}
    </ActionIcon>
  );
}
