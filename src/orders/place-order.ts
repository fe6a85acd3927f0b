import type { Micros } from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';
import { assertRoomToStore, countStored, storerOf } from '../accounts/stored-bytes.ts';
import type { Transaction } from '../database/database.ts';
import { enterWork } from '../database/work.ts';
import { discardFiles, insertFile } from '../order-files/new-file.ts';
import { placeInQueue, type QueueGroup } from '../queue/fair-queue.ts';
import { isClosed } from '../queue/gates.ts';
import { reserveFreeSlots } from '../queue/queue-state.ts';
import { storePriceList } from '../record/price-lists.ts';
import type { TaskRow } from '../record/task.ts';
import { notifyPlaced } from '../tasks/follower.ts';
import { closeParentGate } from '../tasks/parent-gate.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { positionInGroup } from '../views/find-tasks.ts';
import type { WrittenJson } from '../views/task-view.ts';
import { admitOrders, assertMaxPrice, holdPrice, retryOnNextDay } from './admit-orders.ts';
import { draftTask, insertNewTask, insertTask } from './draft-task.ts';
import { bindClaim, claimWithin, type IdempotencyClaim } from './idempotency.ts';
import { keysOf } from './judge.ts';
import type { JudgedOrder } from './judge-order.ts';

/** The services that place orders. */
export type PlaceServices = Pick<
  TaskServices,
  | 'immediateStart'
  | 'balances'
  | 'clock'
  | 'createId'
  | 'database'
  | 'followers'
  | 'gates'
  | 'hooks'
  | 'log'
  | 'parentGate'
  | 'settings'
  | 'storage'
  | 'tracer'
  | 'queueDepths'
  | `wake${'Runner' | 'Work'}`
>;

const NO_SPENDING: ReadonlyMap<string, Micros> = new Map();
const noSpending = () => NO_SPENDING;

/** A judged order with the Idempotency-Key that it came with. */
export interface OrderToPlace extends JudgedOrder {
  readonly claim: IdempotencyClaim | null;
}

/** Either the new task's row, or the id of the task to which the Idempotency-Key is bound already. */
type Placed = NewlyPlaced | { readonly replayOf: string };

/**
 * The binding of orders to their Idempotency-Key, by which a repetition finds them in the transaction that places them.
 */
export interface OrderBinding {
  /** Returns the id of the earlier result; null = none, so the orders are placed. */
  find(trx: Transaction): Promise<string | null>;
  bind(trx: Transaction, taskIds: readonly string[]): void;
}

/** An order that this request has placed: its row, and its parsed JSON columns. */
export interface NewlyPlaced {
  readonly row: TaskRow;
  readonly written: WrittenJson;
  /** The key's other orders in this commit; null if the order is blocked, without a rank. */
  readonly group: QueueGroup | null;
}

/**
 * Places one order, bound to its Idempotency-Key.
 * @param immediateStart whether it begins in this transaction if this process could claim it right after it
 * @throws ServiceError like `placeOrders`, and `idempotency_key_reused`
 */
export async function placeOrder(
  services: PlaceServices,
  order: OrderToPlace,
  immediateStart: boolean,
): Promise<Placed> {
  const { claim } = order;
  const binding: OrderBinding | null =
    claim === null
      ? null
      : {
          find: (trx) => claimWithin(trx, claim),
          bind: (trx, [taskId = '']) => bindClaim(trx, claim, taskId),
        };
  const placed = await placeOrders(services, order, { count: 1, binding, immediateStart });
  return 'replayOf' in placed ? placed : placed.tasks[0]!;
}

/** The new tasks, or the id of what their binding found. */
type PlacedGroup = { readonly tasks: readonly NewlyPlaced[] } | { readonly replayOf: string };

interface OrderGroup {
  readonly count: number;
  readonly binding: OrderBinding | null;
  /** Whether orders begin in this transaction if this process could claim them right after it. */
  readonly immediateStart?: boolean;
}

/**
 * Places orders that are alike in one transaction: binding, limits, holds and the rows of the tasks, committed together
 * or not at all. The files that came with them are removed again unless their rows are written.
 * @param options.count number of orders; limits and money are checked for all of them before the first one is written.
 * @throws ServiceError `price_exceeded`, `queue_full`, `insufficient_balance`, `spend_limit_reached`,
 * `end_user_limit_reached`
 */
export async function placeOrders(
  services: PlaceServices,
  order: JudgedOrder,
  group: OrderGroup,
): Promise<PlacedGroup> {
  const files = keysOf(order.judged.newFiles);
  const place = (datedAt: number, key: OrderingKey) => placeTogether(services, { ...order, key }, group, datedAt);
  const placed = await retryOnNextDay(services, order.key, services.clock.now(), place).catch(
    async (error: unknown) => {
      await discardFiles(services, files, error);
      throw error;
    },
  );
  if ('replayOf' in placed) await discardFiles(services, files, null);
  return placed;
}

