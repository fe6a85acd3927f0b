import { cutText, ServiceError } from '@darkroom-service/contract';
import { Word } from '@darkroom-service/contract/parts';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';

const MAX_AGE_SECONDS = 3600;
const ADDRESS_MS = 3_600_000;
/** OpenAI's names of the files, and ours. */
const VARIANTS = { video: 'output', thumbnail: 'thumbnail' } as const;
const ContentQuery = Type.Object({ variant: Type.Optional(Word) });

/** Serves the files of a video: the video itself and a still of it. */
export function videoContentRoutes(mount: App, { clock, http, tasks }: ServingKernel): void {
  http.answers.fileRoute<{ Params: { video_id: string }; Querystring: Static<typeof ContentQuery> }>(mount, {
    url: '/videos/:video_id/content',
    onRequest: http.limit('reads'),
    files: 'video',
    schema: { hide: true, querystring: ContentQuery },
    handler: async (request, reply) => {
      const { video_id: videoId } = request.params;
      const { variant = 'video' } = request.query;
      if (variant !== 'video' && variant !== 'thumbnail')
        throw new ServiceError(
          'unsupported_value',
          `variant: expected video or thumbnail, found ${cutText(JSON.stringify(variant), 60)}. Sprite sheets are not made.`,
          { param: 'variant' },
        );
      const content = await tasks.content(http.caller(request), 'video', videoId, VARIANTS[variant]);
      return await http.answers.serve(request, reply, content, {
        download: false,
        expiresAt: clock.now() + ADDRESS_MS,
        maxAge: MAX_AGE_SECONDS,
      });
    },
  });
}
