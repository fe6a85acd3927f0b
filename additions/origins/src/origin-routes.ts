import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ServiceError } from '@darkroom-service/contract';
import { closedObject, JUDGED_BY_CONTENT, refTo } from '@darkroom-service/contract/parts';
import { ErrorAnswer, envelopeOf, success } from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { findAnyOrigin, findOwnOrigin } from './find-origin.ts';
import { Origin, type OriginView, Sha256 } from './origin-wire.ts';

const tags = ['Origins'];
const response = { 200: envelopeOf(refTo(Origin)), ...ErrorAnswer };
const OriginQuery = closedObject({ sha256: Sha256 });
type Asked = { Querystring: Static<typeof OriginQuery> };
const MEDIA = /^(?:(?:image|video)\/[\w.+-]+|application\/octet-stream)(?:;|$)/;
const MediaBody = Type.Unsafe<unknown>({ type: 'string', format: 'binary', ...JUDGED_BY_CONTENT });

/** Serves the question whether this service made a file. */
export function originRoutes({ http, settings, store }: ServingKernel, lookup: 'owner' | 'public') {
  const isPublic = lookup === 'public';

  /** Finds the origin for owners, and for strangers if the operator allows it. */
  const find = async (request: FastifyRequest, sha256: string): Promise<OriginView> => {
    const { read } = store;
    const forStrangers = async () => ({ ...(await findAnyOrigin(read, sha256)), task_id: null });
    if (request.apiKey === undefined) return await forStrangers();
    return await findOwnOrigin(read, http.caller(request), sha256).catch((error: unknown) => {
      if (isPublic && error instanceof ServiceError && error.code === 'not_found') return forStrangers();
      throw error;
    });
  };

  return {
    open(app: App): void {
      const limit = http.limit('reads');
      const admit = async (request: FastifyRequest, reply: FastifyReply) => {
        if (isPublic && request.headers.authorization === undefined) {
          await http.turn();
          return;
        }
        await http.admit(request, reply);
        await limit(request, reply);
      };
      app.get<Asked>(
        '/v1/provenance',
        { onRequest: admit, preHandler: http.answers.neverStore, schema: { tags, querystring: OriginQuery, response } },
        async (request) => success(await find(request, request.query.sha256)),
      );
    },

    v1(v1: App): void {
      v1.register(async (scope) => {
        const files: App = scope;
        http.bodies.refuseJson(files);
        files.addContentTypeParser(MEDIA, (_request, payload, done) => done(null, payload));
        files.post(
          '/v1/provenance',
          {
            preHandler: http.answers.neverStore,
            schema: {
              tags,
              consumes: ['application/octet-stream'],
              body: MediaBody,
              querystring: closedObject({}),
              response,
            },
          },
          async (request) => success(await find(request, await hashBody(request, settings.maxBytes.upload))),
        );
      });
    },

    admin(admin: App): void {
      admin.get<Asked>(
        '/admin/v1/provenance',
        { schema: { tags: ['Admin'], querystring: OriginQuery, response } },
        async ({ query }) => success(await findAnyOrigin(store.read, query.sha256)),
      );
    },
  };
}

/** Hashes a body as it arrives and stores nothing. @throws ServiceError `body_too_large`, `unsupported_media_type` */
async function hashBody({ body, headers }: FastifyRequest, maxBytes: number): Promise<string> {
  const tooLarge = () =>
    new ServiceError('body_too_large', `The file is larger than the maximum of ${maxBytes} bytes.`);
  if (!(body instanceof Readable))
    throw new ServiceError(
      'unsupported_media_type',
      'Send the file as the raw body with its own Content-Type such as image/png.',
    );
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const hash = createHash('sha256');
  let bytes = 0;
  // Left open, so that the refusal can be sent.
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge();
    hash.update(chunk);
  }
  return hash.digest('hex');
}
