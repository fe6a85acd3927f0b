import { Readable } from 'node:stream';
import { cutText, formatMicros } from '@darkroom-service/contract';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallResult } from '../mapping/call-result.ts';
import type { Call } from '../mapping/calls.ts';
import { writeCompletion } from '../mapping/chat-answer.ts';
import type { Dialect } from '../mapping/dialect.ts';
import { failureOf } from '../mapping/openai-error.ts';

const MOST_NAMES = 20;
const LONGEST_NAME = 64;
const LONGEST_AT_ONCE = 128 * 1024;

/** Answers a call whose tasks are final: its images, or the failure of the first task if there are none. */
export async function answerFinal(
  { kernel, dialect }: { readonly kernel: Pick<Kernel, 'files' | 'outputs'>; readonly dialect: Dialect },
  request: FastifyRequest,
  reply: FastifyReply,
  { call, result }: { readonly call: Call; readonly result: CallResult },
) {
  reply.header('x-litellm-response-cost', formatMicros(result.charged));
  describeCall(reply, call);
  const [failed] = result.failures;
  if (result.images.length === 0 && failed !== undefined) {
    const { status, headers, error } = failureOf(failed.failure);
    request.refusal = failed.failure.code;
    return reply
      .code(status)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .send(dialect.errorBody(error));
  }
  if (result.failures.length > 0)
    reply.header(
      'darkroom-failed-tasks',
      result.failures.map(({ taskId, failure }) => `${taskId}=${failure.code}`).join(', '),
    );
  reply.header('cache-control', 'no-store').type('application/json; charset=utf-8');
  const write = call.view.chatModel === undefined ? dialect.writeImages : writeCompletion;
  const pieces = write(kernel, call, result);
  if (!fitsAtOnce(kernel, call, result)) return reply.send(Readable.from(pieces, { objectMode: false }));
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  return reply.send(Buffer.concat(parts));
}

/** Tells whether an answer needs no storage and is short enough to be sent at once. */
function fitsAtOnce({ outputs }: Pick<Kernel, 'outputs'>, { view }: Call, { images }: CallResult): boolean {
  if (view.format === 'url') return true;
  const bytes = images.map(({ output }) => outputs.cached(output)?.byteLength ?? Number.POSITIVE_INFINITY);
  return bytes.reduce((sum, one) => sum + one, 0) <= LONGEST_AT_ONCE;
}

/** Adds headers with the tasks of a call, and the fields that it ignored. */
export function describeCall(reply: FastifyReply, { taskIds, view }: Call): void {
  reply.header('darkroom-task-ids', taskIds.join(', '));
  if (view.ignored.length === 0) return;
  const names = view.ignored
    .slice(0, MOST_NAMES)
    .map((name) => cutText(name, LONGEST_NAME).replaceAll(/[^\w.-]/g, '_'));
  reply.header('darkroom-ignored-fields', names.join(', '));
}
