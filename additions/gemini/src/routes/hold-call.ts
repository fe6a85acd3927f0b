import { holdCallHere } from '@darkroom-service/addition-openai/mapping/abandoned-calls';
import { waitForCall } from '@darkroom-service/addition-openai/mapping/call-result';
import type { Call } from '@darkroom-service/addition-openai/mapping/calls';
import { describeCall } from '@darkroom-service/addition-openai/routes/answer-call';
import { recordEndLater, trackEnd } from '@darkroom-service/addition-openai/routes/call-request';
import { mostHops } from '@darkroom-service/addition-openai/routes/hold-call';
import { world } from '@darkroom-service/contract';
import { publicPath } from '@darkroom-service/media';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFinal } from '../mapping/gemini-error.ts';
import { answerFinal, answerInteraction } from './answer-call.ts';
import type { GeminiHttp } from './gemini-http.ts';

/**
 * Holds a request until its call is final, and answers it. A client that follows redirects is sent to the result's
 * address before it or a proxy times out. Any other one gets the interaction as it is, or is told the address of the
 * result. No limit refuses the request: the client would send the call again.
 * @param hop number of earlier redirects
 */
export async function holdCall(
  parts: GeminiHttp,
  request: FastifyRequest,
  reply: FastifyReply,
  { call, hop }: { readonly call: Call; readonly hop: number },
): Promise<unknown> {
  const { kernel, settings, waits } = parts;
  const { http, process, store } = kernel;
  const patience = Math.max(0, settings.holdMs - (world.monotonic() - request.handledAt));
  const wait = waits.open(reply.raw);
  try {
    // Another process may have redirected the client, and may have ended since.
    if (hop > 0 && call.process !== process.id)
      await store.write('gemini_hold', (trx) => holdCallHere(trx, call.id, process.id));
    const until = { seconds: patience / 1000, signal: wait.signal, known: call.placed };
    const result = await waitForCall(kernel, http.caller(request), call, until);
    if (result.isFinal) {
      trackEnd(parts, reply, call, () => 'delivered');
      return await answerFinal(http.linked(request), request, reply, { call, result });
    }
    if (http.answers.mayBeGone(reply.raw)) recordEndLater(parts, call, 'left');
    if (hop < mostHops(request)) return redirect(parts, request, reply, { call, hop: hop + 1 });
    const isInteraction = call.view.door === 'gemini:interaction';
    if (call.process !== null) trackEnd(parts, reply, call, () => (isInteraction ? 'delivered' : 'told'));
    if (isInteraction) return answerInteraction(http.linked(request), reply, call, result);
    return answerUnfinished(parts, reply, call);
  } finally {
    wait.close();
  }
}

/** Redirects a client to the address where it waits again. A key that came in the address stays in it. */
function redirect(
  { kernel }: GeminiHttp,
  request: FastifyRequest,
  reply: FastifyReply,
  { call, hop }: { readonly call: Call; readonly hop: number },
) {
  const { keyParameter: parameter, headers } = request;
  const key = (headers.authorization ?? '').replace(/^bearer +/i, '');
  const withKey = parameter === undefined ? '' : `&${parameter}=${encodeURIComponent(key)}`;
  describeCall(reply, call);
  return reply
    .code(303)
    .headers({ location: `${resultPath(kernel, call)}?hop=${hop}${withKey}`, 'cache-control': 'no-store' })
    .send();
}

/** Answers with the address of the result. */
function answerUnfinished({ kernel }: GeminiHttp, reply: FastifyReply, call: Call) {
  const path = resultPath(kernel, call);
  const message = `The images are not finished yet. They were ordered as ${call.taskIds.join(', ')} and are still being made: collect them with GET ${path} and the same key. Sending the request again would order them again.`;
  const { status, body } = notFinal(message);
  describeCall(reply, call);
  return reply.code(status).headers({ location: path, 'cache-control': 'no-store' }).send(body);
}

/** Returns the path of a call's result. It is relative: clients do not send their key to another origin. */
function resultPath({ settings }: GeminiHttp['kernel'], { id }: Call): string {
  return `${publicPath(settings.publicUrl)}/gemini/results/${id}`;
}
