import { formatMicros } from '@darkroom-service/contract';
import { LONGEST } from '@darkroom-service/contract/parts';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { orderCall } from '../mapping/order-call.ts';
import { readRemixCall } from '../mapping/remix-call.ts';
import type { RequestedCall } from '../mapping/requested-call.ts';
import { takeMedia } from '../mapping/sent-media.ts';
import { readVideoCall } from '../mapping/video-call.ts';
import { viewVideo } from '../mapping/video-view.ts';
import { OpenaiVideo, OpenaiVideoDeletion, OpenaiVideos } from '../mapping/video-wire.ts';
import { deleteVideo, findVideo, listVideos } from '../mapping/videos.ts';
import { describeCall } from './answer-call.ts';
import { identityOf, trackEnd } from './call-request.ts';
import type { OpenaiHttp } from './openai-http.ts';
import { readJsonOrForm, type SentRequest } from './read-request.ts';

const VideoParams = Type.Object({ video_id: Type.String({ maxLength: LONGEST.pathPart }) });
const ListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
});

/** Serves videos: ordered at once, polled until they are completed. */
export function openaiVideoRoutes(mount: App, options: OpenaiHttp): void {
  const { kernel, openai, waits } = options;
  const { http } = kernel;
  const limitReads = http.limit('reads');
  const ordering = {
    onRequest: http.limit('creates'),
    bodyLimit: options.maxBodyBytes,
    schema: { hide: true, response: { 200: OpenaiVideo } },
  };

  mount.post('/videos', ordering, async (request, reply) => {
    return await orderVideo(options, request, reply, async ({ fields, files, isForm }) =>
      readVideoCall(takeMedia(fields, files), { catalog: kernel.orders.catalog(), aliases: openai.aliases, isForm }),
    );
  });

  mount.post<{ Params: { video_id: string } }>('/videos/:video_id/remix', ordering, async (request, reply) => {
    const { video_id: videoId } = request.params;
    return await orderVideo(options, request, reply, ({ fields, files }) =>
      readRemixCall(kernel, http.caller(request), videoId, takeMedia(fields, files)),
    );
  });

  mount.get(
    '/videos',
    { onRequest: limitReads, schema: { hide: true, querystring: ListQuery, response: { 200: OpenaiVideos } } },
    async (request) => {
      const { limit = 20, after = null, order = 'desc' } = request.query;
      return await listVideos(kernel, http.caller(request), { limit, after, order });
    },
  );

  mount.get(
    '/videos/:video_id',
    { onRequest: limitReads, schema: { hide: true, params: VideoParams, response: { 200: OpenaiVideo } } },
    async (request) => await findVideo(kernel, http.caller(request), request.params.video_id),
  );

  mount.delete(
    '/videos/:video_id',
    { onRequest: limitReads, schema: { hide: true, params: VideoParams, response: { 200: OpenaiVideoDeletion } } },
    async (request, reply) => {
      const wait = waits.open(reply.raw);
      try {
        return await deleteVideo(kernel, http.caller(request), request.params.video_id, wait.signal);
      } finally {
        wait.close();
      }
    },
  );
}

/**
 * Places the order and answers with the current state of the video. Its cost is the held amount: videos are not charged
 * more.
 */
async function orderVideo(
  options: OpenaiHttp,
  request: FastifyRequest,
  reply: FastifyReply,
  read: (sent: SentRequest) => Promise<RequestedCall>,
) {
  const { kernel } = options;
  const key = kernel.http.caller(request);
  const path = request.url.split('?', 1)[0] ?? '';
  const sent = await readJsonOrForm(options, request);
  try {
    const identity = identityOf(request, { type: 'video', path, body: sent.body });
    const linked = { ...options, kernel: kernel.http.linked(request) };
    const call = await orderCall(linked, key, await read(sent), identity);
    const row = await kernel.tasks.row(key, 'video', call.taskIds[0] ?? '');
    describeCall(reply, call);
    trackEnd(options, reply, call, () => 'delivered');
    reply.header('x-litellm-response-cost', formatMicros(row.price));
    return viewVideo(row);
  } finally {
    sent.release();
  }
}
