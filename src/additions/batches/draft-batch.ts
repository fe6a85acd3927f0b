import { createHash } from 'node:crypto';
import {
  ERROR_TABLE,
  errorFromFaults,
  type Fault,
  type JsonObject,
  type Micros,
  nextTurn,
  ServiceError,
  world,
} from '@darkroom-service/contract';
import { fingerprint, isClosed, type OrderingKey, type TaskServices } from '../../kernel.ts';
import { type GroupOrder, type JudgeServices, parentGateOf } from '../../kernel-orders.ts';
import { createBatchNames } from './batch-names.ts';
import { judgeBatchOrder } from './judge-batch-order.ts';
import { createPortions, type Portion } from './portions.ts';
import { MOST_ORDERS, readEntry } from './read-entry.ts';

/** Orders of a batch that have passed every check except for money and limits. */
export interface DraftedBatch {
  readonly orders: number;
  readonly total: Micros;
  readonly exact: boolean;
  readonly models: ReadonlyMap<string, { readonly orders: number; readonly amount: Micros }>;
  /** Whether references of some orders must be fetched first. */
  readonly unfetched: boolean;
  readonly portions: readonly Portion[];
  readonly createdAt: number;
}

/** Judges the orders of a batch one after the other, as they arrive. */
export interface BatchDrafting {
  /**
   * Judges an entry. Its faults are reported at the end, with those of the others.
   * @param position names it in messages, such as `orders[3]`
   */
  add(position: string, entry: JsonObject): Promise<void>;
  /** Records a fault of an entry that could not be read. */
  refuse(fault: Fault): void;
  /** Whether enough faults are known, so that the rest need not be judged. */
  readonly isRefused: boolean;
  /** Bytes in memory. */
  readonly keptBytes: number;
  /** Returns the SHA-256 (hex) of the entries as canonical JSON, and of `fields`; only if it was requested. */
  fingerprint(fields: object): string;
  /** @throws ServiceError with every fault */
  finish(): Promise<DraftedBatch>;
}

/** Maximum number of reported faults. Once so many are known, the rest is not judged. */
const MOST_FAULTS = 100;

/** Longest time that judging blocks the event loop, plus one order. */
const SLICE_MS = 1;

export function startDraft(
  services: JudgeServices & Pick<TaskServices, 'budgets' | 'clock' | 'followers'>,
  key: OrderingKey,
  options: { readonly withFingerprint: boolean },
): BatchDrafting {
  const createdAt = services.clock.now();
  const faults: Fault[] = [];
  /** Faults of orders that only use refused ones: correcting those corrects these. */
  const following: Fault[] = [];
  const names = createBatchNames();
  const models = new Map<string, { orders: number; amount: Micros }>();
  const portions = createPortions();
  const hash = createHash('sha256');
  let orders = 0;
  let total = 0;
  let exact = true;
  let unfetched = false;
  let sliceBegan = world.monotonic();

  async function judge(position: string, entry: JsonObject): Promise<void> {
    const own: Fault[] = [];
    const read = readEntry(entry, own);
    const told = (fault: Fault, path: string, among = faults) =>
      refuse({ ...fault, param: path, message: `${position}: ${fault.message}` }, among);
    for (const fault of own) told(fault, `${position}.${fault.param}`);
    if (read === null && typeof entry.name === 'string') names.take(entry.name, position);
    if (read !== null && read.variedName !== null) names.vary(read.variedName, read.orders.length);
    // With an amount of 0 it would only ask for the remaining balance.
    if (read !== null && read.variedBytes > 0) services.budgets.take(key, 'varied_bytes', read.variedBytes);
    for (const { name, body } of read?.orders ?? []) {
      if (world.monotonic() - sliceBegan >= SLICE_MS) {
        await nextTurn();
        sliceBegan = world.monotonic();
      }
      if (++orders > MOST_ORDERS) return;
      const earlier = name === null ? undefined : names.take(name, position);
      if (earlier !== undefined) {
        const message = `name: '${name}' is the name of ${earlier} too. Names are unique within a batch.`;
        return told({ param: 'name', code: 'invalid_request', message }, `${position}.name`);
      }
      try {
        const context = { earlier: names, now: createdAt };
        await keep(await judgeBatchOrder(services, key, read!.operation, body, context), name);
      } catch (error) {
        for (const fault of faultsOf(error)) {
          const path = fault.param === null ? `${position}.body` : `${position}.body.${fault.param}`;
          told(fault, path, names.isOfRefused(fault) ? following : faults);
        }
        // The other combinations have the same faults, or similar ones.
        return;
      }
    }
  }

  async function keep({ draft, awaited }: GroupOrder, name: string | null): Promise<void> {
    const depth = awaited.parents.length === 0 ? 0 : await depthBehind(awaited.parents);
    const row = draft.rowOf(services.createId(draft.idPrefix), { rank: 0, claimable: 0 });
    if (name !== null) names.plan(name, row, depth);
    if (faults.length > 0) return;
    portions.add(row, name, awaited);
    const { amount } = draft.quote;
    total += amount;
    exact &&= draft.quote.exact;
    unfetched ||= isClosed(draft, 'reference');
    const model = models.get(row.model_id) ?? { orders: 0, amount: 0 };
    model.orders++;
    model.amount += amount;
    models.set(row.model_id, model);
  }

  /**
   * Returns the length of the longest chain of waiting orders that ends with an order with these parents.
   * @throws ServiceError if the chain is too long
   */
  async function depthBehind(parents: readonly string[]): Promise<number> {
    const gate = parentGateOf(services);
    const depths = parents.map((id) => names.depthOf(id) ?? gate.depthOf(services.database.read, id));
    const depth = 1 + Math.max(...(await Promise.all(depths)));
    gate.assertDepth(depth);
    return depth;
  }

  function refuse(fault: Fault, among = faults): void {
    if (among.length < MOST_FAULTS) among.push(fault);
  }

  return {
    async add(position, entry) {
      if (options.withFingerprint) hash.update(fingerprint(entry));
      if (faults.length < MOST_FAULTS && orders <= MOST_ORDERS) await judge(position, entry);
    },
    refuse,
    get isRefused() {
      return (faults.length >= MOST_FAULTS || orders > MOST_ORDERS) && !options.withFingerprint;
    },
    get keptBytes() {
      return portions.keptBytes + names.keptBytes;
    },
    fingerprint: (fields) => hash.update(fingerprint(fields)).digest('hex'),
    async finish() {
      if (orders > MOST_ORDERS)
        refuse({
          param: 'orders',
          code: 'invalid_request',
          message: `orders: expected at most ${MOST_ORDERS} orders, found more.`,
        });
      if (orders === 0 && faults.length === 0)
        refuse({
          param: 'orders',
          code: 'invalid_request',
          message: 'orders: expected at least one order, found none.',
        });
      const told = faults.some(isLasting) ? [...faults, ...following].slice(0, MOST_FAULTS) : faults;
      if (told.length > 0) throw errorFromFaults(told);
      return { orders, total, exact, models, unfetched, portions: await portions.finish(), createdAt };
    },
  };
}

const isLasting = ({ code }: Fault) => !ERROR_TABLE[code].retryable;

/** Returns the faults of one order. @throws the error if it is not about the order */
function faultsOf(error: unknown): readonly Fault[] {
  if (!(error instanceof ServiceError) || error.code === 'internal_error' || error.code === 'service_unavailable')
    throw error;
  const { param, code, message, details } = error;
  const own = details.filter((detail): detail is Fault & object => 'code' in detail && 'message' in detail);
  return own.length > 0 ? own : [{ param, code, message }];
}
