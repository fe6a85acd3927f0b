import { Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { deleteTask } from '../../api/delete-task.ts';
import { isFinal } from '../../api/task-cache.ts';
import type { Task } from '../../api/types.ts';
import { formatCount } from '../../format.ts';
import { selectionTexts as texts } from '../../texts/selection.ts';
import { ConfirmModal } from '../confirm-modal.tsx';
import { ErrorNote } from '../error-note.tsx';
import { BarButton } from './bar-button.tsx';
import { useEach } from './use-each.ts';

/** Deletes the selected orders that have ended, after a question. */
export function DeleteSelection({
  tasks,
  onDeleted,
}: {
  readonly tasks: readonly Task[];
  readonly onDeleted: (taskId: string) => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const ended = tasks.filter(isFinal);
  const { run, isRunning, error, done, all } = useEach(async (taskId: string) => {
    await deleteTask(taskId);
    onDeleted(taskId);
  });
  const unfinished = tasks.length - ended.length;
  return (
    <>
      <BarButton
        label={texts.remove}
        icon={<IconTrash size={16} color="var(--mantine-color-error)" aria-hidden="true" />}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      />
      <ConfirmModal
        opened={isAsking}
        texts={{
          title: texts.removeTitle(formatCount(isRunning ? all : ended.length)),
          close: texts.close,
          keep: texts.keep,
          confirm: texts.removeConfirm,
        }}
        isBusy={isRunning}
        isDisabled={ended.length === 0}
        onClose={() => setAsking(false)}
        onConfirm={() => run({ taskIds: ended.map(({ task_id: id }) => id), what: undefined })}
      >
        <Text size="sm">{texts.removeText}</Text>
        {unfinished > 0 && <Text size="sm">{texts.removeUnfinished(unfinished)}</Text>}
        <Text size="sm" role="status">
          {isRunning && texts.removing(done, all)}
        </Text>
        {error !== null && <ErrorNote title={texts.removeFailed(done, all)} error={error} />}
      </ConfirmModal>
    </>
  );
}
