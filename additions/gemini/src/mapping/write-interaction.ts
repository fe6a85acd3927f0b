import type { CallResult } from '@darkroom-service/addition-openai/mapping/call-result';
import type { Call } from '@darkroom-service/addition-openai/mapping/calls';
import { isoTime } from '@darkroom-service/contract';
import type { Kernel, StoredOutput } from '@darkroom-service/darkroom/kernel';
import { writeFile } from './write-answer.ts';

type Writing = Pick<Kernel, 'files' | 'outputs'>;
type Pieces = AsyncGenerator<string | Uint8Array>;

const OPEN_STEP = '{"type":"model_output","content":[';

/** Writes a call as an interaction, with its files once it is final. */
export async function* writeInteraction(kernel: Writing, call: Call, result: CallResult): Pieces {
  yield `${JSON.stringify(headOf(call, result)).slice(0, -1)},"steps":[`;
  for (const [index, { output }] of result.images.entries()) {
    yield index === 0 ? OPEN_STEP : ',';
    yield* writeOutput(kernel, call, output);
  }
  yield result.images.length === 0 ? ']}' : ']}]}';
}

/** Writes the events before an interaction is final. */
export function openingEvent(call: Call, result: CallResult): string {
  return event('interaction.created', { interaction: headOf(call, result) });
}

/** Writes the events of a final interaction: its files, or its error, and its end. */
export async function* writeEvents(kernel: Writing, call: Call, result: CallResult): Pieces {
  const [failed] = result.failures;
  if (result.images.length === 0 && failed !== undefined) yield event('error', { error: failed.failure });
  if (result.images.length > 0) yield event('step.start', { index: 0, step: { type: 'model_output', content: [] } });
  for (const { output } of result.images) {
    yield 'event: step.delta\ndata: {"event_type":"step.delta","index":0,"delta":';
    yield* writeOutput(kernel, call, output);
    yield '}\n\n';
  }
  if (result.images.length > 0) yield event('step.stop', { index: 0 });
  yield event('interaction.completed', { interaction: headOf(call, result) });
  yield 'data: [DONE]\n\n';
}

async function* writeOutput(kernel: Writing, { view }: Call, output: StoredOutput): Pieces {
  const uri = kernel.files.signer.sign(output.key).url;
  yield `{"type":"${output.contentType.startsWith('video/') ? 'video' : 'image'}","uri":${JSON.stringify(uri)},`;
  if (view.format === 'url') yield `"mime_type":${JSON.stringify(output.contentType)}`;
  else yield* writeFile(kernel, output, ['mime_type', 'data']);
  yield '}';
}

function headOf({ id }: Call, result: CallResult): object {
  const { createdAt, completedAt, failures, images, modelId } = result;
  const [failed] = images.length === 0 ? failures : [];
  return {
    id,
    object: 'interaction',
    model: modelId,
    role: 'model',
    status: statusOf(result),
    created: isoTime(createdAt),
    updated: isoTime(completedAt ?? createdAt),
    ...(failed === undefined ? {} : { errors: [{ code: failed.failure.code, message: failed.failure.message }] }),
    usage: { total_input_tokens: 0, total_output_tokens: 0, total_tokens: 0 },
  };
}

function statusOf({ failures, images, isFinal }: CallResult): string {
  if (!isFinal) return 'in_progress';
  if (images.length > 0) return 'completed';
  return failures.every(({ failure }) => failure.code === 'canceled') ? 'cancelled' : 'failed';
}

function event(type: string, content: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ event_type: type, ...content })}\n\n`;
}
