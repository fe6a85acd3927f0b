import { measureRequest } from '../catalog/measure-request.ts';
import type { ResolvedRequest } from '../catalog/model.ts';
import type { TaskFailure } from '../engines/engine.ts';
import { isUnfetched, measurementsOf, type TaskRow } from '../tasks/task.ts';
import { mediaOf, requestOf } from '../tasks/task-json.ts';
import { questionBefore } from './moderation-question.ts';
import type { WorkerServices } from './worker-services.ts';

/** What an order became once its media were measured; or why it cannot be made; or that its media must be fetched first. */
export type Preparation =
  | { readonly ready: true; readonly request: ResolvedRequest }
  | { readonly ready: false; readonly failure: TaskFailure }
  | { readonly unfetched: true };

/** Measures the request of a claimed task by its media, and asks moderation. Nothing is written. */
export async function prepareTask(work: WorkerServices, task: TaskRow, signal: AbortSignal): Promise<Preparation> {
  const request = requestOf(task);
  const media = mediaOf(task);
  if (media.some(isUnfetched)) return { unfetched: true };
  const model = work.services.catalog().find(task.model_id);
  const measured = model === null ? { request, faults: [] } : measureRequest(model, request, measurementsOf(media));
  const fault = measured.faults[0];
  if (fault !== undefined) return refusalOf('invalid_input', `${fault.param ?? 'request'}: ${fault.message}`);
  const question = () => questionBefore(task, model, measured.request, media, work.services.signer);
  const reason = (await work.moderation?.judge(question(), signal)) ?? null;
  if (reason !== null) return refusalOf('content_policy', reason);
  return { ready: true, request: measured.request };
}

function refusalOf(code: TaskFailure['code'], message: string): Preparation {
  return { ready: false, failure: { code, message } };
}
