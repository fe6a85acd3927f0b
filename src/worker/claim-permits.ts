import { world } from '@darkroom-service/contract';
import type { Database, Transaction } from '../database/database.ts';
import { DUE_SOON_MS } from '../queue/in-flight.ts';
import { hasPreparing, type Permit } from '../queue/queue-capacity.ts';
import type { ClaimableQueue } from './claimable-queue.ts';
import {
  countForPermit,
  endPermits,
  insertPermit,
  lockPermit,
  permitsLockOf,
  reducePermit,
  removePermit,
} from './permit-rows.ts';

/**
 * Permits by which the processes of one PostgreSQL database share the slots of a queue without waiting for each other.
 * A process asks for a permit, a row that counts as taken slots, in a short transaction of its own. A lock lets one
 * process at a time ask for the permits of a queue; a process that does not get it tries again soon. A transaction that
 * fills slots takes no lock: it reduces a permit in the same commit. So permits and orders in flight together never
 * exceed the capacity. A process may have several permits of a queue, and asks for more while a transaction uses one.
 */
export interface Permits {
  /** Makes sure that there are permits for the queues, as far as they have room and orders. */
  ask(queues: readonly ClaimableQueue[], limit: number): Promise<{ readonly isBusy: boolean }>;
  /**
   * Returns the permit of a queue for an order that begins when it is placed; null = there is none. From now on such
   * orders are expected: the process asks for more permits than it has orders.
   */
  ahead(queue: string, capacity: number): Permit | null;
  /**
   * Locks a permit of the queue until the commit, and returns the number of orders left in it; null = there is none.
   */
  lock(trx: Transaction, queue: ClaimableQueue): Promise<{ readonly permit: Permit; readonly left: number } | null>;
  /**
   * Uses a permit that the transaction has locked.
   * @param isLast whether no other order waits: then the rest is given back, unless orders are expected
   */
  use(trx: Transaction, permit: Permit, orders: number, isLast?: boolean): void;
}

/** Lifetime of a permit by the database's clock. The slots of a process that dies are free again after this time. */
const LASTS_MS = 5_000;
/** Age until which a permit is used, by the clock of this process. Older permits may be about to be removed. */
const USED_WITHIN_MS = 3_000;
/** Age from which on a permit is replaced as long as orders begin by it. */
const RENEWED_AFTER_MS = 1_500;
/** Maximum number of orders of a permit beyond those that are claimed now, so that not every claim has to ask. */
const ORDERS_AHEAD = 256;
/** Divisor of the free slots: one process may reserve this part of them ahead. */
const PART_AHEAD = 8;
/** Pause after a process could reserve no slot ahead. */
const AHEAD_AGAIN_MS = 500;

/** The permits of this process for one queue. */
interface OfQueue {
  permits: readonly Permit[];
  /** Number of orders beyond the waiting ones for which it last had permits. */
  ahead: number;
  /** Time when the last order was placed that could have begun at once. */
  wantedAt: number;
  /** Time from which on it may ask ahead. */
  asksAt: number;
}

interface Granted {
  readonly permit: Permit | null;
  /** Earlier permits of this process, which it has given back. */
  readonly ended: readonly Permit[];
  /** Number of orders in the permit that are not placed yet. */
  readonly ahead: number;
  /** Whether other processes are asking or claiming now. */
  readonly isBusy: boolean;
}

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
  return database.kind === 'sqlite' ? null : createPermits(database);
}

