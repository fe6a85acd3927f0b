import type { Engine } from '@darkroom-service/engines';
import { sql } from 'kysely';
import type { Transaction } from '../../database/database.ts';
import { prepareTaskCount } from '../../database/prepared.ts';
import { HOLDS_NO_SLOT, IN_FLIGHT } from '../../queue/in-flight.ts';
import { reserveFreeSlots } from '../../queue/queue-state.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { isUnrepeatable, mayBeginNow } from '../../routing/slow-begin.ts';
import { subjectOfRoute } from '../../routing/valve.ts';
import { type Changes, moveTask } from '../../tasks/move-task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import type { ClaimedTask } from '../claimed-task.ts';
import { countBegun } from '../count-begun.ts';
import type { TaskEvent } from '../decide/event.ts';
import { capacityOf } from '../open-queues.ts';
import { permitsLockOf, permittedOrders } from '../permit-rows.ts';
import { claimableAgain } from '../rerouting/release.ts';
import { retryUnconfirmedWrite } from '../retry-own-write.ts';
import type { WorkerServices } from '../worker-services.ts';
import { exclusionOf } from './task-facts.ts';

/**
 * Checks the rule of the order, that the service is not suspended, and the valves, claims a slot of the engine, and
 * writes `submitting`, which is on disk before the engine is called.
 */
export async function claimSlot(claimed: ClaimedTask): Promise<TaskEvent> {
  const { work, signal, task, engine } = claimed;
  const { route } = task;
  // The facts that it depends on may have changed since the route was chosen.
  const excluded = route.rule === undefined ? null : exclusionOf(claimed);
  if (excluded !== null) return { type: 'route_excluded', reason: excluded };
  if (!work.installation.maySubmit() || work.processState.refusedKey(route.engine) !== null)
    return { type: 'submission_blocked' };
  const isSlow = work.valves.beginning(route.engine) !== null && engine !== undefined && isUnrepeatable(engine, route);
  if (isSlow && work.valves.isFull(route.engine)) return { type: 'submission_blocked' };
  const isTrial = work.valves.stateOf(route.engine) === 'on_trial';
  claimed.submission.isTest = isTrial || work.valves.stateOf(subjectOfRoute(route)) === 'on_trial';
  if (engine === undefined || !work.valves.mayStart(route, task.step === 'deferred'))
    return { type: 'submission_blocked' };
  if (!(await isWithinPace(work, engine))) {
    if (isSlow) work.valves.recordFull(route.engine);
    return { type: 'submission_blocked' };
  }
  claimed.interruption.setResumable(engine.repeatable === true, engine);
  // An earlier stop waits for no call. From here on it waits for this one.
  signal.throwIfAborted();
  const now = work.services.clock.now();
  const changes: Changes = { started_at: task.started_at ?? now, progressed_at: now, operation_json: null };
  // Only the measurement of media changes a request.
  if (task.media.length > 0) changes.request = task.request;
  // Calls that hang may hold every slot, so the one order that tests the upstream needs none. Read for each attempt: it
  // may be lower by the time of the second write.
  const capacity = () => (isTrial ? Number.MAX_SAFE_INTEGER : capacityOf(task.queue, work.load.limitOf(engine)));
  const claim = () => claimEngineSlot(work.services, task, capacity(), changes, isSlow ? now : null);
  work.confirmedUnsent.record(task);
  const stored = await retryUnconfirmedWrite(work.services, task, signal, claim);
  if (stored === null) return { type: 'no_slot' };
  if (stored === 'too_early') {
    work.valves.recordFull(route.engine);
    return { type: 'submission_blocked' };
  }
  if (task.started_at === null) countBegun(work.services, task);
  claimed.task = stored;
  return { type: 'slot_claimed' };
}

/** Opens a short pause for all processes when the operator's limit of submissions per minute is used up. */
async function isWithinPace(work: WorkerServices, engine: Engine): Promise<boolean> {
  const limit = engine.instance?.submissionsPerMinute ?? null;
  const waitMs = limit === null ? null : await work.load.countSubmission(engine);
  if (waitMs === null) return true;
  await work.valves.pause(engine.name, `at most ${limit} orders per minute are submitted to ${engine.name}`, waitMs);
  return false;
}

interface SlotQuery {
  queue: string;
  /** Id of this task, which is not counted: it may be a retry of an unconfirmed write. */
  id: string;
  capacity: number;
}

const countBusy = prepareTaskCount<SlotQuery>('submit_busy', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('id')
    .where('queue', '=', argument('queue'))
    .where('id', '!=', argument('id'))
    .where(IN_FLIGHT)
    .where('step', '!=', sql.lit('deferred'))
    .where(sql<boolean>`not (${HOLDS_NO_SLOT})`)
    .limit(sql<number>`${argument('capacity')}`),
);

/**
 * Writes `submitting` before the engine is called, also if it is already written. A task claimed from the queue already
 * has a slot of the engine. A deferred task needs a free one, and also a slot of its key if it gave that up.
 * @param slowAt the time by the service's clock, if orders of the engine begin slowly
 * @returns null if no slot is free; `too_early` if other orders of the engine must be accepted before
 * @throws LostClaim, or the error of the write; the engine must then not be called
 */
export async function claimEngineSlot(
  services: Pick<TaskServices, 'database' | 'events'>,
  task: TaskRecord,
  capacity: number,
  changes: Changes,
  slowAt: number | null = null,
): Promise<TaskRecord | 'too_early' | null> {
  const take = async (trx: Transaction) => {
    if (slowAt !== null && !(await mayBeginNow(trx, task, slowAt))) return 'too_early';
    if (task.step === 'deferred') {
      await trx.lock(permitsLockOf(task.queue));
      reserveFreeSlots(trx, task.queue);
      // With its lock, before expired permits are removed.
      const claimable = await claimableAgain(trx, task);
      const reserved = await permittedOrders(trx, task.queue);
      const busy = (await trx.first(countBusy, { queue: task.queue, id: task.id, capacity }))?.count ?? 0;
      if (busy + reserved >= capacity || claimable === 0) return null;
      if (task.claimable === 0) return await moveTask(services, trx, task, 'submitting', { ...changes, claimable });
    }
    return await moveTask(services, trx, task, 'submitting', changes);
  };
  return await services.database.write('submitting', take, { together: slowAt === null });
}
