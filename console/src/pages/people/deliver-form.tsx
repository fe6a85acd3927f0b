import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { developerTexts } from '../../texts/developers.ts';

const texts = developerTexts.delivery;

/** Delivers the outputs of an order again, to a destination of the account. */
export function DeliverForm({
  destination,
  onClose,
  onDelivered,
}: {
  readonly destination: string;
  readonly onClose: () => void;
  readonly onDelivered: () => void;
}) {
  const [taskId, setTaskId] = useState('');
  const deliver = useMutation({
    mutationFn: () =>
      perform(
        taskId.startsWith('vid_') ? 'POST /v1/videos/{task_id}/deliveries' : 'POST /v1/images/{task_id}/deliveries',
        { path: { task_id: taskId }, body: { deliver_to: { destination } } },
        texts.title(taskId, destination),
      ),
    onSuccess: onDelivered,
  });
  return (
    <DialogForm
      deed={deliver}
      texts={texts}
      isReady={taskId !== ''}
      onSubmit={() => deliver.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={texts.order}
        placeholder="img_…"
        maxLength={64}
        value={taskId}
        onChange={({ currentTarget }) => setTaskId(currentTarget.value.trim())}
        data-autofocus
      />
    </DialogForm>
  );
}