async function placeTogether(
  services: PlaceServices,
  order: JudgedOrder,
  { count, binding, immediateStart = false }: OrderGroup,
  datedAt: number,
): Promise<PlacedGroup> {
  const { key, judged, fields } = order;
  // A date ahead of this clock does not extend the order's deadline.
  const now = Math.min(datedAt, services.clock.now());
  const draft = draftTask(services, order, now);
  const { quote, price, queue, gates } = draft;
  const unfetched = isClosed(draft, 'reference');
  await storePriceList(services.database, quote.basis.pricing);
  const total = price * count;
  assertMaxPrice(total, fields.maxPrice);
  const ids = Array.from({ length: count }, () => services.createId(draft.idPrefix));
  const parents = parentsOf(order);
  const { endUser } = fields;
  const spending = endUser === null ? noSpending : () => new Map([[endUser, total]]);
  const needsNothing = judged.media.length === 0 && order.parentTaskId === null;
  const worker = immediateStart && needsNothing ? services.immediateStart() : null;
  const keepTrace = services.tracer.placing();
  const write = async (trx: Transaction) => {
    const replayOf = (await binding?.find(trx)) ?? null;
    if (replayOf !== null) return { replayOf };
    await services.queueDepths.assertRoom(trx, key, count);
    await admitOrders(services, trx, key, { total, spending, now: datedAt });
    if (unfetched || judged.newFiles.length > 0) await countNewFiles(services, trx, order, unfetched);
    const tasks: NewlyPlaced[] = [];
    const slotsNow = () => worker?.slotsFor({ route: order.route, queue }) ?? null;
    for (const id of ids) {
      const { group, ...position } =
        parents.length > 0
          ? {
              group: null,
              ...(await closeParentGate(services, trx, id, { parents, used: judged.usedTasks })),
            }
          : await placeInQueue(trx, {
              queue,
              keyId: key.id,
              concurrency: key.concurrency,
              gates,
              line: 0,
              slotsNow,
              alone: services.database.kind === 'sqlite',
            });
      const slots = position.claimable === 1 ? slotsNow() : null;
      const begun =
        worker === null || slots === null
          ? null
          : await worker.take(trx, { id, queue, slots, deadlineAt: draft.deadlineAt });
      if (begun === null && position.claimable === 1) reserveFreeSlots(trx, queue);
      const row = draft.rowOf(id, { ...position, ...begun, created_at: datedAt });
      // SQLite's other connection drops its cached pages with each commit, and would read a hundred entries again.
      if (services.database.kind === 'sqlite' && group?.counted === null && row.claimable === 0)
        await positionInGroup(trx, key.id, row, group);
      if (row.gates !== 0) insertTask(trx, row);
      else insertNewTask(trx, row);
      notifyPlaced(services, trx, row);
      keepTrace(trx, id);
      if (begun !== null) trx.afterCommit(() => worker?.begin(draft.recordOf(row)));
      if (unfetched && parents.length === 0) enterWork(trx, { kind: 'references', subject: id, owner: key.id, now });
      holdPrice(trx, key, row);
      const waitingFor = parents.length > 0 ? parents : undefined;
      tasks.push({ row, written: { ...draft.written, waitingFor }, group });
    }
    for (const file of judged.newFiles)
      await insertFile(trx, file, { keyId: key.id, endUser }, { now, expiresAt: now + services.settings.retentionMs });
    binding?.bind(trx, ids);
    if (tasks.some(({ row }) => row.claimable === 1 && row.step === 'waiting')) trx.afterCommit(services.wakeRunner);
    if (unfetched && parents.length === 0) trx.afterCommit(() => services.wakeWork('references'));
    return { tasks };
  };
  return await services.tracer.span('place', () => {
    const placement = services.database.write('create_task', write, { together: true });
    return worker === null ? placement : worker.during(placement, count);
  });
}

/** Returns the tasks whose ends an order waits for. */
export function parentsOf({ judged, parentTaskId, waitsForParent }: JudgedOrder): string[] {
  const ofMedia = judged.media.flatMap(({ awaited }) => (awaited === undefined ? [] : [awaited.taskId]));
  return [...new Set(waitsForParent && parentTaskId !== null ? [parentTaskId, ...ofMedia] : ofMedia)];
}

/** Bytes of references are counted once they are fetched. */
async function countNewFiles(
  services: Pick<TaskServices, 'settings'>,
  trx: Transaction,
  { key, fields, judged }: JudgedOrder,
  unfetched: boolean,
): Promise<void> {
  const { storageLimits } = services.settings;
  const storer = storerOf(key, fields.endUser);
  const bytes = judged.newFiles.reduce((sum, file) => sum + file.media.bytes, 0);
  if (bytes > 0) await countStored(trx, storer, bytes, storageLimits);
  if (unfetched) await assertRoomToStore(trx, storer, 1, storageLimits);
}
