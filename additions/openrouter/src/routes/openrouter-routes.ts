import { orderCall } from '@darkroom-service/addition-openai/mapping/order-call';
import { readMask } from '@darkroom-service/addition-openai/mapping/read-mask';
import { takeMedia } from '@darkroom-service/addition-openai/mapping/sent-media';
import { identityOf } from '@darkroom-service/addition-openai/routes/call-request';
import { chatRoutes } from '@darkroom-service/addition-openai/routes/chat-routes';
import { inOpenaiForm, openDoor } from '@darkroom-service/addition-openai/routes/door';
import { OpenBody } from '@darkroom-service/addition-openai/routes/image-request';
import type { OpenaiHttp } from '@darkroom-service/addition-openai/routes/openai-http';
import { readJson, type SentRequest } from '@darkroom-service/addition-openai/routes/read-request';
import { resultRoutes } from '@darkroom-service/addition-openai/routes/result-routes';
import { openCallServer, type ServeCall } from '@darkroom-service/addition-openai/routes/serve-call';
import { videoContentRoutes } from '@darkroom-service/addition-openai/routes/video-content-routes';
import { EXAMINED_WITHIN_MS, world } from '@darkroom-service/contract';
import type { App, HttpOptions, KnownRoutes } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { writeImageEvents } from '../mapping/image-events.ts';
import { readImageRequest } from '../mapping/image-request.ts';
import { modelRoutes } from './model-routes.ts';
import { videoRoutes } from './video-routes.ts';

/** Serves OpenRouter's interface as one plugin. What it shares with OpenAI's is served by the same routes. */
export function openrouterRoutes(
  parts: OpenaiHttp,
  options: HttpOptions,
  routes: KnownRoutes,
): (scope: FastifyInstance) => Promise<void> {
  const { dialect, kernel } = parts;
  return openDoor(kernel, options, routes, {
    ...inOpenaiForm(dialect),
    serve(mount) {
      const { serve, serveResult } = openCallServer(parts);
      imageRoutes(mount, parts, serve);
      resultRoutes(mount, serveResult);
      chatRoutes(mount, parts, serve);
      videoRoutes(mount, parts);
      videoContentRoutes(mount, kernel);
      modelRoutes(mount, kernel);
    },
  });
}

/** Serves images from a prompt and references. */
function imageRoutes(mount: App, parts: OpenaiHttp, serve: ServeCall): void {
  const { dialect, kernel } = parts;
  mount.post(
    dialect.images,
    { onRequest: kernel.http.limit('creates'), schema: { hide: true, body: OpenBody } },
    (request, reply) => {
      const sent = readJson(kernel, request);
      return serve(request, reply, sent, { place: () => placeImages(parts, request, sent), events: writeImageEvents });
    },
  );
}

async function placeImages(parts: OpenaiHttp, request: FastifyRequest, { body }: SentRequest) {
  const { dialect, kernel, openai } = parts;
  const key = kernel.http.caller(request);
  const { masks, ...sent } = takeMedia(body);
  const examinedBy = world.monotonic() + EXAMINED_WITHIN_MS;
  const mask = await readMask(kernel, { owner: key.id, examinedBy }, masks);
  const call = readImageRequest(sent, { catalog: kernel.orders.catalog(), aliases: openai.aliases, mask });
  const linked = { ...parts, kernel: kernel.http.linked(request) };
  const identity = identityOf(request, { type: 'image', path: `${dialect.root}${dialect.images}`, body });
  return await orderCall(linked, key, { ...call, examinedBy }, identity);
}
