import { world } from '@darkroom-service/contract';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { RouteTools } from '@darkroom-service/darkroom/kernel-http';
import { publicPath } from '@darkroom-service/media';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { holdCallHere, type RequestEnd } from '../mapping/abandoned-calls.ts';
import { type CallResult, waitForCall } from '../mapping/call-result.ts';
import type { Call } from '../mapping/calls.ts';
import type { CallRecords } from '../open-call-records.ts';
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

/** A call that is held, and its result so far. */
interface HeldCall {
  readonly call: Call;
  readonly result: CallResult;
}

/** The ways in which a door holds the requests of its calls and answers them. */
export interface HeldAnswers {
  /** Time for which a request is held, in milliseconds. */
  readonly holdMs: number;
  /** Path of the results of calls, without that of the service. */
  readonly results: string;
  /** Answers a call that is final. */
  readonly final: (request: FastifyRequest, reply: FastifyReply, held: HeldCall) => unknown;
  /**
   * Answers a call that is not final.
   * @param to.path relative path of the result: clients do not send their key to another origin
   * @param to.hop number of the redirect that is due; null = the client follows none
   */
  readonly unfinished: (
    request: FastifyRequest,
    reply: FastifyReply,
    held: HeldCall,
    to: { readonly path: string; readonly hop: number | null },
  ) => unknown;
  /** Tells how a request ends that was told so instead of being redirected. Absent = `told`. */
  readonly endOf?: (call: Call) => RequestEnd;
}

export type HoldCall = (request: FastifyRequest, reply: FastifyReply, call: Call, hop: number) => Promise<unknown>;

/**
 * Returns a function that holds a request until its call is final, and answers it. A client that follows redirects is
 * sent to the result address before it or a proxy times out; any other one is told the address of the result. `hop` is
 * the number of earlier redirects. No limit of ours refuses the request: the client would send the call again.
 */
export function createCallHolder(
  parts: CallRecords & { readonly kernel: ServingKernel; readonly waits: RouteTools['waits'] },
  { holdMs, results, final, unfinished, endOf = () => 'told' }: HeldAnswers,
): HoldCall {
  const { kernel, waits } = parts;
  const { http, process, settings, store } = kernel;
  const below = `${publicPath(settings.publicUrl)}${results}`;
  const waiters = new Map<string, number>();
  return async (request, reply, call, hop) => {
    http.bodies.release(request);
    const waiting = waiters.get(call.id) ?? 0;
    const patience = waiting >= WAITERS_PER_CALL ? 0 : Math.max(0, holdMs - (world.monotonic() - request.handledAt));
    waiters.set(call.id, waiting + 1);
    const wait = waits.open(reply.raw);
    try {
      // Another process may have redirected the client, and may have ended since.
      if (hop > 0 && call.process !== process.id)
        await store.write('openai_hold', (trx) => holdCallHere(trx, call.id, process.id));
      const until = { seconds: patience / 1000, signal: wait.signal, known: call.placed };
      const result = await waitForCall(kernel, http.caller(request), call, until);
      if (result.isFinal) {
        trackEnd(parts, reply, call, () => 'delivered');
        return await final(request, reply, { call, result });
      }
      const isOnlyWaiter = waiters.get(call.id) === 1;
      if (isOnlyWaiter && http.answers.mayBeGone(reply.raw)) recordEndLater(parts, call, 'left');
      const next = hop < mostHops(request) ? hop + 1 : null;
      if (next === null && isOnlyWaiter && call.process !== null) trackEnd(parts, reply, call, () => endOf(call));
      return unfinished(request, reply, { call, result }, { path: `${below}/${call.id}`, hop: next });
    } finally {
      wait.close();
      const left = (waiters.get(call.id) ?? 1) - 1;
      if (left === 0) waiters.delete(call.id);
      else waiters.set(call.id, left);
    }
  };
}

/** Returns how a door in OpenAI's form holds and answers: with no status that clients retry by themselves. */
export function heldInOpenaiForm({ dialect, kernel, openai }: OpenaiHttp): HeldAnswers {
  return {
    holdMs: openai.holdMs,
    results: `${dialect.root}/images/results`,
    final: (request, reply, held) =>
      answerFinal({ kernel: kernel.http.linked(request), dialect }, request, reply, held),
    unfinished(_request, reply, { call }, { path, hop }) {
      describeCall(reply, call);
      const status = hop === null ? 422 : 303;
      const error = { message: notFinished(call, path), type: 'invalid_request_error', code: 'not_final', param: null };
      return reply
        .code(status)
        .headers({
          location: hop === null ? path : `${path}?hop=${hop}`,
          'x-should-retry': 'false',
          'cache-control': 'no-store',
        })
        .send(dialect.errorBody({ ...error, status }));
    },
  };
}

/** Says where the images of a call are collected that is not final. */
export function notFinished({ taskIds }: Call, path: string): string {
  return `The images are not finished yet. They were ordered as ${taskIds.join(', ')} and are still being made: collect them with GET ${path} and the same key. Sending the request again would order them again.`;
}

/** Returns the number of redirects in a row that a client follows: 0 if it is not known to follow any. */
function mostHops({ headers }: FastifyRequest): number {
  if (headers['x-stainless-lang'] !== undefined) return FOLLOWED_BY_OPENAI;
  const agent = headers['user-agent'] ?? '';
  return FOLLOWED_BY.find(([name]) => name.test(agent))?.[1] ?? 0;
}
