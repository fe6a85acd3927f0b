import type { Fault, JsonObject, Micros } from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';
import { countScope } from '../accounts/spend-limits.ts';
import { assertRoomToStore, storerOf } from '../accounts/stored-bytes.ts';
import type { Transaction } from '../database/database.ts';
import { GATES, gatesOfMedia, NO_PLACE } from '../queue/gates.ts';
import { storePriceList } from '../record/price-lists.ts';
import type { TaskRow } from '../record/task.ts';
import { mediaOf } from '../record/task-json.ts';
import { followedBy, notifyPlaced } from '../tasks/follower.ts';
import { type AwaitedTasks, closeParentGate } from '../tasks/parent-gate.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { admitOrders, assertMaxPrice, holdPrice } from './admit-orders.ts';
import { draftTask, insertTask, type TaskDraft } from './draft-task.ts';
import { type JudgeServices, judgeOrder, type SentOrder } from './judge-order.ts';
import { parentsOf } from './place-order.ts';
import { readMaxPrice } from './price-limit.ts';
import { readDeliverTo } from './read-deliver-to.ts';
import { defaultWebhookUrl, readMetadata, readWebhookUrl } from './service-fields.ts';

/** The fields of a group that apply to all of its orders. */
export interface GroupFields {
  readonly maxPrice: Micros | null;
  readonly webhookUrl: string | null;
  /** The target of the outputs, as tasks store it. */
  readonly deliverTo: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An order of a group, such as a batch, that has passed every check except for money and limits. */
export interface GroupOrder {
  readonly draft: TaskDraft;
  readonly awaited: AwaitedTasks;
}

/** Reads the fields of a group that apply to all of its orders. The defaults of the account replace missing ones. */
export async function readGroupFields(
  services: Pick<TaskServices, 'readDeliverTo' | 'settings'>,
  key: OrderingKey,
  { max_price, webhook_url, deliver_to, metadata }: JsonObject,
  faults: Fault[],
): Promise<GroupFields> {
  const { webhookAddresses } = services.settings;
  return {
    maxPrice: readMaxPrice(max_price, faults),
    webhookUrl: readWebhookUrl(webhook_url, webhookAddresses, faults) ?? defaultWebhookUrl(services, key),
    deliverTo: await readDeliverTo(services, key, deliver_to, 'batch', faults),
    metadata: readMetadata(metadata, faults),
  };
}

/**
 * Judges and prices an order of a group as its own create would, and stores the price list to which its price refers.
 * Its row is written later, by `insertHeld`.
 * @throws ServiceError with every fault; `price_exceeded`
 */
export async function judgeGroupOrder(
  services: JudgeServices & Pick<TaskServices, 'followers' | 'gates'>,
  key: OrderingKey,
  sent: SentOrder,
  now: number,
): Promise<GroupOrder> {
  const order = await judgeOrder(services, key, sent);
  const draft = draftTask(services, order, now);
  assertMaxPrice(draft.price, order.fields.maxPrice);
  await storePriceList(services.database, draft.quote.basis.pricing);
  return { draft, awaited: { parents: parentsOf(order), used: order.judged.usedTasks } };
}

/**
 * Admits the orders of a group, and holds the sum of their prices for it. Its end users are counted with the row of
 * each order, and the bytes of its references once they are fetched.
 * @param group.storesFiles whether there must be room for references
 * @throws like `admitOrders`; `storage_limit_reached`
 */
export async function admitGroup(
  services: Parameters<typeof admitOrders>[0] & Pick<TaskServices, 'settings'>,
  trx: Transaction,
  key: OrderingKey,
  group: Parameters<typeof admitOrders>[3] & { readonly id: string; readonly storesFiles: boolean },
): Promise<void> {
  const { id, total, now, storesFiles } = group;
  // Before the hold: a refusal after a write rolls back the whole group of the commit.
  if (storesFiles) await assertRoomToStore(trx, storerOf(key), 1, services.settings.storageLimits);
  await admitOrders(services, trx, key, group);
  holdPrice(trx, key, { id, scope: null, price: total, created_at: now });
}

/**
 * Writes the row of an order whose group has held its price, behind the gate `batch`. It has no place in the queue, and
 * its time does not run, until `openBatchGate`. Its followers are notified, and its end user is counted.
 * @param awaited null = it waits for no other order
 * @param followed the bits of the followers of every order of the group
 */
export async function insertHeld(
  services: Parameters<typeof closeParentGate>[0] & Pick<TaskServices, 'followers' | 'gates'>,
  trx: Transaction,
  row: TaskRow,
  awaited: AwaitedTasks | null,
  followed: number,
): Promise<void> {
  const place: Partial<TaskRow> =
    awaited === null ? { claimable: 0, next_at: null } : await closeParentGate(services, trx, row.id, awaited);
  // Drafted rows that were stored have no gates.
  const closed = services.gates.reduce(
    (bits, { bit, closes }) => (closes(row) ? bits | bit : bits),
    gatesOfMedia(mediaOf(row)),
  );
  const held = {
    ...row,
    ...place,
    rank: NO_PLACE,
    gates: GATES.batch | closed | (place.gates ?? 0),
    line: 1,
    followed: followedBy(services.followers, row) | followed,
  } as const;
  insertTask(trx, held);
  notifyPlaced(services, trx, held);
  countScope(trx, row);
}
