import { Readable } from 'node:stream';
import { STREAM_HEADERS } from '@darkroom-service/addition-common/http/event-streams';
import type { RequestEnd } from '@darkroom-service/addition-openai/mapping/abandoned-calls';
import { type CallResult, readResult, waitForCall } from '@darkroom-service/addition-openai/mapping/call-result';
import type { Call } from '@darkroom-service/addition-openai/mapping/calls';
import { describeCall } from '@darkroom-service/addition-openai/routes/answer-call';
import { trackEnd } from '@darkroom-service/addition-openai/routes/call-request';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failureOf } from '../mapping/gemini-error.ts';
import { writeContent } from '../mapping/write-answer.ts';
import { openingEvent, writeEvents } from '../mapping/write-interaction.ts';
import type { GeminiHttp } from './gemini-http.ts';

/** Interval of heartbeats: proxies cut connections that are silent for longer. */
const HEARTBEAT_SECONDS = 15;
/** Google's clients read a comment as a part of the answer, but skip empty lines. */
const HEARTBEAT = '\n\n';

/** Answers a call by server-sent events, which keep the connection alive however long it takes. */
export async function streamCall(parts: GeminiHttp, request: FastifyRequest, reply: FastifyReply, call: Call) {
  const { http } = parts.kernel;
  const kernel = http.linked(request);
  const key = http.caller(request);
  const isInteraction = call.view.door === 'gemini:interaction';
  const first = isInteraction ? openingEvent(call, await readResult(kernel, key, call)) : HEARTBEAT;
  describeCall(reply, call);
  let end: RequestEnd = 'left';
  trackEnd(parts, reply, call, () => end);
  const wait = parts.waits.open(reply.raw);
  reply.raw.once('close', wait.close);
  async function* events() {
    yield first;
    for (;;) {
      const result = await waitForCall(kernel, key, call, { seconds: HEARTBEAT_SECONDS, signal: wait.signal });
      if (wait.signal.aborted) return;
      if (!result.isFinal) {
        yield HEARTBEAT;
        continue;
      }
      yield* isInteraction ? writeEvents(kernel, call, result) : contentEvent(kernel, call, result);
      end = 'delivered';
      return;
    }
  }
  return reply.headers(STREAM_HEADERS).send(Readable.from(events(), { objectMode: false }));
}

async function* contentEvent(kernel: Pick<Kernel, 'files' | 'outputs'>, call: Call, result: CallResult) {
  const [failed] = result.failures;
  yield 'data: ';
  if (result.images.length === 0 && failed !== undefined) yield JSON.stringify(failureOf(failed.failure).body);
  else yield* writeContent(kernel, call, result);
  yield '\n\n';
}
