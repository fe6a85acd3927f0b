import type { TaskView as Task } from '@darkroom-service/contract';
import { Loader, RingProgress, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconPhotoOff } from '@tabler/icons-react';
import { inReadersForm } from '../format.ts';
import { inWords } from '../texts/in-words.ts';
import { delayFact } from './task-facts.ts';
import classes from './task-state.module.css';

const ICON = { size: 24, stroke: 1.4, 'aria-hidden': true } as const;

/** The state of a task without a picture, with its error or why it waits. Shown instead of the picture. */
export function TaskState({
  task,
  isWorded,
}: {
  readonly task: Task;
  /** Whether there is room for text; screen readers read it anyway. */
  readonly isWorded: boolean;
}) {
  const word = task.status === 'succeeded' ? 'Files erased' : inWords(task.status);
  const reason = task.error === null ? delayFact(task) : inReadersForm(task.error.message);
  return (
    <span className={classes.state} data-small={!isWorded || undefined}>
      <StateIcon task={task} />
      {isWorded ? word : <VisuallyHidden>{word}</VisuallyHidden>}
      {isWorded && reason !== null && <span className={classes.reason}>{reason}</span>}
    </span>
  );
}

function StateIcon({ task: { status, progress } }: { readonly task: Task }) {
  if (status === 'failed') return <IconAlertTriangle {...ICON} color="var(--mantine-color-error)" />;
  if (status === 'canceled') return <IconBan {...ICON} />;
  if (status === 'succeeded') return <IconPhotoOff {...ICON} />;
  if (status === 'queued') return <Loader type="dots" size={28} aria-hidden="true" />;
  return (
    <RingProgress
      size={42}
      thickness={4}
      roundCaps
      aria-hidden="true"
      sections={[{ value: progress, color: 'var(--accent)' }]}
    />
  );
}
