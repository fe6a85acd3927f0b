import type { FastifyReply, FastifyRequest } from 'fastify';
import { waitForCall } from '../../openai/call-result.ts';
import type { Call } from '../../openai/calls.ts';
import { callerOf } from '../authenticate.ts';
import { releaseBody } from '../bodies/read-body.ts';
import type { OpenaiOptions } from '../http-options.ts';
import type { TaskAnswers } from '../tasks/answer-task.ts';
import { answerFinal, describeCall } from './answer-call.ts';

/** Chains of redirects are followed up to 20 by the fetch of Node and by httpx. */
const MOST_HOPS = 18;
/** User agents that follow a redirect, besides the clients that name their language. */
const FOLLOWS = /ai-sdk[/-]provider-utils\//;

/**
 * Holds a request until its call is final, and answers it. A client that follows redirects is sent to the result
 * address before it or a proxy loses patience; any other one is told where to collect the result.
 * @param hop how many redirects came before
 */
export async function holdCall(
  { services, waits, openai }: TaskAnswers & { readonly openai: OpenaiOptions },
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  hop: number,
) {
  const follows = isFollower(request);
  releaseBody(request);
  const wait = waits.open(reply.raw);
  try {
    const seconds = (follows ? openai.hopMs : openai.holdMs) / 1000;
    const result = await waitForCall(services, callerOf(request), call, { seconds, signal: wait.signal });
    if (result.isFinal) return answerFinal(services, request, reply, call, result);
    if (follows && hop < MOST_HOPS) return sendOn(reply, call, hop);
    return answerUnfinished(reply, call);
  } finally {
    wait.close();
  }
}

/** The address is relative: to another origin, clients do not send their key. */
function sendOn(reply: FastifyReply, call: Call, hop: number) {
  describeCall(reply, call);
  return reply
    .code(303)
    .headers({ location: `${resultPath(call)}?hop=${hop + 1}`, 'cache-control': 'no-store' })
    .send();
}

/** No status that clients retry by themselves: some of them would order again. */
function answerUnfinished(reply: FastifyReply, call: Call) {
  describeCall(reply, call);
  const status = 422;
  const path = resultPath(call);
  const message = `The images are not finished yet. They were ordered as ${call.taskIds.join(', ')} and are still being made: collect them with GET ${path} and the same key. Sending the request again would order them again.`;
  return reply
    .code(status)
    .headers({ location: path, 'x-should-retry': 'false', 'cache-control': 'no-store' })
    .send({ error: { message, type: 'invalid_request_error', code: 'not_final', param: null, status } });
}

function isFollower({ headers }: FastifyRequest): boolean {
  return headers['x-stainless-lang'] !== undefined || FOLLOWS.test(headers['user-agent'] ?? '');
}

function resultPath({ id }: Call): string {
  return `/openai/v1/images/results/${id}`;
}
