import type { Kernel } from '@darkroom-service/darkroom/kernel';
import type { CallResult } from './call-result.ts';
import type { Call } from './calls.ts';
import { factsOf } from './images-answer.ts';
import { failureOf } from './openai-error.ts';
import type { OpenaiImageTaskView } from './video-wire.ts';

const STATUS_OK = 200;

/** Returns a call as a task that a client polls, as several gateways show it. */
export function viewImageTask(
  { files, settings }: Pick<Kernel, 'files' | 'settings'>,
  call: Call,
  result: CallResult,
  pollUrl: string,
): OpenaiImageTaskView {
  const [failed] = result.failures;
  const created = Math.floor(result.createdAt / 1000);
  const task = {
    id: call.id,
    task_id: call.id,
    object: 'image.generation.task',
    created_at: created,
    expires_at: Math.floor((result.createdAt + settings.retentionMs) / 1000),
    poll_url: pollUrl,
  } as const;
  if (result.completedAt === null) return { ...task, status: 'processing' };
  const completed_at = Math.floor(result.completedAt / 1000);
  if (result.images.length === 0 && failed !== undefined) {
    const { status, error } = failureOf(failed.failure);
    return { ...task, status: 'failed', completed_at, http_status: status, error };
  }
  const data = result.images.map(({ output }) => ({
    url: files.signer.sign(output.key).url,
    ...(output.revisedPrompt === null ? {} : { revised_prompt: output.revisedPrompt }),
  }));
  return {
    ...task,
    status: 'completed',
    completed_at,
    http_status: STATUS_OK,
    result: { created, data, ...factsOf(result) },
    ...(data[0] === undefined ? {} : { image_url: data[0].url }),
  };
}
