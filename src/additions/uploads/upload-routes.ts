import { Readable } from 'node:stream';
import { readParts } from '@darkroom-service/addition-common/http/form-parts';
import { ServiceError } from '@darkroom-service/contract';
import { closedObject, JUDGED_BY_CONTENT, refTo } from '@darkroom-service/contract/parts';
import {
  ActionHeaders,
  EndUserName,
  ErrorAnswer,
  envelopeOf,
  File,
  FileDeletion,
  success,
} from '@darkroom-service/contract/schemas';
import multipart, { type MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { fingerprint, type ServingKernel } from '../../kernel.ts';
import { type App, readIdempotencyKey } from '../../kernel-http.ts';
import { deleteUpload, findUpload, takeUpload } from './store-upload.ts';

const RAW = /^(?:(?:image|video|audio)\/[\w.+-]+|application\/octet-stream)(?:;|$)/;
/** Maximum number of bytes of a multipart body beside its file, for its own lines. */
const MULTIPART_LINES_BYTES = 1_000_000;
const MOST_FIELD_BYTES = 1_024;
const AT_MOST = 'one file, and beside it at most the field end_user';
const PATH = '/v1/files';
const nothing = closedObject({});
const tags = ['Files'];
const UploadBody = Type.Object(
  {
    file: Type.String({ contentMediaType: 'application/octet-stream', format: 'binary' }),
    end_user: Type.Optional(EndUserName),
  },
  { ...JUDGED_BY_CONTENT, additionalProperties: false },
);
const UploadQuery = closedObject({
  end_user: Type.Optional({ ...EndUserName, description: 'Your own customer whose file it is.' }),
});

/** Serves uploads: files that a caller sends, to be named as `upload:<file_id>` in orders. */
export async function uploadRoutes(v1: App, kernel: ServingKernel): Promise<void> {
  const { accounts, http, settings } = kernel;
  const maxUploadBytes = settings.maxBytes.upload;

  await v1.register(async (uploads) => {
    await uploads.register(multipart, {
      limits: { files: 1, fields: 1, parts: 2, fieldSize: MOST_FIELD_BYTES, fileSize: maxUploadBytes + 1 },
    });
    http.bodies.refuseJson(uploads);
    uploads.addContentTypeParser(RAW, (_request, payload, done) => done(null, payload));
    uploads.post<{ Querystring: Static<typeof UploadQuery> }>(
      PATH,
      {
        schema: {
          tags,
          consumes: ['multipart/form-data', 'application/octet-stream'],
          body: UploadBody,
          querystring: UploadQuery,
          headers: ActionHeaders,
          response: { 201: envelopeOf(refTo(File), 201), ...ErrorAnswer },
        },
      },
      async (request, reply) => {
        refuseTooLarge(request, maxUploadBytes);
        const linked = http.linked(request);
        const key = http.caller(request);
        const inQuery = request.query.end_user ?? null;
        accounts.endUserOf(key, inQuery);
        const { source, contentType, onRead } = request.isMultipart() ? await partOf(request) : rawOf(request);
        // A repetition is answered even if there is no room left.
        const announcedBytes = request.isMultipart() ? 0 : Number(request.headers['content-length'] ?? 0);
        const file = await takeUpload(linked, key, source, {
          maxBytes: maxUploadBytes,
          announcedBytes: readIdempotencyKey(request) === null ? announcedBytes : null,
          onRead: async () => accounts.endUserOf(key, oneOf(await onRead(), inQuery)),
          once: ({ sha256, endUser }, steps) =>
            http.once(request, reply, {
              ...steps,
              fingerprint: fingerprint({
                path: PATH,
                sha256,
                contentType,
                // Keys of requests from before the field existed stay valid.
                ...(endUser === null || key.client !== undefined ? {} : { endUser }),
              }),
            }),
        });
        http.budgets(reply, key, ['examined_pixels', 'examined_film_seconds']);
        reply.code(201).header('location', `${linked.settings.publicUrl}/v1/files/${file.file_id}`);
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
    async (request) => success(await findUpload(http.linked(request), http.caller(request), request.params.file_id)),
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
    async (request) => success(await deleteUpload(kernel, http.caller(request), request.params.file_id)),
  );
}

interface Incoming {
  readonly source: Readable;
  readonly contentType: string;
  /** Reads the parts after the file. @returns the end user that a field of the body names; null = none */
  readonly onRead: () => Promise<string | null>;
}

/** @throws ServiceError `invalid_request` if the form and the address name different end users */
function oneOf(inForm: string | null, inQuery: string | null): string | null {
  if (inForm === null || inQuery === null || inForm === inQuery) return inForm ?? inQuery;
  throw new ServiceError('invalid_request', 'The form and the address name different end users. Send one of them.', {
    param: 'end_user',
  });
}

/** Refuses a body that is too large before anything is read, if the caller announces its size. */
function refuseTooLarge(request: FastifyRequest, maxBytes: number): void {
  const allowance = request.isMultipart() ? MULTIPART_LINES_BYTES : 0;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + allowance) {
    throw new ServiceError('body_too_large', `The file is larger than the maximum of ${maxBytes} bytes.`);
  }
}

function rawOf({ body, headers }: FastifyRequest): Incoming {
  if (body instanceof Readable)
    return { source: body, contentType: headers['content-type'] ?? '', onRead: async () => null };
  throw new ServiceError(
    'unsupported_media_type',
    'Send the file as multipart/form-data, or as the raw body with its own Content-Type such as image/png.',
  );
}

/**
 * Returns the file of a multipart body. The field beside it may come before or after it; the later part is judged once
 * read.
 */
async function partOf(request: FastifyRequest): Promise<Incoming> {
  const nextPart = readParts(request, AT_MOST);
  let part = await nextPart();
  let endUser: string | null = null;
  if (part?.type === 'field') {
    endUser = endUserIn(part);
    part = await nextPart();
  }
  if (part?.type !== 'file') {
    throw new ServiceError('invalid_request', 'The multipart body has no file. Send one, as a part named file.', {
      param: 'file',
    });
  }
  return {
    source: part.file,
    contentType: part.mimetype,
    onRead: async () => {
      const next = await nextPart();
      if (next === undefined) return endUser;
      if (endUser !== null || next.type !== 'field' || (await nextPart()) !== undefined) throw tooMuch();
      return endUserIn(next);
    },
  };
}

/** @throws ServiceError `invalid_request` for another field */
function endUserIn({ fieldname, value, valueTruncated }: MultipartValue): string {
  if (fieldname === 'end_user' && typeof value === 'string' && !valueTruncated) return value;
  throw tooMuch();
}

function tooMuch(): ServiceError {
  return new ServiceError('invalid_request', `Send ${AT_MOST}.`);
}
