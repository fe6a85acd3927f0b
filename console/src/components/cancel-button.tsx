import type { TaskView as Task } from '@darkroom-service/contract';
import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { faultText } from '../api/api-error.ts';
import { cancelTask } from '../api/orders.ts';
import { Fault } from './words.tsx';

/** Cancels an order while that is possible, and keeps showing an error. Stays focusable after the request. */
export function CancelButton({
  task,
  secret,
  word = 'Cancel the order',
  name,
  ...props
}: Pick<ButtonProps, 'size' | 'variant' | 'color' | 'leftSection' | 'flex'> & {
  readonly task: Task;
  /** The key that placed the order, if it may differ from the key in use. */
  readonly secret?: string;
  readonly word?: string;
  /** Accessible name that distinguishes the button from the ones of other orders. */
  readonly name?: string;
}) {
  const cancel = useMutation({ mutationFn: () => cancelTask(task.task_id, secret) });
  const isAskedFor = cancel.isPending || cancel.isSuccess || task.cancel_requested_at !== null;
  return (
    <>
      {task.can_cancel && (
        <Button
          {...props}
          aria-label={isAskedFor ? undefined : name}
          data-disabled={isAskedFor}
          aria-disabled={isAskedFor}
          onClick={() => !isAskedFor && cancel.mutate()}
        >
          {isAskedFor ? 'Canceling …' : word}
        </Button>
      )}
      {cancel.error !== null && <Fault size="xs">{faultText('The order was not canceled', cancel.error)}</Fault>}
    </>
  );
}
