import type { TaskEvent } from '../decide/event.ts';
import { orderOf } from '../task-order.ts';
import type { Attempt } from './attempt.ts';
import { jobOf, notConfigured } from './call-engine.ts';

/**
 * Searches the engine's answer to an order after a crash: in the spool, then at the engine, if it can look up orders by
 * our task id.
 */
export async function findTrace(attempt: Attempt): Promise<TaskEvent> {
  const { work, task, signal } = attempt;
  const answer = await work.answers.find(task);
  if (answer === 'elsewhere') return { type: 'searched', found: 'elsewhere' };
  const engine = attempt.engine ?? notConfigured(task.id, task.route.engine);
  if (answer !== null) {
    attempt.interruption.setResumable(false, engine);
    return answer.kind === 'delivery'
      ? { type: 'answered', kind: 'delivery' }
      : { type: 'answered', kind: 'operation', checkAfterMs: 0 };
  }
  if (engine.find === undefined) return { type: 'searched', found: 'nothing' };
  attempt.order ??= await orderOf(attempt);
  const { order } = attempt;
  const operation = await engine.find(task.id, order, { signal, onProgress: () => {} });
  if (operation === null) return { type: 'searched', found: 'nothing' };
  work.answers.add(task, engine.name, { kind: 'operation', operation, job: jobOf(engine, operation, order) });
  return { type: 'answered', kind: 'operation', checkAfterMs: 0 };
}
