import { EXAMINED_WITHIN_MS, ServiceError, world } from '@darkroom-service/contract';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyRequest } from 'fastify';
import type { Call } from '../mapping/calls.ts';
import { chatEvents } from '../mapping/chat-answer.ts';
import { imageFieldsOf, readChatCall } from '../mapping/chat-call.ts';
import { readTurn } from '../mapping/chat-messages.ts';
import { orderCall } from '../mapping/order-call.ts';
import { readMask } from '../mapping/read-mask.ts';
import { takeMedia } from '../mapping/sent-media.ts';
import { identityOf } from './call-request.ts';
import { OpenBody } from './image-request.ts';
import type { OpenaiHttp } from './openai-http.ts';
import { readJson, type SentRequest } from './read-request.ts';
import type { ServeCall } from './serve-call.ts';

const COMPLETIONS = '/chat/completions';

/** Serves images in the form of chat completions, and refuses the form of responses with the address of images. */
export function chatRoutes(mount: App, options: OpenaiHttp, serve: ServeCall): void {
  const { dialect, kernel } = options;
  const asked = { onRequest: kernel.http.limit('creates'), schema: { hide: true, body: OpenBody } };

  mount.post(COMPLETIONS, asked, (request, reply) => {
    const sent = readJson(kernel, request);
    return serve(request, reply, sent, {
      place: () => placeChatRequest(options, request, sent),
      events: chatEvents(dialect),
    });
  });

  mount.post('/responses', { schema: { hide: true, body: OpenBody } }, () => {
    const { root, images } = dialect;
    const message = `Responses are answers of text models, which call image_generation as a tool, and this service has no text models. Make the image with POST ${root}${images}, or in a conversation with POST ${root}${COMPLETIONS}.`;
    throw new ServiceError('unsupported_action', message);
  });
}

/** Places the orders of a conversation. @throws ServiceError */
async function placeChatRequest(options: OpenaiHttp, request: FastifyRequest, { body }: SentRequest): Promise<Call> {
  const { dialect, kernel, openai } = options;
  const key = kernel.http.caller(request);
  const turn = readTurn(body.messages);
  const { references, masks, rest } = takeMedia(imageFieldsOf(body));
  const examinedBy = world.monotonic() + EXAMINED_WITHIN_MS;
  const mask = await readMask(kernel, { owner: key.id, examinedBy }, masks);
  const sources = { catalog: kernel.orders.catalog(), aliases: openai.aliases, mask };
  const call = readChatCall(body, turn, { references, rest }, sources);
  const linked = { ...options, kernel: kernel.http.linked(request) };
  const identity = identityOf(request, { type: 'image', path: `${dialect.root}${COMPLETIONS}`, body });
  return await orderCall(linked, key, { ...call, examinedBy }, identity);
}
