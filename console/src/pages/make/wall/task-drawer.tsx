import { Drawer, Group, Skeleton, Stack } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTask } from '../../../api/follow-task.ts';
import { typeOfTask } from '../../../api/task-cache.ts';
import { ErrorNote } from '../../../components/error-note.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { isForAnother, isForTagField, isUsedThere } from '../../../components/tags/tag-bar.tsx';
import { inWords } from '../../../texts/in-words.ts';
import { TaskDetail } from './task-detail.tsx';

/** The previous and the next order in the list; null where there is none. */
export interface Neighbours {
  readonly newer: string | null;
  readonly older: string | null;
}

/** A drawer with the details of one task beside the list. */
export function TaskDrawer({
  taskId,
  neighbours: { newer, older },
  onOpen,
  onClose,
}: {
  readonly taskId: string | null;
  readonly neighbours: Neighbours;
  readonly onOpen: (taskId: string) => void;
  readonly onClose: () => void;
}) {
  // The content stays while the drawer closes.
  const last = useRef(taskId);
  if (taskId !== null) last.current = taskId;
  const inside = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (taskId === null || isForAnother(event, inside.current)) return;
    if (event.key === 'Escape') return isForTagField(event) ? undefined : onClose();
    const next = event.key === 'ArrowLeft' ? newer : event.key === 'ArrowRight' ? older : null;
    if (next === null || isUsedThere(event)) return;
    event.preventDefault();
    onOpen(next);
  };
  // The focused button may disappear with its order, so keys are handled wherever the focus is.
  useWindowEvent('keydown', onKeyDown, { capture: true });
  const kind = last.current === null ? '' : inWords(typeOfTask(last.current));
  return (
    <Drawer
      opened={taskId !== null}
      onClose={onClose}
      closeOnEscape={false}
      position="right"
      size="min(620px, 100vw)"
      padding="lg"
      title={kind}
      overlayProps={{ backgroundOpacity: 0.5 }}
    >
      <Group mb={12} ref={inside} gap={6} role="group" aria-label="Other orders of the list">
        {(
          [
            ['Newer order (left arrow key)', newer, IconChevronLeft],
            ['Older order (right arrow key)', older, IconChevronRight],
          ] as const
        ).map(([label, to, Arrow]) => (
          // Stays focusable at the end of the list, so that the keys continue to work.
          <IconButton
            key={label}
            label={label}
            variant="default"
            aria-disabled={to === null}
            {...(to === null ? { 'data-disabled': true } : {})}
            onClick={() => to !== null && onOpen(to)}
          >
            <Arrow size={18} />
          </IconButton>
        ))}
      </Group>
      {last.current !== null && <LoadedTask key={last.current} taskId={last.current} onGone={onClose} />}
    </Drawer>
  );
}

function LoadedTask({ taskId, onGone }: { readonly taskId: string; readonly onGone: () => void }) {
  const { data: task, error, refetch } = useTask(taskId);
  if (task !== undefined) return <TaskDetail task={task} onGone={onGone} />;
  if (error !== null) return <ErrorNote title="Order not found" error={error} onRetry={() => void refetch()} />;
  return (
    <Stack aria-hidden="true">
      <Skeleton h={420} />
      <Skeleton h={90} />
      <Skeleton h={140} />
    </Stack>
  );
}
