import { describeCall } from '@darkroom-service/addition-openai/routes/answer-call';
import { createCallHolder, type HoldCall, notFinished } from '@darkroom-service/addition-openai/routes/hold-call';
import type { FastifyRequest } from 'fastify';
import { notFinal } from '../mapping/gemini-error.ts';
import { answerFinal, answerInteraction } from './answer-call.ts';
import type { GeminiHttp } from './gemini-http.ts';

/** Returns a function that holds requests. One that is not redirected gets the interaction as it is, or its address. */
export function openHold(parts: Omit<GeminiHttp, 'hold'>): HoldCall {
  const { http } = parts.kernel;
  return createCallHolder(parts, {
    holdMs: parts.settings.holdMs,
    results: '/gemini/results',
    final: (request, reply, held) => answerFinal(http.linked(request), request, reply, held),
    unfinished(request, reply, { call, result }, { path, hop }) {
      if (hop === null && call.view.door === INTERACTION)
        return answerInteraction(http.linked(request), reply, call, result);
      describeCall(reply, call);
      reply.header('cache-control', 'no-store');
      if (hop !== null)
        return reply
          .code(303)
          .header('location', `${path}?hop=${hop}${keyIn(request)}`)
          .send();
      const { status, body } = notFinal(notFinished(call, path));
      return reply.code(status).header('location', path).send(body);
    },
    endOf: ({ view }) => (view.door === INTERACTION ? 'delivered' : 'told'),
  });
}

const INTERACTION = 'gemini:interaction';

/** Returns the end of an address, with the key of a request whose address had it. */
function keyIn({ keyParameter: parameter, headers }: FastifyRequest): string {
  const key = (headers.authorization ?? '').replace(/^bearer +/i, '');
  return parameter === undefined ? '' : `&${parameter}=${encodeURIComponent(key)}`;
}
