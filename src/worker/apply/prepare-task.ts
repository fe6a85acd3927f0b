import { measureRequest } from '../../catalog/measure-request.ts';
import type { TaskFailure } from '../../engines/engine.ts';
import { isUnfetched, measurementsOf } from '../../tasks/task.ts';
import { mediaOf, requestOf } from '../../tasks/task-json.ts';
import type { TaskEvent } from '../decide/event.ts';
import { questionBefore } from '../moderation-question.ts';
import type { Attempt } from './attempt.ts';

/** Measures the media of a claimed task's request, and asks moderation. Writes nothing. */
export async function prepareTask(attempt: Attempt): Promise<TaskEvent> {
  const { work, task, signal } = attempt;
  // Most orders: there is nothing to measure and nobody to ask.
  if (task.media_json === null && work.moderation === null) return { type: 'prepared', preparation: { ready: true } };
  const media = mediaOf(task);
  if (media.some(isUnfetched)) return { type: 'prepared', preparation: { unfetched: true } };
  const request = requestOf(task);
  const model = work.services.catalog().find(task.model_id);
  const measured = model === null ? { request, faults: [] } : measureRequest(model, request, measurementsOf(media));
  const fault = measured.faults[0];
  if (fault !== undefined) return refusedFor('invalid_input', `${fault.param ?? 'request'}: ${fault.message}`);
  if (work.moderation !== null) {
    const question = questionBefore(task, model, measured.request, media, work.services.signer);
    const reason = await work.moderation.judge(question, signal);
    if (reason !== null) return refusedFor('content_policy', reason);
  }
  // Without media the request stays as ordered.
  if (measured.request !== request) attempt.task = { ...task, request_json: JSON.stringify(measured.request) };
  return { type: 'prepared', preparation: { ready: true } };
}

function refusedFor(code: TaskFailure['code'], message: string): TaskEvent {
  return { type: 'prepared', preparation: { ready: false, failure: { code, message } } };
}
