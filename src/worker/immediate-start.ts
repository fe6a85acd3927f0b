import type { Engine } from '@darkroom-service/engines';
import { takeFreeSlot } from '../queue/queue-state.ts';
import { subjectOfRoute } from '../routing/valve.ts';
import type { ImmediateStart } from '../tasks/task-services.ts';
import { isMemoryFull } from './apply/task-facts.ts';
import type { Permits } from './claim-permits.ts';
import { CLAIM_BEYOND_DEADLINE_MS, isClaimedFrom } from './claim-tasks.ts';
import type { WorkerServices } from './worker-services.ts';

const FIRST_FENCE = 1;

interface BeginOptions extends Pick<ImmediateStart, 'begin'> {
  /** Returns the capacity of an engine's queue if it may be claimed from without limits of this process. */
  readonly immediateCapacity: (engine: Engine, queue: string) => number | null;
  /** Tells whether this process may claim so many orders now. */
  readonly mayBegin: (orders: number) => boolean;
  /** Permits of this process; null on a database with one writer. */
  readonly permits: Permits | null;
  /** Called when an order may be stored as begun, and this process does not begin it. */
  readonly onFault: () => void;
}

/**
 * Creates the function that begins orders in the transaction that places them, as if they were claimed and submitted in
 * it: one commit instead of three. Only if nothing would keep this process from calling the engine right after the
 * commit.
 */
export function createImmediateStart(
  work: WorkerServices,
  { immediateCapacity, mayBegin, permits, onFault, begin }: BeginOptions,
): ImmediateStart & {
  /** Resolves once all current transactions have ended. */
  placed(): Promise<void>;
} {
  // Counted, not kept in a set: the tables that a set has outgrown keep its orders until the whole heap is collected.
  let ordersPlacing = 0;
  const waiting = new Set<() => void>();
  return {
    slotsFor({ route, queue }) {
      const engine = work.engines.get(route.engine);
      if (engine === undefined || !mayBegin(ordersPlacing) || !maySubmit(engine)) return null;
      const valves = [route.engine, subjectOfRoute(route)];
      if (valves.some((name) => work.valves.stateOf(name) !== 'free')) return null;
      const capacity = immediateCapacity(engine, queue);
      if (capacity === null) return null;
      const permit = permits?.ahead(queue, capacity) ?? null;
      return permits !== null && permit === null ? null : { capacity, permit };
    },
    async take(trx, { id, queue, slots, deadlineAt }) {
      const permit = isClaimedFrom(trx, queue) ? false : await takeFreeSlot(trx, queue, slots);
      if (permit === false) return null;
      if (permit !== null) permits?.use(trx, permit, 1);
      trx.onFault(() => {
        work.confirmedUnsent.record({ id, fence: FIRST_FENCE });
        onFault();
      });
      const now = work.services.clock.now();
      return {
        step: 'submitting',
        status: 'processing',
        worker: work.worker,
        fence: FIRST_FENCE,
        started_at: now,
        progressed_at: now,
        next_at: deadlineAt + CLAIM_BEYOND_DEADLINE_MS,
      };
    },
    during(placement, orders) {
      ordersPlacing += orders;
      return placement.finally(() => {
        ordersPlacing -= orders;
        if (ordersPlacing > 0) return;
        for (const resume of waiting) resume();
        waiting.clear();
      });
    },
    begin,
    placed: async () => {
      if (ordersPlacing > 0) await new Promise<void>((resolve) => waiting.add(resolve));
    },
  };

  function maySubmit(engine: Engine): boolean {
    if (work.interceptors.beforeSubmission !== null) return false;
    if (!work.installation.maySubmit() || (engine.instance?.submissionsPerMinute ?? null) !== null) return false;
    return engine.repeatable === true || !isMemoryFull(work);
  }
}
