import { ServiceError } from '@darkroom-service/contract';
import { closedObject, SignedPart } from '@darkroom-service/contract/parts';
import { FileHeaders } from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { thumbnailKeyOf } from '@darkroom-service/darkroom/kernel-views';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { galleryPage } from './gallery-page.ts';
import { openShare, openSharedItem, type SharedItem } from './open-share.ts';
import { endedPage, type FileAddresses, SHARED_PAGE_POLICY, sharedPage } from './shared-page.ts';

const signature = {
  expires: SignedPart('part of the link'),
  signature: SignedPart('part of the link'),
};
const PageQuery = closedObject(signature);
const FileQuery = closedObject({
  ...signature,
  variant: Type.Optional(Type.Enum(['output', 'thumbnail'])),
  download: Type.Optional(Type.Enum(['0', '1'], { description: '1 = to be saved under a name' })),
});
type OneShare = { share_id: string };
type OneItem = OneShare & { number: string };
interface OfLink {
  readonly params: OneShare;
  readonly query: Static<typeof PageQuery>;
}

/** Serves the addresses of a link: its page, and the files on it. They need no key and reveal nothing else. */
export function sharedRoutes(app: App, kernel: ServingKernel): void {
  const { http } = kernel;
  const linkOf = async ({ params, query }: OfLink) => {
    await http.turn(params.share_id);
    return { shareId: params.share_id, expires: query.expires ?? '', signature: query.signature ?? '' };
  };
  const open = async (request: OfLink) => await openShare(kernel, await linkOf(request));
  const serve = async (
    request: FastifyRequest<{ Querystring: Static<typeof FileQuery> }>,
    reply: FastifyReply,
    item: SharedItem,
  ) => {
    notListed(reply);
    return await http.answers.serve(request, reply, fileOf(item, request.query.variant), {
      download: request.query.download === '1',
      // A storage's own address would stay valid after the link is revoked, and name the task.
      expiresAt: null,
      maxAge: 0,
    });
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
        (shared) =>
          (shared.isList ? galleryPage : sharedPage)(
            shared,
            addressesOf(request, http.linked(request).settings.publicUrl),
          ),
        (error: unknown) => {
          if (!(error instanceof ServiceError) || error.status >= 500) throw error;
          reply.code(error.status);
          return endedPage(error.message);
        },
      );
      return reply.send(page);
    },
  );

  http.answers.fileRoute<{ Params: OneShare; Querystring: Static<typeof FileQuery> }>(app, {
    url: '/shares/:share_id/file',
    files: 'output',
    schema: { tags: ['Shares'], security: [], headers: FileHeaders, querystring: FileQuery },
    handler: async (request, reply) => await serve(request, reply, (await open(request)).items[0]),
  });

  http.answers.fileRoute<{ Params: OneItem; Querystring: Static<typeof FileQuery> }>(app, {
    url: '/shares/:share_id/files/:number',
    files: 'output',
    schema: { tags: ['Shares'], security: [], headers: FileHeaders, querystring: FileQuery },
    handler: async (request, reply) => {
      const link = await linkOf(request);
      return await serve(request, reply, await openSharedItem(kernel, link, numberOf(request.params)));
    },
  });
}

/** Reads the number of an item; 0, which no item has, if it is invalid. */
function numberOf({ number }: OneItem): number {
  return /^[1-9]\d{0,2}$/.test(number) ? Number(number) : 0;
}

/** Returns the name of the saved file, which does not reveal the task. */
function fileOf({ type, output }: SharedItem, variant: 'output' | 'thumbnail' = 'output') {
  if (variant === 'thumbnail') {
    const storageKey = thumbnailKeyOf(output);
    if (storageKey === null) throw new ServiceError('not_found', 'The shared file has no thumbnail.');
    return { storageKey, contentType: 'image/webp', fileName: `shared-${type}.webp`, bytes: null };
  }
  const extension = output.key.slice(output.key.lastIndexOf('.'));
  const { key: storageKey, contentType, bytes } = output;
  return { storageKey, contentType, fileName: `shared-${type}${extension}`, bytes };
}

/** Returns the addresses, relative except for the page, so that they are valid below any path. */
function addressesOf({ params, query }: OfLink, publicUrl: string): FileAddresses {
  const { expires = '', signature: sent = '' } = query;
  const share = encodeURIComponent(params.share_id);
  const proof = new URLSearchParams({ expires, signature: sent });
  return {
    page: `${publicUrl}/shares/${share}?${proof}`,
    file: `${share}/file?${proof}`,
    item: (number) => `${share}/files/${number}?${proof}`,
  };
}

function notListed(reply: FastifyReply): FastifyReply {
  return reply.header('x-robots-tag', 'noindex, nofollow, noarchive');
}
