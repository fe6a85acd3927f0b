import { routeOf } from '../../tasks/task-json.ts';
import { claimEngineSlot } from '../claim-engine-slot.ts';
import type { TaskEvent } from '../decide/event.ts';
import { untilConfirmed } from '../retry-own-write.ts';
import type { Attempt } from './attempt.ts';

/** Checks the circuits, claims a slot of the engine, and writes `submitting`, which is on disk before the engine is called. */
export async function claimSlot(attempt: Attempt): Promise<TaskEvent> {
  const { work, held, task } = attempt;
  held.signal.throwIfAborted();
  const route = routeOf(task);
  const engine = work.engines.get(route.engine);
  if (engine === undefined || !work.circuits.mayStart(route, task.step === 'deferred')) return { type: 'held_back' };
  held.setResumable(engine.repeatable === true);
  const now = work.services.clock.now();
  const { media_json, request_json } = task;
  const started_at = task.started_at ?? now;
  const changes = { media_json, request_json, started_at, progressed_at: now, operation_json: null };
  const claimed = await untilConfirmed(work, task, held, () =>
    claimEngineSlot(work.services, task, work.load.limitOf(engine), changes),
  );
  if (claimed === null) return { type: 'no_slot' };
  attempt.task = claimed;
  return { type: 'slot_claimed' };
}
