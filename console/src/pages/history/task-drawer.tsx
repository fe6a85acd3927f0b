import { Drawer, Skeleton, Stack } from '@mantine/core';
import { useRef } from 'react';
import { useTask } from '../../api/follow-task.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { historyTexts } from '../../texts/history.ts';
import { TaskDetail } from './task-detail.tsx';

/** A drawer with the details of one task beside the list. */
export function TaskDrawer({ taskId, onClose }: { readonly taskId: string | null; readonly onClose: () => void }) {
  // The content stays while the drawer closes.
  const last = useRef(taskId);
  if (taskId !== null) last.current = taskId;
  return (
    <Drawer
      opened={taskId !== null}
      onClose={onClose}
      position="right"
      size="min(620px, 100vw)"
      padding="lg"
      title={last.current === null ? '' : historyTexts.kinds[last.current.startsWith('vid_') ? 'video' : 'image']}
      closeButtonProps={{ 'aria-label': historyTexts.detail.close }}
      overlayProps={{ backgroundOpacity: 0.5 }}
    >
      {last.current !== null && <LoadedTask key={last.current} taskId={last.current} onGone={onClose} />}
    </Drawer>
  );
}

function LoadedTask({ taskId, onGone }: { readonly taskId: string; readonly onGone: () => void }) {
  const { data: task, error, refetch } = useTask(taskId);
  if (task !== undefined) return <TaskDetail task={task} onGone={onGone} />;
  if (error !== null)
    return <ErrorNote title={historyTexts.detail.missing} error={error} onRetry={() => void refetch()} />;
  return (
    <Stack aria-hidden="true">
      <Skeleton h={420} />
      <Skeleton h={90} />
      <Skeleton h={140} />
    </Stack>
  );
}
