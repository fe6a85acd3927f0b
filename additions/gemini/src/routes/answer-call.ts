import { Readable } from 'node:stream';
import type { CallResult } from '@darkroom-service/addition-openai/mapping/call-result';
import type { Call } from '@darkroom-service/addition-openai/mapping/calls';
import { describeCall } from '@darkroom-service/addition-openai/routes/answer-call';
import { formatMicros } from '@darkroom-service/contract';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failureOf } from '../mapping/gemini-error.ts';
import { writeContent, writePredictions } from '../mapping/write-answer.ts';
import { writeInteraction } from '../mapping/write-interaction.ts';

/** Answers a call as an interaction, in any state. */
export function answerInteraction(
  kernel: Pick<Kernel, 'files' | 'outputs'>,
  reply: FastifyReply,
  call: Call,
  result: CallResult,
) {
  describeCall(reply, call);
  return sendPieces(reply, writeInteraction(kernel, call, result));
}

/** Answers a call whose tasks are final: its images, or the failure of the first task if there are none. */
export function answerFinal(
  kernel: Pick<Kernel, 'files' | 'outputs'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { call, result }: { readonly call: Call; readonly result: CallResult },
) {
  reply.header('x-litellm-response-cost', formatMicros(result.charged));
  if (call.view.door === 'gemini:interaction') return answerInteraction(kernel, reply, call, result);
  describeCall(reply, call);
  const [failed] = result.failures;
  if (result.images.length === 0 && failed !== undefined) {
    const { status, body } = failureOf(failed.failure);
    request.refusal = failed.failure.code;
    return reply.code(status).header('cache-control', 'no-store').send(body);
  }
  const write = call.view.door === 'gemini:prediction' ? writePredictions : writeContent;
  const answer = write(kernel, call, result);
  return sendPieces(reply, wantsList(request) ? listed(answer) : answer);
}

/** Answers with JSON text in pieces: ten images in base64 are too much for one string. */
export function sendPieces(reply: FastifyReply, pieces: AsyncIterable<string | Uint8Array>) {
  reply.header('cache-control', 'no-store').type('application/json; charset=utf-8');
  return reply.send(Readable.from(pieces, { objectMode: false }));
}

/** Tells whether the client wants the parts of a stream as a list, as Google sends them without `alt=sse`. */
function wantsList({ params }: FastifyRequest): boolean {
  const { target = '' } = params as { readonly target?: string };
  return target.endsWith(':streamGenerateContent');
}

async function* listed(answer: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  yield '[';
  yield* answer;
  yield ']';
}
