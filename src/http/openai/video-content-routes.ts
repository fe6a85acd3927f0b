import { type Static, Type } from 'typebox';
import { ServiceError } from '../../base/errors.ts';
import { taskContent } from '../../views/task-content.ts';
import { callerOf, limitRate } from '../authenticate.ts';
import { fileRoute, serveFile } from '../files/serve-file.ts';
import type { App, HttpOptions } from '../http-options.ts';

const MAX_AGE_SECONDS = 3600;
const ADDRESS_MS = 3_600_000;
/** OpenAI's names of the files, and ours. */
const VARIANTS = { video: 'output', thumbnail: 'thumbnail' } as const;
const ContentQuery = Type.Object({ variant: Type.Optional(Type.String()) });

/** The files of a video: the video itself and a still of it. */
export function openaiVideoContentRoutes(mount: App, options: HttpOptions): void {
  const { services } = options;
  fileRoute<{ Params: { video_id: string }; Querystring: Static<typeof ContentQuery> }>(mount, {
    url: '/videos/:video_id/content',
    onRequest: limitRate(options, 'reads'),
    schema: { hide: true, querystring: ContentQuery },
    handler: async (request, reply) => {
      const { video_id: videoId } = request.params;
      const { variant = 'video' } = request.query;
      if (variant !== 'video' && variant !== 'thumbnail')
        throw new ServiceError(
          'unsupported_value',
          `variant: expected video or thumbnail, found ${JSON.stringify(variant).slice(0, 60)}. Sprite sheets are not made.`,
          { param: 'variant' },
        );
      const content = await taskContent(services, callerOf(request), 'video', videoId, VARIANTS[variant]);
      return await serveFile(request, reply, services.storage, content, {
        download: false,
        expiresAt: services.clock.now() + ADDRESS_MS,
        maxAge: MAX_AGE_SECONDS,
      });
    },
  });
}
