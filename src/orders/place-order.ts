import { formatMicros, type Micros, ServiceError } from '@darkroom-service/contract';
import { hold } from '../accounts/ledger.ts';
import { assertWithinSpendLimits, countHold } from '../accounts/spend-limits.ts';
import { assertRoomToStore, countStored, storerOf } from '../accounts/stored-bytes.ts';
import type { Transaction } from '../database/database.ts';
import { enterWork } from '../database/work.ts';
import { placeInQueue, type QueueGroup } from '../tasks/fair-queue.ts';
import { insertFile } from '../tasks/files/new-file.ts';
import { tellPlaced } from '../tasks/follower.ts';
import { isClosed } from '../tasks/gates.ts';
import { closeParentGate } from '../tasks/parent-gate.ts';
import { keepPriceList } from '../tasks/price-lists.ts';
import { leaveFreeSlots } from '../tasks/queue-look.ts';
import type { TaskRow } from '../tasks/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { positionInGroup } from '../tasks/views/find-tasks.ts';
import type { WrittenJson } from '../tasks/views/task-view.ts';
import { draftTask, insertNewTask, insertTask } from './draft-task.ts';
import { bindClaim, claimWithin, type IdempotencyClaim } from './idempotency.ts';
import type { JudgedOrder } from './judge-order.ts';

export type PlaceServices = Pick<
  TaskServices,
  | 'atOnce'
  | 'balances'
  | 'clock'
  | 'createId'
  | 'database'
  | 'followers'
  | 'hooks'
  | 'parentGate'
  | 'settings'
  | 'tracer'
  | 'waitingCounts'
  | `wake${'Runner' | 'Work'}`
>;

const NO_SPENDING: ReadonlyMap<string, Micros> = new Map();
const noSpending = () => NO_SPENDING;

/** A judged order with the Idempotency-Key that it came with. */
export interface OrderToPlace extends JudgedOrder {
  readonly claim: IdempotencyClaim | null;
}

/** Either the new task's row, or the id of the task that the Idempotency-Key stands for already. */
type Placed = NewlyPlaced | { readonly replayOf: string };

/**
 * The binding of orders to their Idempotency-Key, by which a repetition finds them in the transaction that places them.
 */
export interface Binding {
  /** Returns the id of what was placed before; null = nothing was, so the orders are placed. */
  find(trx: Transaction): Promise<string | null>;
  bind(trx: Transaction, taskIds: readonly string[]): void;
}

export interface NewlyPlaced {
  readonly row: TaskRow;
  readonly written: WrittenJson;
  /** The key's other orders in this commit; null if the order is blocked, without a rank. */
  readonly group: QueueGroup | null;
}

/**
 * Places one order, bound to its Idempotency-Key.
 * @param atOnce whether it begins in this transaction if this process could claim it right after it
 * @throws ServiceError like `placeOrders`, and `idempotency_key_reused`
 */
export async function placeOrder(services: PlaceServices, order: OrderToPlace, atOnce: boolean): Promise<Placed> {
  const { claim } = order;
  const binding: Binding | null =
    claim === null
      ? null
      : {
          find: (trx) => claimWithin(trx, claim),
          bind: (trx, [taskId = '']) => bindClaim(trx, claim, taskId),
        };
  const placed = await placeOrders(services, order, { count: 1, binding, atOnce });
  return 'replayOf' in placed ? placed : placed.tasks[0]!;
}

interface OrderGroup {
  readonly count: number;
  readonly binding: Binding | null;
  /** Whether orders begin in this transaction if this process could claim them right after it. */
  readonly atOnce?: boolean;
}

/**
 * The transaction of orders that are alike: binding, limits, holds and the rows of the tasks, committed together or not
 * at all.
 * @param options.count how many; limits and money are checked for all of them before the first one is written.
 * @throws ServiceError `price_exceeded`, `queue_full`, `insufficient_balance`, `spend_limit_reached`,
 * `end_user_limit_reached`
 */
