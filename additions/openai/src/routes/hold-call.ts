import { world } from '@darkroom-service/contract';
import { publicPath } from '@darkroom-service/media';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { holdCallHere } from '../mapping/abandoned-calls.ts';
import { waitForCall } from '../mapping/call-result.ts';
import type { Call } from '../mapping/calls.ts';
import type { Dialect } from '../mapping/dialect.ts';
import { answerFinal, describeCall } from './answer-call.ts';
import { recordEndLater, trackEnd } from './call-request.ts';
import type { OpenaiHttp } from './openai-http.ts';

/**
 * Clients known to follow 303 with their key, and the number of redirects: most give up at 20 redirects, some at ten.
 */
const FOLLOWED_BY: readonly (readonly [agent: RegExp, redirects: number])[] = [
  [/\bai-sdk[/-]provider-utils\//, 18],
  [/^(?:axios\/|node$|node-fetch|python-requests\/|speakeasy-sdk\/(?:python|typescript) )/, 18],
  [/\baiohttp\/|^(?:google-genai-sdk|litellm|Python-urllib)\//, 9],
];
const FOLLOWED_BY_OPENAI = 18;

/** Maximum number of requests that wait for one result; further ones are redirected at once. */
const WAITERS_PER_CALL = 3;

type HoldCall = (request: FastifyRequest, reply: FastifyReply, call: Call, hop: number) => Promise<unknown>;

/**
 * Returns a function that holds a request until its call is final, and answers it. A client that follows redirects is
 * sent to the result address before it or a proxy times out; any other one is told the address of the result. `hop` is
 * the number of earlier redirects. No limit of ours refuses the request: the client would send the call again.
 */
export function createCallHolder(options: OpenaiHttp): HoldCall {
  const { dialect, kernel, openai, waits } = options;
  const { http, process, settings, store } = kernel;
  const results = `${publicPath(settings.publicUrl)}${dialect.root}/images/results`;
  const waiters = new Map<string, number>();
  return async (request, reply, call, hop) => {
    const hops = mostHops(request);
    http.bodies.release(request);
    const waiting = waiters.get(call.id) ?? 0;
    const patience =
      waiting >= WAITERS_PER_CALL ? 0 : Math.max(0, openai.holdMs - (world.monotonic() - request.handledAt));
    waiters.set(call.id, waiting + 1);
    const wait = waits.open(reply.raw);
    try {
      // Another process may have redirected the client, and may have ended since.
      if (hop > 0 && call.process !== process.id)
        await store.write('openai_hold', (trx) => holdCallHere(trx, call.id, process.id));
      const until = { seconds: patience / 1000, signal: wait.signal, known: call.placed };
      const result = await waitForCall(kernel, http.caller(request), call, until);
      const isOnlyWaiter = waiters.get(call.id) === 1;
      if (!result.isFinal && isOnlyWaiter && http.answers.mayBeGone(reply.raw)) recordEndLater(options, call, 'left');
      const path = `${results}/${call.id}`;
      if (!result.isFinal && hop < hops) return answerUnfinished(dialect, reply, call, { path, hop: hop + 1 });
      if (!result.isFinal) {
        if (isOnlyWaiter && call.process !== null) trackEnd(options, reply, call, () => 'told');
        return answerUnfinished(dialect, reply, call, { path, hop: null });
      }
      trackEnd(options, reply, call, () => 'delivered');
      return await answerFinal({ kernel: http.linked(request), dialect }, request, reply, { call, result });
    } finally {
      wait.close();
      const left = (waiters.get(call.id) ?? 1) - 1;
      if (left === 0) waiters.delete(call.id);
      else waiters.set(call.id, left);
    }
  };
}

/**
 * Answers with the address of the result, and with no status that clients retry by themselves: some would order again.
 * @param to.path relative path: clients do not send their key to another origin
 * @param to.hop number of the redirect; null = no redirect
 */
function answerUnfinished(
  { errorBody }: Dialect,
  reply: FastifyReply,
  call: Call,
  { path, hop }: { readonly path: string; readonly hop: number | null },
) {
  describeCall(reply, call);
  const status = hop === null ? 422 : 303;
  const message = `The images are not finished yet. They were ordered as ${call.taskIds.join(', ')} and are still being made: collect them with GET ${path} and the same key. Sending the request again would order them again.`;
  return reply
    .code(status)
    .headers({
      location: hop === null ? path : `${path}?hop=${hop}`,
      'x-should-retry': 'false',
      'cache-control': 'no-store',
    })
    .send(errorBody({ message, type: 'invalid_request_error', code: 'not_final', param: null, status }));
}

/** Returns the number of redirects in a row that a client follows: 0 if it is not known to follow any. */
export function mostHops({ headers }: FastifyRequest): number {
  if (headers['x-stainless-lang'] !== undefined) return FOLLOWED_BY_OPENAI;
  const agent = headers['user-agent'] ?? '';
  return FOLLOWED_BY.find(([name]) => name.test(agent))?.[1] ?? 0;
}
