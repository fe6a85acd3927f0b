import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { ServiceError } from '../../base/errors.ts';
import { type OpenedShare, openShare } from '../../shares/open-share.ts';
import { FileHeaders } from '../../wire/orders.ts';
import { fileRoute, serveFile } from '../files/serve-file.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { endedPage, SHARED_PAGE_POLICY, sharedPage } from './shared-page.ts';

const signature = {
  expires: Type.Optional(Type.String({ description: 'part of the link' })),
  signature: Type.Optional(Type.String({ description: 'part of the link' })),
};
const PageQuery = Type.Object(signature, { additionalProperties: false });
const FileQuery = Type.Object(
  {
    ...signature,
    variant: Type.Optional(Type.Enum(['output', 'thumbnail'])),
    download: Type.Optional(Type.Enum(['0', '1'], { description: '1 = to be saved under a name' })),
  },
  { additionalProperties: false },
);
type OneShare = { share_id: string };

/** The addresses behind a link: its page, and the file on it. They need no key and tell nothing else. */
export function sharedRoutes(app: App, { services, takeKeyTurn }: HttpOptions): void {
  const open = async (request: FastifyRequest<{ Params: OneShare; Querystring: Static<typeof PageQuery> }>) => {
    const { expires = '', signature: sent = '' } = request.query;
    const { share_id: shareId } = request.params;
    await takeKeyTurn(shareId);
    return await openShare(services, { shareId, expires, signature: sent });
  };

  app.get<{ Params: OneShare; Querystring: Static<typeof PageQuery> }>(
    '/shares/:share_id',
    { schema: { hide: true, querystring: PageQuery } },
    async (request, reply) => {
      notListed(reply)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-security-policy', SHARED_PAGE_POLICY);
      const page = await open(request).then(
        (shared) => sharedPage(shared, fileAddress(request)),
        (error: unknown) => {
          if (!(error instanceof ServiceError) || error.status >= 500) throw error;
          reply.code(error.status);
          return endedPage(error.message);
        },
      );
      return reply.send(page);
    },
  );

  fileRoute<{ Params: OneShare; Querystring: Static<typeof FileQuery> }>(app, {
    url: '/shares/:share_id/file',
    schema: { tags: ['Shares'], security: [], headers: FileHeaders, querystring: FileQuery },
    handler: async (request, reply) => {
      const shared = await open(request);
      notListed(reply);
      return await serveFile(request, reply, services.storage, fileOf(shared, request.query.variant), {
        download: request.query.download === '1',
        // A storage's own address would work on after the link is revoked, and name the task.
        expiresAt: null,
        maxAge: 0,
      });
    },
  });
}

/** The name of the saved file does not tell the task. */
function fileOf({ type, output }: OpenedShare, variant: 'output' | 'thumbnail' = 'output') {
  if (variant === 'thumbnail') {
    if (output.thumbnailKey === null) throw new ServiceError('not_found', 'The shared file has no thumbnail.');
    return { storageKey: output.thumbnailKey, contentType: 'image/webp', fileName: `shared-${type}.webp` };
  }
  const extension = output.key.slice(output.key.lastIndexOf('.'));
  return { storageKey: output.key, contentType: output.contentType, fileName: `shared-${type}${extension}` };
}

/** Relative, so that it holds below any path. */
function fileAddress({
  params,
  query,
}: {
  readonly params: OneShare;
  readonly query: Static<typeof PageQuery>;
}): string {
  const { expires = '', signature: sent = '' } = query;
  return `${encodeURIComponent(params.share_id)}/file?${new URLSearchParams({ expires, signature: sent })}`;
}

function notListed(reply: FastifyReply): FastifyReply {
  return reply.header('x-robots-tag', 'noindex, nofollow, noarchive');
}