export async function placeOrders(
  services: PlaceServices,
  order: JudgedOrder,
  { count, binding, atOnce = false }: OrderGroup,
): Promise<{ readonly tasks: readonly NewlyPlaced[] } | { readonly replayOf: string }> {
  const { key, judged, fields } = order;
  const now = services.clock.now();
  const draft = draftTask(services, order, now);
  const { quote, queue, gates } = draft;
  const unfetched = isClosed(draft, 'reference');
  await keepPriceList(services.database, quote.basis.pricing);
  const total = quote.amount * count;
  assertWorth(total, fields.maxPrice);
  const ids = Array.from({ length: count }, () => services.createId(draft.idPrefix));
  const parents = parentsOf(order);
  const { endUser } = fields;
  const spending = endUser === null ? noSpending : () => new Map([[endUser, total]]);
  const needsNothing = judged.media.length === 0 && order.parentTaskId === null;
  const worker = atOnce && needsNothing ? services.atOnce() : null;
  const keepTrace = services.tracer.placing();
  const write = async (trx: Transaction) => {
    const replayOf = (await binding?.find(trx)) ?? null;
    if (replayOf !== null) return { replayOf };
    await services.waitingCounts.assertRoom(trx, key, count);
    await assertWithinSpendLimits(trx, key, total, now);
    for (const { admit } of services.hooks) {
      const admission = admit?.(trx, key, spending, now, services.hooks) ?? null;
      if (admission !== null) await admission;
    }
    await services.balances.assertCanPay(trx, key.account, key.mode, total);
    if (unfetched || judged.newFiles.length > 0) await countNewFiles(services, trx, order, unfetched);
    const tasks: NewlyPlaced[] = [];
    const capacityNow = () => worker?.capacityFor({ route: order.route, queue }) ?? null;
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
              alone: services.database.kind === 'sqlite' ? { capacityNow } : null,
            });
      const capacity = position.claimable === 1 ? capacityNow() : null;
      const begun =
        worker === null || capacity === null
          ? null
          : await worker.take(trx, { queue, capacity, deadlineAt: draft.deadlineAt });
      if (begun === null && position.claimable === 1) leaveFreeSlots(trx, queue);
      const row = draft.rowOf(id, { ...position, ...begun });
      // SQLite's other connection forgets its pages with each commit, and would read a hundred entries anew.
      if (services.database.kind === 'sqlite' && group?.counted === null && row.claimable === 0)
        await positionInGroup(trx, key.id, row, group);
      if (row.gates !== 0) insertTask(trx, row);
      else insertNewTask(trx, row);
      tellPlaced(services, trx, row);
      keepTrace(trx, id);
      if (begun !== null) trx.afterCommit(() => worker?.begin(draft.recordOf(row)));
      if (unfetched && parents.length === 0) enterWork(trx, { kind: 'references', subject: id, owner: key.id, now });
      hold(trx, { accountId: row.account_id, apiKeyId: key.id, mode: key.mode, taskId: id }, quote.amount);
      countHold(trx, key, row);
      const waitingFor = parents.length > 0 ? parents : undefined;
      tasks.push({ row, written: { input: draft.input, lines: quote.lines, waitingFor }, group });
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

/** Refuses an order or a batch that costs more than its caller agreed to. @throws ServiceError `price_exceeded` */
export function assertWorth(price: Micros, maxPrice: Micros | null): void {
  if (maxPrice === null || price <= maxPrice) return;
  throw new ServiceError(
    'price_exceeded',
    `This costs ${formatMicros(price)} USD, more than max_price (${formatMicros(maxPrice)}). Nothing was charged. Raise max_price or order less.`,
    {
      param: 'max_price',
      details: [{ price: formatMicros(price), max_price: formatMicros(maxPrice), currency: 'USD' }],
    },
  );
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
