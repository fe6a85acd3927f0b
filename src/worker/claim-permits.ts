import type { Database, Transaction } from '../database/database.ts';
import type { Permit } from '../queue/queue-capacity.ts';
import type { ClaimableQueue } from './claimable-queue.ts';
import { grantPermit } from './grant-permit.ts';
import { lockPermit, reducePermit, removePermit } from './permit-rows.ts';
import { QueuePermits } from './queue-permits.ts';

/** Uses of a permit by a transaction. */
interface Uses {
  orders: number;
  isLast: boolean;
  /** Whether the transaction removes the permit. */
  isOver: boolean;
}

const usesIn = (trx: Transaction, { holder }: Permit) =>
  trx.once<Uses>(`uses of ${holder}`, () => ({ orders: 0, isLast: false, isOver: false }));

/** Creates the permits of a process; null on SQLite, where the only writer counts the slots. */
export function permitsOf(database: Pick<Database, 'kind' | 'writeAside'>): Permits | null {
  return database.kind === 'sqlite' ? null : new Permits(database);
}

/**
 * Permits by which the processes of one PostgreSQL database share the slots of a queue without waiting for each other.
 * A process asks for a permit, a row that counts as taken slots, in a short transaction of its own. A lock lets one
 * process at a time ask for the permits of a queue; a process that does not get it tries again soon. A transaction that
 * fills slots takes no lock: it reduces a permit in the same commit. So permits and orders in flight together never
 * exceed the capacity. A process may have several permits of a queue, and asks for more while a transaction uses one.
 *
 * A permit is *granted* (`ask`, or ahead of orders), *locked* by a transaction (`lock`), *used* by it (`use`), and in
 * the end removed: by the transaction that uses it up, by the next question, or once it has expired.
 */
export class Permits {
  readonly #database: Pick<Database, 'writeAside'>;
  readonly #queues = new Map<string, QueuePermits>();

  /** @param database a PostgreSQL database */
  constructor(database: Pick<Database, 'writeAside'>) {
    this.#database = database;
  }

  /** Makes sure that there are permits for the queues, as far as they have room and orders. */
  async ask(queues: readonly ClaimableQueue[], limit: number): Promise<{ readonly isBusy: boolean }> {
    const wanted = queues.filter((queue) => !this.#hasPermit(queue, limit));
    // In the same order in every process.
    wanted.sort((one, other) => (one.name < other.name ? -1 : 1));
    return { isBusy: wanted.length > 0 && (await this.#grantAll(wanted, limit)) };
  }

  /**
   * Returns the permit of a queue for an order that begins when it is placed; null = there is none. From now on such
   * orders are expected: the process asks for more permits than it has orders.
   */
  ahead(queue: string, capacity: number): Permit | null {
    const own = this.#of(queue);
    own.expect();
    return own.largest(capacity);
  }

  /**
   * Locks a permit of the queue until the commit, and returns the number of orders left in it; null = there is none.
   */
  async lock(
    trx: Transaction,
    { name, capacity }: ClaimableQueue,
  ): Promise<{ readonly permit: Permit; readonly left: number } | null> {
    const permit = this.#of(name).largest(capacity);
    if (permit === null) return null;
    const row = await trx.first(lockPermit, permit);
    if (row === undefined) this.#of(name).remove(permit);
    return { permit, left: row === undefined ? 0 : row.orders - usesIn(trx, permit).orders };
  }

  /**
   * Uses a permit that the transaction has locked.
   * @param isLast whether no other order waits: then the rest is given back, unless orders are expected
   */
  use(trx: Transaction, permit: Permit, orders: number, isLast = false): void {
    const uses = usesIn(trx, permit);
    uses.orders += orders;
    uses.isLast ||= isLast;
    trx.beforeCommit(`permit ${permit.holder}`, (session) => this.#writeUses(session, permit, uses));
    trx.afterCommit(() => {
      permit.left = uses.isOver ? 0 : permit.left - orders;
      this.#renew(permit);
    });
    // The transaction may be committed. The rest of the permits counts until they expire.
    trx.onFault(() => this.#queues.clear());
  }

  #writeUses(session: Pick<Transaction, 'send'>, { queue, holder, left }: Permit, uses: Uses): void {
    const rest = left - uses.orders;
    const { ahead, isExpecting } = this.#of(queue);
    uses.isOver = rest <= 0 || (uses.isLast && !(isExpecting && rest <= ahead));
    if (uses.isOver) session.send(removePermit, { queue, holder });
    else if (uses.orders > 0) session.send(reducePermit, { queue, holder, by: uses.orders });
  }

  /** Asks for permits ahead, once half of them are used or they are old. */
  #renew({ queue: name, capacity }: Permit): void {
    const own = this.#of(name);
    if (own.shouldAskAhead(capacity)) void own.askAhead(() => this.#grantAll([{ name, capacity }], 0));
  }

  #of(queue: string): QueuePermits {
    const own = this.#queues.get(queue) ?? new QueuePermits();
    this.#queues.set(queue, own);
    return own;
  }

  #hasPermit({ name, capacity, atMost, hasTrial }: ClaimableQueue, limit: number): boolean {
    const left = this.#of(name).largest(capacity)?.left ?? 0;
    return hasTrial === undefined && left >= Math.min(limit, atMost ?? limit);
  }

  /** @param limit maximum number of orders to claim now @returns whether others are asking or claiming now */
  async #grantAll(wanted: readonly ClaimableQueue[], limit: number): Promise<boolean> {
    const granted = await this.#database.writeAside('claim_permits', async (trx) => {
      const given = new Map<ClaimableQueue, Awaited<ReturnType<typeof grantPermit>>>();
      for (const queue of wanted) given.set(queue, await grantPermit(trx, queue, limit, this.#of(queue.name)));
      return given;
    });
    for (const [{ name }, { permit, ended, ahead }] of granted) this.#of(name).granted(permit, ended, ahead);
    return [...granted.values()].some(({ isBusy }) => isBusy);
  }
}
