import { measureRequest } from '../catalog/measure-request.ts';
import type { ResolvedRequest } from '../catalog/model.ts';
import type { TaskFailure } from '../engines/engine.ts';
import { isUnfetched, measurementsOf, type TaskRow } from '../tasks/task.ts';
import { mediaOf, requestOf } from '../tasks/task-json.ts';
import { questionBefore } from './moderation-question.ts';
import type { WorkerServices } from './worker-services.ts';

/** The result of preparing an order: the measured request, a reason to fail, or the need to fetch its media first. */
export type Preparation =
  | { readonly ready: true; readonly request: ResolvedRequest }
  | { readonly ready: false; readonly failure: TaskFailure }
  | { readonly unfetched: true };

/** Measures the media of a claimed task's request, and asks moderation. Writes nothing. */
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
