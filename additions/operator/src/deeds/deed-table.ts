import type { OrderDeedName } from '@darkroom-service/contract';
import type { Act, Kernel, TaskRow, Transaction } from '@darkroom-service/darkroom/kernel';
import { cancelForCustomerWithin } from './cancel-for-customer.ts';
import { giveUpWithin, isAtUpstream } from './give-up-task.ts';
import { refusalToAsk, requestPollWithin } from './request-poll.ts';

/** Columns of an open order that decide which deeds would change it. */
export const DEED_COLUMNS = [
  'id',
  'status',
  'step',
  'worker',
  'queue',
  'route_json',
  'created_at',
  'cancel_requested_at',
] as const;
type Row = Pick<TaskRow, (typeof DEED_COLUMNS)[number]>;

interface BulkAction {
  /** Whether it would change an order that is open. */
  readonly applies: (kernel: Pick<Kernel, 'checks'>, task: Row) => boolean;
  /** Carries it out within a unit. @throws ServiceError if it does not apply any more */
  readonly within: (kernel: Kernel, trx: Transaction, by: Act, taskId: string) => Promise<void>;
}

/** Actions of operators on orders that are not final. */
export const BULK_ACTIONS: Readonly<Record<OrderDeedName, BulkAction>> = {
  ask: { applies: (_kernel, task) => refusalToAsk(task) === null, within: requestPollWithin },
  cancel: { applies: ({ checks }, task) => checks.mayCancel(task), within: cancelForCustomerWithin },
  give_up: { applies: (_kernel, task) => isAtUpstream(task), within: giveUpWithin },
};
