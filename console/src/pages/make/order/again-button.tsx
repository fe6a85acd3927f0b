import type { TaskView as Task } from '@darkroom-service/contract';
import { IconRefresh } from '@tabler/icons-react';
import { messageOf } from '../../../api/api-error.ts';
import { usePricedAgain } from '../../../api/order-again.ts';
import { Fault } from '../../../components/words.tsx';
import { OrderButton } from './order-button.tsx';

/** Orders a task again, at the price on the button. */
export function AgainButton({
  task,
  label,
  anotherSeed = false,
}: {
  readonly task: Task;
  readonly label: string;
  readonly anotherSeed?: boolean;
}) {
  const { order, quote, error } = usePricedAgain(task, { anotherSeed });
  return (
    <>
      <OrderButton
        order={order}
        quote={quote}
        reserved={task.cost.amount}
        leftSection={<IconRefresh size={17} aria-hidden="true" />}
      >
        {label}
      </OrderButton>
      {error !== null && <Fault>{messageOf(error)}</Fault>}
    </>
  );
}