/** Creates the permits of a process. @param database a PostgreSQL database */
export function createPermits(database: Pick<Database, 'writeAside'>): Permits {
  const queues = new Map<string, OfQueue>();

  return {
    async ask(claimable, limit) {
      const wanted = claimable.filter((queue) => !hasPermit(queue, limit));
      // In the same order in every process.
      wanted.sort((one, other) => (one.name < other.name ? -1 : 1));
      return { isBusy: wanted.length > 0 && (await grantAll(wanted, limit)) };
    },
    ahead(name, capacity) {
      queueOf(name).wantedAt = world.monotonic();
      return largest(usable(name, capacity));
    },
    async lock(trx, { name, capacity }) {
      const permit = largest(usable(name, capacity));
      if (permit === null) return null;
      const row = await trx.first(lockPermit, permit);
      if (row === undefined) remove(permit);
      return { permit, left: row === undefined ? 0 : row.orders - usesIn(trx, permit).orders };
    },
    use(trx, permit, orders, isLast = false) {
      const uses = usesIn(trx, permit);
      uses.orders += orders;
      uses.isLast ||= isLast;
      trx.beforeCommit(`permit ${permit.holder}`, (session) => writeUses(session, permit, uses));
      trx.afterCommit(() => {
        permit.left = uses.isOver ? 0 : permit.left - orders;
        renew(permit);
      });
      // The transaction may be committed. The rest of the permits counts until they expire.
      trx.onFault(() => queues.clear());
    },
  };

  function writeUses(session: Pick<Transaction, 'send'>, { queue, holder, left }: Permit, uses: Uses): void {
    const rest = left - uses.orders;
    const { ahead, wantedAt } = queueOf(queue);
    uses.isOver = rest <= 0 || (uses.isLast && !(isWanted(wantedAt) && rest <= ahead));
    if (uses.isOver) session.send(removePermit, { queue, holder });
    else if (uses.orders > 0) session.send(reducePermit, { queue, holder, by: uses.orders });
  }

  /** Asks for permits ahead, once half of them are used or they are old. */
  function renew({ queue: name, capacity }: Permit): void {
    const of = queueOf(name);
    const left = usable(name, capacity, RENEWED_AFTER_MS).reduce((sum, permit) => sum + permit.left, 0);
    if (isWanted(of.wantedAt) && left <= of.ahead / 2 && world.monotonic() >= of.asksAt)
      void askAhead(of, { name, capacity });
  }

  function queueOf(name: string): OfQueue {
    const known = queues.get(name);
    if (known !== undefined) return known;
    const never = Number.NEGATIVE_INFINITY;
    const made = { permits: [], ahead: 0, wantedAt: never, asksAt: never };
    queues.set(name, made);
    return made;
  }

  function usable(name: string, capacity: number, withinMs = USED_WITHIN_MS): Permit[] {
    const since = world.monotonic() - withinMs;
    return queueOf(name).permits.filter(
      (permit) => permit.left > 0 && permit.capacity <= capacity && permit.at > since,
    );
  }

  function remove(permit: Permit): void {
    const of = queueOf(permit.queue);
    of.permits = of.permits.filter((other) => other !== permit);
  }

  function hasPermit({ name, capacity, atMost, hasTrial }: ClaimableQueue, limit: number): boolean {
    const left = largest(usable(name, capacity))?.left ?? 0;
    return hasTrial === undefined && left >= Math.min(limit, atMost ?? limit);
  }

  async function askAhead(of: OfQueue, queue: ClaimableQueue): Promise<void> {
    of.asksAt = Number.POSITIVE_INFINITY;
    // Without a permit orders are claimed from the queue.
    await grantAll([queue], 0).catch(() => {});
    of.asksAt = world.monotonic() + (of.ahead > 0 ? 0 : AHEAD_AGAIN_MS);
  }

  /** @param limit maximum number of orders to claim now @returns whether others are asking or claiming now */
  async function grantAll(wanted: readonly ClaimableQueue[], limit: number): Promise<boolean> {
    const granted = await database.writeAside('claim_permits', async (trx) => {
      const given = new Map<ClaimableQueue, Granted>();
      for (const queue of wanted) given.set(queue, await grant(trx, queue, limit));
      return given;
    });
    for (const [{ name }, { permit, ended, ahead }] of granted) {
      const of = queueOf(name);
      of.permits = [...of.permits.filter((other) => !ended.includes(other)), ...(permit === null ? [] : [permit])];
      of.ahead = ahead;
    }
    return [...granted.values()].some(({ isBusy }) => isBusy);
  }

  async function grant(trx: Transaction, queue: ClaimableQueue, limit: number): Promise<Granted> {
    const { name, capacity, atMost, hasTrial } = queue;
    const at = world.monotonic();
    const { permits: own, wantedAt, ahead: before } = queueOf(name);
    if (!(await trx.tryLock(permitsLockOf(name)))) return { permit: null, ended: [], ahead: before, isBusy: true };
    const most = Math.max(limit, ORDERS_AHEAD);
    // With a trial deferred orders have no slot reserved.
    const dueInMs = hasTrial === undefined ? DUE_SOON_MS : -Number.MAX_SAFE_INTEGER;
    const [ended, counted, preparing] = await Promise.all([
      endPermits(trx, name, own),
      trx.first(countForPermit(trx), { queue: name, capacity, most, dueInMs }),
      hasTrial === undefined ? undefined : trx.first(hasPreparing, { queue: name }),
    ]);
    const { reserved = 0, waiting: count = 0, taken = 0 } = counted ?? {};
    let free = capacity - taken - reserved;
    // An order that is being prepared may become the test order. One that left this step has taken the trial before.
    if (free <= 0 && hasTrial?.() === true && preparing === undefined && reserved === 0) free = 1;
    const isWhole = atMost === undefined && hasTrial === undefined;
    const partOf = (slots: number) =>
      isWhole ? Math.max(0, Math.min(Math.floor(slots / PART_AHEAD), ORDERS_AHEAD)) : 0;
    let orders = Math.max(0, Math.min(limit, atMost ?? limit, free, count));
    if (limit > 0) orders = Math.max(orders, Math.min(count, partOf(free)));
    const ahead = isWanted(wantedAt) ? partOf(free - orders) : 0;
    const isBusy = orders === 0 && count > 0 && reserved > 0;
    orders += ahead;
    if (orders === 0) return { permit: null, ended, ahead, isBusy };
    const permit = { queue: name, holder: world.randomUUID(), capacity, at, left: orders };
    trx.send(insertPermit(trx), { queue: name, holder: permit.holder, orders, lastsMs: LASTS_MS });
    return { permit, ended, ahead, isBusy };
  }
}

const isWanted = (wantedAt: number): boolean => world.monotonic() - wantedAt < USED_WITHIN_MS;

function largest(permits: readonly Permit[]): Permit | null {
  return permits.reduce<Permit | null>((most, permit) => (permit.left > (most?.left ?? 0) ? permit : most), null);
}
