import { Text } from '@mantine/core';
import { Link } from 'wouter';
import { CopyAction } from '../../components/copy-action.tsx';
import { operationsTexts } from '../../texts/operations.ts';
import classes from './operations.module.css';

const texts = operationsTexts.orders;

/** Returns the operators' page of an order. */
export function orderAddress(taskId: string): string {
  return `/operations/orders/${taskId}`;
}

/** Whose order it is, by names; its id by copy. */
export function OrderName({
  order: { task_id: id, account_name: account, key_name: key, model_id: model },
}: {
  readonly order: Readonly<Record<'task_id' | 'account_name' | 'key_name' | 'model_id', string>>;
}) {
  return (
    <div className={classes.named}>
      <div>
        <Link href={orderAddress(id)} aria-label={texts.nameOf(account, model, id)}>
          {account}
        </Link>
        <Text size="xs" c="dimmed">
          {key}, {model}
        </Text>
      </div>
      <CopyAction value={id} label={texts.copy(id)} />
    </div>
  );
}
