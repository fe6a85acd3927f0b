import type { TaskRecord } from '../../src/record/task-record.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { claimEngineSlot } from '../../src/worker/apply/claim-slot.ts';
import { checkLateAgain, expectNothing, reportLate } from '../../src/worker/apply/late-result.ts';
import type { ClaimedTask } from '../../src/worker/claimed-task.ts';
import { release, reroute } from '../../src/worker/rerouting/release.ts';
import { commitEnding, commitMove, commitRelease, succeededWith } from '../helpers/task-commits.ts';
import type { Work } from './commands.ts';

const CAPACITY = 1_000;
const FAILURE = { code: 'upstream_error', message: 'x' } as const;

/**
 * Does with a claimed order what is wished, or the nearest that its step allows.
 * @returns the order as this process still has it; null if it has not
 * @throws LostClaim
 */
export async function workOn(
  services: TaskServices,
  task: TaskRecord,
  { work, share }: { readonly work: Work; readonly share: number },
): Promise<TaskRecord | null> {
  if (task.step === 'final') await lookForLateResult(services, task, work);
  else if (task.deadline_at <= services.clock.now()) await end(services, task, 'fail', share);
  else if (task.step === 'waiting') await (work === 'park' ? park(services, task) : queue(services, task));
  else if (work === 'submit' && task.step !== 'running') return await submit(services, task);
  else if (work === 'run' && task.step === 'submitting') return await commitMove(services, task, 'running');
  else if (work === 'defer' && task.step === 'submitting') await defer(services, task);
  else if (work === 'park' && task.step === 'preparing') await park(services, task);
  else if (work === 'return' && task.step === 'preparing') await queue(services, task);
  else if (work === 'move_on' && (task.step === 'preparing' || task.step === 'deferred')) await moveOn(services, task);
  else await end(services, task, work, share);
  return null;
}

async function end(services: TaskServices, task: TaskRecord, work: Work, share: number): Promise<void> {
  const late = work === 'fail_late' && task.step !== 'preparing' ? { lateResultAfterMs: 60_000 } : {};
  const ending = work.startsWith('fail')
    ? ({ status: 'failed', failure: FAILURE, ...late } as const)
    : succeededWith(Math.floor(task.price * share), task);
  await commitEnding(services, 'settle', task, ending);
}

/** An order that its upstream refuses for a while. */
async function defer(services: TaskServices, task: TaskRecord): Promise<void> {
  await release(services, task, { step: 'deferred', afterMs: 20_000, attempts: 1, why: 'refused' });
}

async function park(services: TaskServices, task: TaskRecord): Promise<void> {
  await release(services, task, { step: 'waiting', afterMs: 90_000 });
}

async function queue(services: TaskServices, task: TaskRecord): Promise<void> {
  await release(services, task, { step: 'waiting', afterMs: 0 });
}

async function moveOn(services: TaskServices, task: TaskRecord): Promise<void> {
  const engine = task.route.engine === 'sketch' ? 'elsewhere' : 'sketch';
  await reroute(services, task, { route: { ...task.route, engine }, queue: `${engine}:live` });
}

async function submit(services: TaskServices, task: TaskRecord): Promise<TaskRecord | null> {
  const now = services.clock.now();
  const changes = { started_at: task.started_at ?? now, progressed_at: now, operation_json: null };
  const claimed = await claimEngineSlot(services, task, CAPACITY, changes);
  if (claimed !== null && claimed !== 'too_early') return claimed;
  await commitRelease(services, task, { afterMs: 1_000, attempts: task.attempts });
  return null;
}

async function lookForLateResult(services: TaskServices, task: TaskRecord, work: Work): Promise<void> {
  const attempt = { work: { services }, task } as unknown as ClaimedTask;
  if (work === 'park') await checkLateAgain(attempt, 60_000);
  else if (work.startsWith('fail')) await expectNothing(attempt);
  else await reportLate(attempt, 'it came late', { type: 'no_slot' });
}
