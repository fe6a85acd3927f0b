import { readResult, typeOf } from '@darkroom-service/addition-openai/mapping/call-result';
import { trackEnd } from '@darkroom-service/addition-openai/routes/call-request';
import { OpenBody } from '@darkroom-service/addition-openai/routes/image-request';
import { LONGEST } from '@darkroom-service/contract/parts';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { readInteraction } from '../mapping/read-interaction.ts';
import { answerInteraction } from './answer-call.ts';
import { bodyOf } from './bodies.ts';
import { cancelCall, findOwnCall } from './find-call.ts';
import type { GeminiHttp } from './gemini-http.ts';
import { placeCall } from './place-call.ts';
import { streamCall } from './stream-call.ts';
import { waitForPlaced } from './wait-for-call.ts';

const InteractionParams = Type.Object({ interaction_id: Type.String({ maxLength: LONGEST.pathPart }) });

/** Serves interactions: created and awaited, or created in the background and polled. */
export function interactionRoutes(mount: App, parts: GeminiHttp): void {
  const { kernel } = parts;
  const { http, orders } = kernel;
  const schema = { hide: true, params: InteractionParams };
  const find = (request: FastifyRequest<{ Params: { interaction_id: string } }>) =>
    findOwnCall(parts, request, request.params.interaction_id, ['gemini:interaction']);

  mount.post(
    '/interactions',
    { onRequest: http.limit('creates'), schema: { hide: true, body: OpenBody } },
    async (request, reply) => {
      const previous = async (id: string) => {
        const { taskIds } = await findOwnCall(parts, request, id, ['gemini:interaction']);
        const [taskId = ''] = taskIds;
        return { kind: typeOf(taskId), source: `task:${taskId}` };
      };
      const sent = await readInteraction(bodyOf(parts, request), previous);
      const { model, order, isInBackground, isStreamed } = sent;
      const place = () =>
        placeCall(parts, request, { model, order, form: 'gemini:interaction', path: 'interactions', type: null });
      if (isStreamed || !isInBackground)
        return await waitForPlaced(parts, request, reply, { streams: isStreamed, place });
      const call = await place();
      trackEnd(parts, reply, call, () => 'delivered');
      return await show(request, reply, call);
    },
  );

  mount.get('/interactions/:interaction_id', { onRequest: http.limit('reads'), schema }, async (request, reply) => {
    const call = await find(request);
    const { stream } = request.query as { readonly stream?: string };
    if (stream === 'true') return await streamCall(parts, request, reply, call);
    return await show(request, reply, call);
  });

  mount.post('/interactions/:interaction_id/cancel', { schema }, async (request, reply) => {
    const call = await find(request);
    await cancelCall(parts, request, call);
    return await show(request, reply, call);
  });

  mount.delete('/interactions/:interaction_id', { schema }, async (request) => {
    const { taskIds } = await find(request);
    for (const id of taskIds) await orders.delete(http.caller(request), typeOf(id), id);
    return {};
  });

  async function show(request: FastifyRequest, reply: FastifyReply, call: Awaited<ReturnType<typeof placeCall>>) {
    const linked = http.linked(request);
    return answerInteraction(linked, reply, call, await readResult(linked, http.caller(request), call));
  }
}
