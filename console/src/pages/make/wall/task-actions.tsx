import type { TaskView as Task } from '@darkroom-service/contract';
import { Button, Group, Stack } from '@mantine/core';
import { IconDownload, IconPhotoSpark, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { downloadUrl } from '../../../api/service-url.ts';
import { isFinal } from '../../../api/task-cache.ts';
import { PlainButton } from '../../../components/buttons.ts';
import { CancelButton } from '../../../components/cancel-button.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { ShareButton } from '../../../components/share-dialog.tsx';
import { AgainButton } from '../order/again-button.tsx';
import { OrderFault } from '../order/order-fault.tsx';
import { useOrdering } from '../order/use-ordering.ts';
import { deleteOrders } from './delete-orders.ts';

/** The buttons for a task in its current state. */
export function TaskActions({ task, onGone }: { readonly task: Task; readonly onGone: () => void }) {
  const [output] = task.outputs;
  const { unconfirmed, refusal, asked } = useOrdering();
  const [earlier] = useState(refusal);
  return (
    <Stack gap="sm">
      <Group gap={6}>
        {output !== undefined && (
          <Button
            component="a"
            href={downloadUrl(output.url)}
            leftSection={<IconDownload size={16} aria-hidden="true" />}
          >
            Download
          </Button>
        )}
        {output !== undefined && <ShareButton task={task} />}
        <PlainButton
          component={Link}
          href={`/t/${task.task_id}`}
          leftSection={<IconPhotoSpark size={16} aria-hidden="true" />}
        >
          Large, with next steps
        </PlainButton>
        <CancelButton task={task} variant="default" leftSection={<IconPlayerStop size={16} aria-hidden="true" />} />
        <AgainButton task={task} label="Order again" />
        {isFinal(task) && <DeleteButton taskId={task.task_id} onGone={onGone} />}
      </Group>
      {(unconfirmed !== null || asked !== null || refusal !== earlier) && <OrderFault />}
    </Stack>
  );
}

function DeleteButton({ taskId, onGone }: { readonly taskId: string; readonly onGone: () => void }) {
  const remove = useMutation({ mutationFn: () => deleteOrders([taskId]), onSuccess: onGone });
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        Delete
      </Button>
      <ErrorNote title="The order was not deleted" error={remove.error} />
    </>
  );
}
