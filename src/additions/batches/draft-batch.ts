import { createHash, type Hash } from 'node:crypto';
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
import { fingerprint, isClosed, type Kernel, type OrderingKey } from '../../kernel.ts';
import { createBatchNames } from './batch-names.ts';
import { type GroupOrder, judgeBatchOrder } from './judge-batch-order.ts';
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

/** Maximum number of reported faults. Once so many are known, the rest is not judged. */
const MOST_FAULTS = 100;

/** Longest time that judging blocks the event loop, plus one order. */
const SLICE_MS = 1;

type DraftKernel = Pick<Kernel, 'accounts' | 'clock' | 'gates' | 'groups' | 'store'>;

/** Judges the orders of a batch one after the other, as they arrive, until too many faults are known. */
export class BatchDraft {
  readonly #kernel: DraftKernel;
  readonly #key: OrderingKey;
  readonly #hash: Hash | null;
  readonly #createdAt: number;
  readonly #faults: Fault[] = [];
  /** Faults of orders that only use refused ones: correcting those corrects these. */
  readonly #following: Fault[] = [];
  readonly #names = createBatchNames();
  readonly #models = new Map<string, { orders: number; amount: Micros }>();
  readonly #portions = createPortions();
  #orders = 0;
  #total = 0;
  #isExact = true;
  #isUnfetched = false;
  #sliceBegan = world.monotonic();

  constructor(kernel: DraftKernel, key: OrderingKey, { withFingerprint }: { readonly withFingerprint: boolean }) {
    this.#kernel = kernel;
    this.#key = key;
    this.#hash = withFingerprint ? createHash('sha256') : null;
    this.#createdAt = kernel.clock.now();
  }

  /** Whether enough faults are known, so that the rest need not be judged. */
  get isRefused(): boolean {
    return this.#isFull && this.#hash === null;
  }

  /** Bytes in memory. */
  get keptBytes(): number {
    return this.#portions.keptBytes + this.#names.keptBytes;
  }

  /**
   * Judges an entry. Its faults are reported at the end, with those of the others.
   * @param position names it in messages, such as `orders[3]`
   */
  async add(position: string, entry: JsonObject): Promise<void> {
    this.#hash?.update(fingerprint(entry));
    if (!this.#isFull) await this.#judge(position, entry);
  }

  /** Records a fault of an entry that could not be read. */
  refuse(fault: Fault): void {
    this.#refuse(fault);
  }

  /** Returns the SHA-256 (hex) of the entries as canonical JSON, and of `fields`; only if it was requested. */
  fingerprint(fields: object): string {
    if (this.#hash === null) throw new Error('the draft has no fingerprint: it was not requested');
    return this.#hash.update(fingerprint(fields)).digest('hex');
  }

  /** @throws ServiceError with every fault */
  async finish(): Promise<DraftedBatch> {
    const [orders, faults] = [this.#orders, this.#faults];
    const misfit =
      orders > MOST_ORDERS
        ? `expected at most ${MOST_ORDERS} orders, found more.`
        : orders === 0 && faults.length === 0
          ? 'expected at least one order, found none.'
          : null;
    if (misfit !== null) this.#refuse({ param: 'orders', code: 'invalid_request', message: `orders: ${misfit}` });
    const reported = faults.some(isLasting) ? [...faults, ...this.#following].slice(0, MOST_FAULTS) : faults;
    if (reported.length > 0) throw errorFromFaults(reported);
    return {
      orders,
      total: this.#total,
      exact: this.#isExact,
      models: this.#models,
      unfetched: this.#isUnfetched,
      portions: await this.#portions.finish(),
      createdAt: this.#createdAt,
    };
  }

  get #isFull(): boolean {
    return this.#faults.length >= MOST_FAULTS || this.#orders > MOST_ORDERS;
  }

  #refuse(fault: Fault, among = this.#faults): void {
    if (among.length < MOST_FAULTS) among.push(fault);
  }

  async #judge(position: string, entry: JsonObject): Promise<void> {
    const own: Fault[] = [];
    const read = readEntry(entry, own);
    const add = (fault: Fault, path: string, among = this.#faults) =>
      this.#refuse({ ...fault, param: path, message: `${position}: ${fault.message}` }, among);
    for (const fault of own) add(fault, `${position}.${fault.param}`);
    if (read === null && typeof entry.name === 'string') this.#names.take(entry.name, position);
    if (read !== null && read.variedName !== null) this.#names.vary(read.variedName, read.orders.length);
    // With an amount of 0 it would only ask for the remaining balance.
    if (read !== null && read.variedBytes > 0)
      this.#kernel.accounts.budgets.take(this.#key, 'varied_bytes', read.variedBytes);
    for (const { name, body } of read?.orders ?? []) {
      if (world.monotonic() - this.#sliceBegan >= SLICE_MS) {
        await nextTurn();
        this.#sliceBegan = world.monotonic();
      }
      if (++this.#orders > MOST_ORDERS) return;
      const earlier = name === null ? undefined : this.#names.take(name, position);
      if (earlier !== undefined) {
        const message = `name: '${name}' is the name of ${earlier} too. Names are unique within a batch.`;
        return add({ param: 'name', code: 'invalid_request', message }, `${position}.name`);
      }
      try {
        const context = { earlier: this.#names, now: this.#createdAt };
        await this.#keep(await judgeBatchOrder(this.#kernel, this.#key, read!.operation, body, context), name);
      } catch (error) {
        for (const fault of faultsOf(error)) {
          const path = fault.param === null ? `${position}.body` : `${position}.body.${fault.param}`;
          add(fault, path, this.#names.isOfRefused(fault) ? this.#following : this.#faults);
        }
        // The other combinations have the same faults, or similar ones.
        return;
      }
    }
  }

  async #keep({ draft, awaited }: GroupOrder, name: string | null): Promise<void> {
    const depth = awaited.parents.length === 0 ? 0 : await this.#depthBehind(awaited.parents);
    const row = draft.rowOf(this.#kernel.store.createId(draft.idPrefix), { rank: 0, claimable: 0 });
    if (name !== null) this.#names.plan(name, row, depth);
    if (this.#faults.length > 0) return;
    this.#portions.add(row, name, awaited);
    const { price: amount, quote } = draft;
    this.#total += amount;
    this.#isExact &&= quote.exact && quote.amount === amount;
    this.#isUnfetched ||= isClosed(draft, 'reference');
    const model = this.#models.get(row.model_id) ?? { orders: 0, amount: 0 };
    model.orders++;
    model.amount += amount;
    this.#models.set(row.model_id, model);
  }

  /**
   * Returns the length of the longest chain of waiting orders that ends with an order with these parents.
   * @throws ServiceError if the chain is too long
   */
  async #depthBehind(parents: readonly string[]): Promise<number> {
    const { gates } = this.#kernel;
    const depths = parents.map((id) => this.#names.depthOf(id) ?? gates.depthOf(id));
    const depth = 1 + Math.max(...(await Promise.all(depths)));
    gates.assertDepth(depth);
    return depth;
  }
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
