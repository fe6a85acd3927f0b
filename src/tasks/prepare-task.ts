import { measureRequest } from '../catalog/measure-request.ts';
import type { ResolvedRequest } from '../catalog/model.ts';
import type { TaskFailure } from '../engines/engine.ts';
import { ReferenceFault } from '../media/references.ts';
import { measurementsOf } from './order-media.ts';
import { type TaskMedia, type TaskRow, taskFileKey } from './task.ts';
import type { WorkerDesk } from './worker-desk.ts';

/** What an order became once its media were fetched, checked and measured; or why it cannot be made. */
export type Preparation =
  | { readonly ready: true; readonly request: ResolvedRequest; readonly media: readonly TaskMedia[] }
  | {
      readonly ready: false;
      readonly failure: TaskFailure;
      /** Whether the same may work later. */
      readonly retryable: boolean;
    };

/** Fetches and checks the media of a claimed task, measures the request by them, and asks moderation. Nothing is written but files. */
export async function prepareTask(work: WorkerDesk, task: TaskRow, signal: AbortSignal): Promise<Preparation> {
  const request = JSON.parse(task.request_json) as ResolvedRequest;
  const wanted = task.media_json === null ? [] : (JSON.parse(task.media_json) as TaskMedia[]);
  const media: TaskMedia[] = [];
  for (const medium of wanted) {
    try {
      media.push(await collect(work, task, medium, signal));
    } catch (error) {
      if (!(error instanceof ReferenceFault)) throw error;
      return refused('invalid_input', `${medium.field}[${medium.index}]: ${error.message}`, error.retryable);
    }
  }
  const model = work.desk.catalog().find(task.model_id);
  const measured = model === null ? { request, faults: [] } : measureRequest(model, request, measurementsOf(media));
  const fault = measured.faults[0];
  if (fault !== undefined) return refused('invalid_input', `${fault.param ?? 'request'}: ${fault.message}`, false);
  const reason = await askModeration(work, task, measured.request, media, signal);
  if (reason !== null) return refused('content_policy', reason, false);
  return { ready: true, request: measured.request, media };
}

async function collect(work: WorkerDesk, task: TaskRow, medium: TaskMedia, signal: AbortSignal): Promise<TaskMedia> {
  if (medium.stored !== null || medium.url === null) return medium;
  const key = taskFileKey(task.id, task.fence, `in-${medium.field.replaceAll('_', '-')}-${medium.index}`);
  const collected = await work.desk.references.collect({ url: medium.url, kind: medium.kind }, { key }, { signal });
  const { contentType, bytes, width, height, durationSeconds, hasAudio } = collected;
  return { ...medium, stored: { key, contentType, bytes, width, height, durationSeconds, hasAudio } };
}

async function askModeration(
  work: WorkerDesk,
  task: TaskRow,
  request: ResolvedRequest,
  media: readonly TaskMedia[],
  signal: AbortSignal,
): Promise<string | null> {
  if (work.moderation === null) return null;
  const { prompt } = request.values;
  return await work.moderation.judge(
    {
      stage: 'input',
      task_id: task.id,
      model_id: task.model_id,
      end_user: task.end_user,
      prompt: typeof prompt === 'string' ? prompt : null,
      urls: media.flatMap(({ stored }) => (stored === null ? [] : [work.desk.signer.sign(stored.key).url])),
    },
    signal,
  );
}

function refused(code: TaskFailure['code'], message: string, retryable: boolean): Preparation {
  return { ready: false, failure: { code, message }, retryable };
}
