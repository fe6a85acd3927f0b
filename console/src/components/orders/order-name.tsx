import { Text } from '@mantine/core';
import { Link } from 'wouter';
import { CopyAction } from '../copy-action.tsx';
import classes from '../records.module.css';

/** Returns the operators' page of an order. */
export function orderAddress(taskId: string): string {
  return `/orders/${taskId}`;
}

/** The owner of an order, by names and the customer's id; its own id can be copied. */
export function OrderName({
  order: { task_id: id, account_name: account, key_name: key, model_id: model, end_user: customer = null },
}: {
  readonly order: Readonly<Record<'task_id' | 'account_name' | 'key_name' | 'model_id', string>> & {
    readonly end_user?: string | null;
  };
}) {
  return (
    <div className={classes.named}>
      <div>
        <Link href={orderAddress(id)} aria-label={`${account}, ${model}, ${id}`}>
          {account}
        </Link>
        <Text size="xs" c="dimmed">
          {key}, {model}
        </Text>
        {customer !== null && <Text size="xs">{`for ${customer}`}</Text>}
      </div>
      <CopyAction value={id} label={`Copy ${id}`} />
    </div>
  );
}

/** Returns the engine that has an order, or will get it. */
export function engineOf({ route }: { readonly route: object }): string {
  return (route as { readonly engine?: string }).engine ?? '';
}
