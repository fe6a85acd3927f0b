import type { TaskView as Task } from '@darkroom-service/contract';
import { IconRefresh } from '@tabler/icons-react';
import { messageOf } from '../../api/api-error.ts';
import { usePricedAgain } from '../../api/order-again.ts';
import { PlainButton } from '../../components/buttons.ts';
import { formatMoney } from '../../components/money.tsx';
import { Fault } from '../../components/words.ts';
import { useOrdering } from './order/use-ordering.ts';
import classes from './stage.module.css';

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
          // Until the price is known, that of the first time keeps its place.
          <span className={classes.offerPrice} data-unknown={price === undefined || undefined}>
            {formatMoney(price ?? task.cost.amount)}
          </span>
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
