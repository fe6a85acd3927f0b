import type { TaskView as Task } from '@darkroom-service/contract';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconPhotoSpark, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { type RepeatedOrder, usePricedAgain } from '../../../api/order-again.ts';
import { useUnconfirmedOrder } from '../../../api/order-book.ts';
import { newOrder } from '../../../api/orders.ts';
import { sendOrder } from '../../../api/send-orders.ts';
import { downloadUrl } from '../../../api/service-url.ts';
import { isFinal } from '../../../api/task-cache.ts';
import { refresh } from '../../../api/use-api.ts';
import { PlainButton } from '../../../components/buttons.ts';
import { CancelButton } from '../../../components/cancel-button.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { formatMoney } from '../../../components/money.tsx';
import { ShareButton } from '../../../components/share-dialog.tsx';
import { deleteOrders } from './delete-orders.ts';

/** The width of a button with a price, so that the layout does not move when the price arrives. */
const PRICED_WIDTH = 212;

/** The buttons for a task in its current state. */
export function TaskActions({ task, onGone }: { readonly task: Task; readonly onGone: () => void }) {
  const [output] = task.outputs;
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
        <RepeatButton task={task} />
        {isFinal(task) && <DeleteButton taskId={task.task_id} onGone={onGone} />}
      </Group>
    </Stack>
  );
}

/** Orders the same again as a new task, at the price on the button. */
function RepeatButton({ task }: { readonly task: Task }) {
  const [, navigate] = useLocation();
  const { order, price, error, refetch } = usePricedAgain(task);
  const unconfirmed = useUnconfirmedOrder();
  const repeat = useMutation({
    mutationFn: ({ kind, body, limit }: RepeatedOrder & { readonly limit: string }) =>
      sendOrder(newOrder(kind, { ...body, max_price: limit }), limit),
    onSuccess: (made) => {
      void refresh('GET /v1/account');
      navigate(`/history/${made.task_id}`);
    },
    // It may have been refused because the price has risen.
    onError: () => void refetch(),
  });
  return (
    <>
      <PlainButton
        leftSection={<IconRefresh size={16} aria-hidden="true" />}
        loading={repeat.isPending}
        disabled={price === undefined || unconfirmed !== null}
        miw={PRICED_WIDTH}
        onClick={() => order !== null && price !== undefined && repeat.mutate({ ...order, limit: price })}
      >
        {price === undefined ? 'Order again' : `Order again for ${formatMoney(price)}`}
      </PlainButton>
      {unconfirmed !== null ? (
        <Text size="sm" role="alert">
          It is not known whether your last order arrived.{' '}
          <Anchor component={Link} href="/">
            Check in the form
          </Anchor>
        </Text>
      ) : (
        <ErrorNote title="It was not ordered again" error={repeat.error ?? error} />
      )}
    </>
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
