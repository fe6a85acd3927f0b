import type { BatchView, Fault, JsonObject, Micros } from '@darkroom-service/contract';
import type { RawBuilder } from 'kysely';
import type { OrderingKey } from '../../accounts/api-key.ts';
import type { Transaction } from '../../database/database.ts';
import { assertMaxPrice, retryOnNextDay } from '../../orders/admit-orders.ts';
import { cancelQueued } from '../../orders/cancel-task.ts';
import {
  admitGroup,
  type GroupFields,
  type GroupOrder,
  insertHeld,
  judgeGroupOrder,
  readGroupFields,
} from '../../orders/group-orders.ts';
import type { SentOrder } from '../../orders/judge-order.ts';
import type { TaskRow } from '../../record/task.ts';
import { type Followed, followedBy, notifyEnded } from '../../tasks/follower.ts';
import { openBatchGate } from '../../tasks/open-gates.ts';
import type { AwaitedTasks } from '../../tasks/parent-gate.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { ordersOfGroup } from '../../views/task-range.ts';

/** Orders that were placed together, such as a batch: with one hold, and enqueued a few at a time. */
export interface Groups {
  /**
   * Finds a batch of a key; null if no addition places batches.
   * @throws ServiceError `not_found`
   * @example const batch = await kernel.groups.find(key, 'bat_1');
   */
  find(key: OrderingKey, batchId: string): Promise<BatchView | null>;
  /**
   * Selects the ids of the orders of a group, each as `task_id`; none if there is no such group.
   * @example const orders = kernel.groups.orders('bat_1');
   */
  orders(groupId: string): RawBuilder<{ readonly task_id: string }>;
  /**
   * Reads the fields of a group that apply to all of its orders. Adds their faults to `faults`.
   * @example const { maxPrice } = await kernel.groups.readFields(key, { max_price: '5.00' }, faults);
   */
  readFields(key: OrderingKey, sent: JsonObject, faults: Fault[]): Promise<GroupFields>;
  /**
   * Judges and prices an order of a group as its own create would. Its row is written later, by `insert`.
   * @throws ServiceError with every fault; `price_exceeded`
   * @example
   * const body = { model_id: 'sketch', prompt: 'a fox' };
   * const { draft } = await kernel.groups.judge(key, { operation: 'image', body, simulate: null }, kernel.clock.now());
   */
  judge(key: OrderingKey, sent: SentOrder, now: number): Promise<GroupOrder>;
  /**
   * Places a group, dated `now` unless a later day is counted already: then as of that day.
   * @param place commits it with a date; called again if its day is over, or the time zone of a limit was not counted
   * @throws ServiceError `price_exceeded`
   * @example
   * const group = { total: 40_000, maxPrice: null, now: kernel.clock.now() };
   * await kernel.groups.place(key, group, async (now, { id }) => ({ id, now }));
   */
  place<Placed>(
    key: OrderingKey,
    group: { readonly total: Micros; readonly maxPrice: Micros | null; readonly now: number },
    place: (now: number, key: OrderingKey) => Promise<Placed>,
  ): Promise<Placed>;
  /**
   * Admits the orders of a group in the unit that `place` commits, and holds the sum of their prices for it.
   * @throws ServiceError `insufficient_balance`, `spend_limit_reached`, `end_user_limit_reached`,
   * `storage_limit_reached`
   * @example
   * const group = { id: 'bat_1', total: 40_000, spending: () => new Map(), now: 0, storesFiles: false };
   * await kernel.groups.admit(trx, key, group);
   */
  admit(trx: Transaction, key: OrderingKey, group: Parameters<typeof admitGroup>[3]): Promise<void>;
  /**
   * Writes the row of an order whose group has held its price. It has no place in the queue, and its time does not run,
   * until `enqueue`.
   * @param awaited null = it waits for no other order
   * @param followed the bits of the followers of every order of the group
   * @example await kernel.groups.insert(trx, row, null, 0);
   */
  insert(trx: Transaction, row: TaskRow, awaited: AwaitedTasks | null, followed: number): Promise<void>;
  /**
   * Gives an order that only its group holds back its place in the queue, where its time begins.
   * @param key.concurrency as `gates.lockSlots` returned it
   * @returns false if it has its place, or another unit writes it
   * @example
   * const concurrency = await kernel.gates.lockSlots(trx, key.id);
   * const isOpen = await kernel.groups.enqueue(trx, row, { keyId: key.id, concurrency });
   */
  enqueue(
    trx: Transaction,
    task: Pick<TaskRow, 'id' | 'queue' | 'gates'>,
    key: { readonly keyId: string; readonly concurrency: number },
  ): Promise<boolean>;
  /**
   * Cancels an order that no engine has, in a unit that has locked its slots and its row.
   * @returns false if it was left alone, since this is a held copy whose original may have sent it
   * @example const isCanceled = await kernel.groups.cancel(trx, row);
   */
  cancel(trx: Transaction, task: TaskRow): Promise<boolean>;
  /**
   * Notifies those who follow a group that it has ended, in the unit that writes it.
   * @example
   * const end = { event: 'batch.succeeded', outputs: [], charged: 40_000, now: kernel.clock.now() } as const;
   * await kernel.groups.notifyEnded(trx, row, end);
   */
  notifyEnded(trx: Transaction, group: Followed, end: Parameters<typeof notifyEnded>[3]): Promise<void>;
}

/** Opens the groups of orders for additions. @param find finds a batch of a key */
export function openGroups(services: TaskServices, find: Groups['find']): Groups {
  return {
    find,
    orders: (groupId) => ordersOfGroup(services, groupId),
    readFields: (key, sent, faults) => readGroupFields(services, key, sent, faults),
    judge: (key, sent, now) => judgeGroupOrder(services, key, sent, now),
    async place(key, { total, maxPrice, now }, place) {
      assertMaxPrice(total, maxPrice);
      return await retryOnNextDay(services, key, now, place);
    },
    admit: (trx, key, group) => admitGroup(services, trx, key, group),
    insert: (trx, row, awaited, followed) => insertHeld(services, trx, row, awaited, followed),
    enqueue: (trx, task, key) => openBatchGate(services, trx, task, key),
    cancel: (trx, task) => cancelQueued(services, trx, task),
    async notifyEnded(trx, group, end) {
      await notifyEnded(services, trx, { ...group, followed: followedBy(services.followers, group) }, end);
    },
  };
}
