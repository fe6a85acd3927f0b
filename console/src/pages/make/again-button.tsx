import type { TaskView as Task } from '@darkroom-service/contract/task';
import { IconRefresh } from '@tabler/icons-react';
import { messageOf } from '../../api/api-error.ts';
import { useOrderAgain } from '../../api/order-again.ts';
import { useApi } from '../../api/use-api.ts';
import { PlainButton } from '../../components/buttons.ts';
import { formatMoney } from '../../components/money.tsx';
import { Fault } from '../../components/words.ts';
import type { Ordering } from './order/use-ordering.ts';
import classes from './stage.module.css';

/** Orders a task again, at the price on the button. */
export function AgainButton({
  task,
  ordering,
  label,
  anotherSeed = false,
}: {
  readonly task: Task;
  readonly ordering: Ordering;
  readonly label: string;
  readonly anotherSeed?: boolean;
}) {
  const order = useOrderAgain(task, { anotherSeed });
  const request = { body: order?.body as never };
  const { data: quote, error } = useApi('POST /v1/prices', request, { enabled: order !== null, staleTime: 60_000 });
  return (
    <>
      <PlainButton
        leftSection={<IconRefresh size={17} />}
        rightSection={
          // Until the price is known, that of the first time keeps its place.
          <span className={classes.offerPrice} data-unknown={quote === undefined || undefined}>
            {formatMoney(quote?.amount ?? task.cost.amount)}
          </span>
        }
        loading={ordering.isPending}
        disabled={quote === undefined || ordering.unconfirmed !== null}
        onClick={() => order !== null && quote !== undefined && ordering.place(order.kind, order.body, quote.amount)}
      >
        {label}
      </PlainButton>
      {error !== null && <Fault>{messageOf(error)}</Fault>}
    </>
  );
}
