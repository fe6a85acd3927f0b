import { Button, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { messageOf } from '../../api/api-error.ts';
import { orderAgain } from '../../api/order-again.ts';
import type { Task } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { formatMoney } from '../../components/money.tsx';
import classes from './stage.module.css';
import type { Ordering } from './use-ordering.ts';

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
  const { kind, body } = orderAgain(task, { anotherSeed });
  const { data: quote, error } = useApi('POST /v1/prices', { body: body as never }, { staleTime: 60_000 });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRefresh size={17} />}
        rightSection={
          // Until the price is known, that of the first time keeps its place.
          <span className={classes.offerPrice} data-unknown={quote === undefined || undefined}>
            {formatMoney(quote?.amount ?? task.cost.amount)}
          </span>
        }
        loading={ordering.isPending}
        disabled={quote === undefined || ordering.unconfirmed !== null}
        onClick={() => quote !== undefined && ordering.place(kind, body, quote.amount)}
      >
        {label}
      </Button>
      {error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {messageOf(error)}
        </Text>
      )}
    </>
  );
}
