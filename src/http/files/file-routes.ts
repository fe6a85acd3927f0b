import { Readable } from 'node:stream';
import { File, FileDeletion } from '@darkroom-service/contract/account';
import { ServiceError } from '@darkroom-service/contract/errors';
import { DeedHeaders } from '@darkroom-service/contract/orders';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fingerprint } from '../../base/canonical-json.ts';
import { deleteUpload, findUpload, takeUpload } from '../../tasks/uploads/uploads.ts';
import { ErrorAnswer } from '../answers.ts';
import { callerOf } from '../authenticate.ts';
import { JUDGED_BY_CONTENT } from '../bodies/check-shape.ts';
import { refuseJsonBodies } from '../bodies/json-body.ts';
import { publishBudgets } from '../budget-headers.ts';
import { readIdempotencyKey } from '../connection/request-headers.ts';
import { envelopeOf, success } from '../envelope.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { repeatable } from '../repeatable.ts';

const RAW = /^(?:(?:image|video|audio)\/[\w.+-]+|application\/octet-stream)(?:;|$)/;
/** A multipart body is longer than its file by its own lines, which no sane one makes a megabyte of. */
const MULTIPART_LINES_BYTES = 1_000_000;
const PATH = '/v1/files';
const nothing = closedObject({});
const tags = ['Files'];
const UploadBody = Type.Object(
  { file: Type.String({ contentMediaType: 'application/octet-stream', format: 'binary' }) },
  { ...JUDGED_BY_CONTENT, additionalProperties: false },
);

/** Files that a caller hands in, to be named as `upload:<file_id>` in orders. */
export async function fileRoutes(v1: App, options: HttpOptions): Promise<void> {
  const { services, maxUploadBytes } = options;

  await v1.register(async (uploads) => {
    await uploads.register(multipart, { limits: { files: 1, fields: 0, parts: 1, fileSize: maxUploadBytes + 1 } });
    refuseJsonBodies(uploads);
    uploads.addContentTypeParser(RAW, (_request, payload, done) => done(null, payload));
    uploads.post(
      PATH,
      {
        schema: {
          tags,
          consumes: ['multipart/form-data', 'application/octet-stream'],
          body: UploadBody,
          querystring: nothing,
          headers: DeedHeaders,
          response: { 201: envelopeOf(refTo(File), 201), ...ErrorAnswer },
        },
      },
      async (request, reply) => {
        refuseTooLarge(request, maxUploadBytes);
        const { source, contentType, onRead } = request.isMultipart() ? await partOf(request) : rawOf(request);
        // A repetition is answered also where there is no room left.
        const announcedBytes = request.isMultipart() ? 0 : Number(request.headers['content-length'] ?? 0);
        const file = await takeUpload(services, callerOf(request), source, {
          maxBytes: maxUploadBytes,
          announcedBytes: readIdempotencyKey(request) === null ? announcedBytes : null,
          onRead,
          once: (sha256, steps) =>
            repeatable(options, request, reply, {
              ...steps,
              fingerprint: fingerprint({ path: PATH, sha256, contentType }),
            }),
        });
        publishBudgets(reply, services.budgets, callerOf(request), ['examined_pixels', 'examined_film_seconds']);
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
        querystring: nothing,
        response: { 200: envelopeOf(refTo(File)), ...ErrorAnswer },
      },
    },
    async (request) => success(await findUpload(services, callerOf(request), request.params.file_id)),
  );

  v1.delete<{ Params: { file_id: string } }>(
    '/v1/files/:file_id',
    {
      schema: {
        tags,
        querystring: nothing,
        response: {
          200: envelopeOf(refTo(FileDeletion)),
          ...ErrorAnswer,
        },
      },
    },
    async (request) => success(await deleteUpload(services, callerOf(request), request.params.file_id)),
  );
}

interface Incoming {
  readonly source: Readable;
  readonly contentType: string;
  readonly onRead: () => Promise<void>;
}

/** Before anything is read, where the caller says how much is coming. */
function refuseTooLarge(request: FastifyRequest, maxBytes: number): void {
  const allowance = request.isMultipart() ? MULTIPART_LINES_BYTES : 0;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + allowance) {
    throw new ServiceError('body_too_large', `The file is larger than the maximum of ${maxBytes} bytes.`);
  }
}

function rawOf({ body, headers }: FastifyRequest): Incoming {
  if (body instanceof Readable)
    return { source: body, contentType: headers['content-type'] ?? '', onRead: async () => {} };
  throw new ServiceError(
    'unsupported_media_type',
    'Send the file as multipart/form-data, or as the raw body with its own Content-Type such as image/png.',
  );
}

/** The one part of a multipart body; what follows the file is judged once that has been read. */
async function partOf(request: FastifyRequest): Promise<Incoming> {
  const parts = partsOf(request);
  const first = await nextPart(parts);
  if (first?.type !== 'file') {
    throw new ServiceError('invalid_request', 'The multipart body has no file. Send one, as a part named file.', {
      param: 'file',
    });
  }
  return {
    source: first.file,
    contentType: first.mimetype,
    onRead: async () => {
      if ((await nextPart(parts)) !== undefined)
        throw new ServiceError('invalid_request', 'Send one file, as the only part.');
    },
  };
}

function partsOf(request: FastifyRequest): ReturnType<FastifyRequest['parts']> {
  try {
    return request.parts();
  } catch (error) {
    throw malformed(error);
  }
}

async function nextPart(parts: ReturnType<FastifyRequest['parts']>) {
  try {
    const { value, done } = await parts.next();
    return done === true ? undefined : value;
  } catch (error) {
    throw malformed(error);
  }
}

/** Where the parser of multipart bodies gives no code, it tells of a fault of the body. */
function malformed(error: unknown): unknown {
  if (typeof (error as { code?: unknown }).code === 'string') return error;
  return new ServiceError('invalid_request', `The multipart body is malformed: ${(error as Error).message}.`, {
    cause: error,
  });
}
