import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ServiceError } from '../base/errors.ts';
import { deleteUpload, findUpload, takeUpload } from '../tasks/uploads.ts';
import { callerOf } from './authenticate.ts';
import { envelopeOf, success } from './envelope.ts';
import type { App, HttpOptions } from './http-options.ts';
import { ErrorAnswer, refTo } from './schemas.ts';

const RAW = /^(?:(?:image|video|audio)\/[\w.+-]+|application\/octet-stream)(?:;|$)/;
const nothing = Type.Object({}, { additionalProperties: false });
const tags = ['Files'];

/** Files that a caller hands in, to be named as `upload:<file_id>` in orders. */
export async function fileRoutes(v1: App, options: HttpOptions): Promise<void> {
  const { desk, maxUploadBytes } = options;

  await v1.register(async (uploads) => {
    await uploads.register(multipart, { limits: { files: 1, fields: 0, parts: 1, fileSize: maxUploadBytes + 1 } });
    uploads.addContentTypeParser(RAW, (_request, payload, done) => done(null, payload));
    uploads.post(
      '/v1/files',
      {
        schema: {
          tags,
          summary: 'Upload a file',
          description: 'A picture, film or sound as the raw body, or as the one file of a multipart body.',
          consumes: ['multipart/form-data', 'application/octet-stream'],
          querystring: nothing,
          response: { 201: envelopeOf(refTo('File'), 201), ...ErrorAnswer },
        },
      },
      async (request, reply) => {
        const file = await takeUpload(desk, callerOf(request), await sourceOf(request, maxUploadBytes), {
          maxBytes: maxUploadBytes,
        });
        reply.code(201).header('location', `${options.publicUrl}/v1/files/${file.file_id}`);
        return success(file, 201);
      },
    );
  });

  v1.get<{ Params: { file_id: string } }>(
    '/v1/files/:file_id',
    {
      schema: {
        tags,
        summary: 'Look up an uploaded file',
        querystring: nothing,
        response: { 200: envelopeOf(refTo('File')), ...ErrorAnswer },
      },
    },
    async (request) => success(await findUpload(desk, callerOf(request), request.params.file_id)),
  );

  v1.delete<{ Params: { file_id: string } }>(
    '/v1/files/:file_id',
    {
      schema: {
        tags,
        summary: 'Erase an uploaded file',
        querystring: nothing,
        response: {
          200: envelopeOf(Type.Object({ file_id: Type.String(), deleted_at: Type.String() })),
          ...ErrorAnswer,
        },
      },
    },
    async (request) => success(await deleteUpload(desk, callerOf(request), request.params.file_id)),
  );
}

async function sourceOf(request: FastifyRequest, maxBytes: number): Promise<Readable> {
  // A multipart body is longer than its file by its own lines, which no sane one makes a megabyte of.
  const allowance = request.isMultipart() ? 1_000_000 : 0;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + allowance) {
    throw new ServiceError('body_too_large', `A file of at most ${maxBytes} bytes is taken here; this one is larger.`);
  }
  if (!request.isMultipart()) {
    if (isStream(request.body)) return request.body;
    throw new ServiceError(
      'unsupported_media_type',
      'Send the file as multipart/form-data, or as the raw body with its own Content-Type such as image/png.',
    );
  }
  const part = await request.file();
  if (part === undefined)
    throw new ServiceError('invalid_request', 'The multipart body has no file. Send one, as a part named file.', {
      param: 'file',
    });
  return part.file;
}

function isStream(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'pipe' in body;
}
