import { measureRequest } from '../../catalog/measure-request.ts';
import type { TaskFailure } from '../../engines/engine.ts';
import { isUnfetched, measurementsOf } from '../../tasks/task.ts';
import type { TaskEvent } from '../decide/event.ts';
import { questionBefore } from '../moderation-question.ts';
import type { Attempt } from './attempt.ts';

/** Measures the media of a claimed task's request, and asks moderation. Writes nothing. */
export async function prepareTask(attempt: Attempt): Promise<TaskEvent> {
  const { work, task, signal } = attempt;
  // Most orders: there is nothing to measure and nobody to ask.
  if (task.media.length === 0 && work.moderation === null) return { type: 'prepared', preparation: { ready: true } };
  if (task.media.some(isUnfetched)) return { type: 'prepared', preparation: { unfetched: true } };
  const model = work.services.catalog().find(task.model_id);
  const { request, faults } =
    model === null
      ? { request: task.request, faults: [] }
      : measureRequest(model, task.request, measurementsOf(task.media));
  const fault = faults[0];
  if (fault !== undefined) return refusedFor('invalid_input', `${fault.param ?? 'request'}: ${fault.message}`);
  // Without media the request stays as ordered.
  const measured = { ...task, request };
  if (work.moderation !== null) {
    const question = questionBefore(measured, model, work.services.signer);
    const reason = await work.moderation.judge(question, signal);
    if (reason !== null) return refusedFor('content_policy', reason);
  }
  attempt.task = measured;
  return { type: 'prepared', preparation: { ready: true } };
}

function refusedFor(code: TaskFailure['code'], message: string): TaskEvent {
  return { type: 'prepared', preparation: { ready: false, failure: { code, message } } };
}
