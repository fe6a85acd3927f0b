import type { TaskEvent } from '../decide/event.ts';
import { orderOf } from '../task-order.ts';
import type { Attempt } from './attempt.ts';
import { configuredEngine, jobOf } from './call-engine.ts';

/** Searches the engine's answer to an order after a crash: in the spool, then at the engine, if it can look up orders by our task id. */
export async function findTrace(attempt: Attempt): Promise<TaskEvent> {
  const { work, task, held } = attempt;
  const answer = await work.answers.find(task);
  if (answer === 'elsewhere') return { type: 'searched', found: 'elsewhere' };
  const engine = configuredEngine(attempt);
  if (answer !== null) {
    held.setResumable(false);
    return answer.kind === 'delivery'
      ? { type: 'answered', kind: 'delivery' }
      : { type: 'answered', kind: 'operation', checkAfterMs: 0 };
  }
  if (engine.find === undefined) return { type: 'searched', found: 'nothing' };
  attempt.order ??= await orderOf(attempt);
  const { order } = attempt;
  const operation = await engine.find(task.id, order, { signal: held.signal, onProgress: () => {} });
  if (operation === null) return { type: 'searched', found: 'nothing' };
  work.answers.add(task, engine.name, { kind: 'operation', operation, job: jobOf(engine, operation, order) });
  return { type: 'answered', kind: 'operation', checkAfterMs: 0 };
}
