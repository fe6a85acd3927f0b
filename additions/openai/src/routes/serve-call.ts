import { sendEvents } from '@darkroom-service/addition-common/http/event-streams';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestEnd } from '../mapping/abandoned-calls.ts';
import { streamCall } from '../mapping/call-stream.ts';
import { type Call, findCall } from '../mapping/calls.ts';
import type { ResultWriter } from '../mapping/dialect.ts';
import { describeCall } from './answer-call.ts';
import { trackEnd } from './call-request.ts';
import { createCallHolder, heldInOpenaiForm } from './hold-call.ts';
import { unknownCall, wantsStream } from './image-request.ts';
import type { OpenaiHttp } from './openai-http.ts';
import type { SentRequest } from './read-request.ts';

/** Steps of a request whose answer waits for images. */
interface CallSteps {
  readonly place: () => Promise<Call>;
  /** Writes the events of a client that wants a stream. */
  readonly events: ResultWriter;
}

/** Orders a call and answers when it is final, as one answer or as a stream of events. */
export type ServeCall = (
  request: FastifyRequest,
  reply: FastifyReply,
  sent: SentRequest,
  steps: CallSteps,
) => Promise<unknown>;

interface CallServer {
  readonly serve: ServeCall;
  /** Waits for a call that was ordered before, at the address to which clients are redirected. */
  readonly serveResult: (request: FastifyRequest, reply: FastifyReply, id: string) => Promise<unknown>;
}

/** Opens what serves the calls of a door. */
export function openCallServer(options: OpenaiHttp): CallServer {
  const { accounts, http } = options.kernel;
  const holdCall = createCallHolder(options, heldInOpenaiForm(options));

  /** Places the orders of a request. The wait is decided before; nothing of the body is kept afterwards. */
  const placeCall = async (request: FastifyRequest, sent: SentRequest, place: CallSteps['place']) => {
    try {
      const streams = wantsStream(sent);
      const share = accounts.budgets.take(http.caller(request), streams ? 'streams' : 'waits', 1);
      try {
        return { call: await place(), streams, share };
      } catch (error) {
        share.release();
        throw error;
      }
    } finally {
      sent.release();
    }
  };

  return {
    async serve(request, reply, sent, { place, events }) {
      const { call, streams, share } = await placeCall(request, sent, place);
      try {
        if (!streams) return await holdCall(request, reply, call, 0);
        return await sendCall(options, request, reply, { call, write: events });
      } finally {
        if (streams && !reply.raw.closed) reply.raw.once('close', () => share.release());
        else share.release();
      }
    },
    async serveResult(request, reply, id) {
      const call = await findCall(options.kernel, http.caller(request), id);
      if (call === null) throw unknownCall(id);
      const { hop } = request.query as { readonly hop?: string };
      return await holdCall(request, reply, call, Math.max(0, Math.trunc(Number(hop ?? 0)) || 0));
    },
  };
}

/** Answers a call by server-sent events, which keep the connection alive however long it takes. */
async function sendCall(
  options: OpenaiHttp,
  request: FastifyRequest,
  reply: FastifyReply,
  { call, write }: { readonly call: Call; readonly write: ResultWriter },
) {
  const { http } = options.kernel;
  describeCall(reply, call);
  let end: RequestEnd = 'left';
  trackEnd(options, reply, call, () => end);
  http.bodies.release(request);
  const wait = options.waits.open(reply.raw);
  async function* events() {
    if (yield* streamCall(http.linked(request), http.caller(request), call, { write, signal: wait.signal }))
      end = 'delivered';
  }
  reply.raw.once('close', wait.close);
  return sendEvents(reply, events());
}
