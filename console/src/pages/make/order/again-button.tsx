import type { TaskView as Task } from '@darkroom-service/contract';
import { Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { messageOf } from '../../../api/api-error.ts';
import { usePricedAgain } from '../../../api/order-again.ts';
import { PlainButton } from '../../../components/buttons.ts';
import { Fault } from '../../../components/words.tsx';
import { formatMoney } from '../../../format.ts';
import { useOrdering } from './use-ordering.ts';

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
  const ordering = useOrdering();
  const { order, price, error } = usePricedAgain(task, { anotherSeed });
  return (
    <>
      <PlainButton
        leftSection={<IconRefresh size={17} />}
        rightSection={
          // Until the price is known, the original price reserves its space.
          <Text
            span
            fz="xs"
            opacity={0.78}
            className="figures"
            style={price === undefined ? { visibility: 'hidden' } : {}}
          >
            {formatMoney(price ?? task.cost.amount)}
          </Text>
        }
        loading={ordering.isPending}
        disabled={price === undefined || ordering.unconfirmed !== null}
        onClick={() => order !== null && price !== undefined && ordering.place(order.kind, order.body, price)}
      >
        {label}
      </PlainButton>
      {error !== null && <Fault>{messageOf(error)}</Fault>}
    </>
  );
}
