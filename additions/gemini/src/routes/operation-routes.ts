import { readResult } from '@darkroom-service/addition-openai/mapping/call-result';
import { describeCall } from '@darkroom-service/addition-openai/routes/answer-call';
import { trackEnd } from '@darkroom-service/addition-openai/routes/call-request';
import { ServiceError } from '@darkroom-service/contract';
import { LONGEST } from '@darkroom-service/contract/parts';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { readPrediction } from '../mapping/read-prediction.ts';
import { writeOperation } from '../mapping/write-operation.ts';
import { sendPieces } from './answer-call.ts';
import { bodyOf } from './bodies.ts';
import { cancelCall, findOwnCall } from './find-call.ts';
import type { GeminiHttp } from './gemini-http.ts';
import { placeCall } from './place-call.ts';

const MAX_AGE_SECONDS = 3600;
const ADDRESS_MS = 3_600_000;
const PathPart = Type.String({ maxLength: LONGEST.pathPart });
const Operation = Type.Object({ model: PathPart, operation_id: PathPart });
/** Name of a film: the id of its task without the underscore. Google's clients cut names at other characters. */
const FILE = /^(vid|img)([0-9a-z]{26})(?::download)?$/;

/** Serves operations, which clients poll for their films, and the films themselves. */
export function operationRoutes(mount: App, parts: GeminiHttp): void {
  const { clock, http, tasks } = parts.kernel;
  const onRequest = http.limit('reads');
  mount.get(
    '/models/:model/operations/:operation_id',
    { onRequest, schema: { hide: true, params: Operation } },
    (request, reply) => showOperation(parts, request, reply, request.params.operation_id),
  );
  mount.post(
    '/models/:model/operations/:operation_id',
    { schema: { hide: true, params: Operation } },
    async (request) => {
      const { operation_id: id } = request.params;
      if (!id.endsWith(':cancel'))
        throw new ServiceError('not_found', 'An operation can only be canceled, by :cancel.');
      const call = await findOwnCall(parts, request, id.slice(0, -':cancel'.length), ['gemini:operation']);
      await cancelCall(parts, request, call);
      return {};
    },
  );
  http.answers.fileRoute<{ Params: { file: string } }>(mount, {
    url: '/files/:file',
    onRequest,
    files: 'video',
    schema: { hide: true },
    handler: async (request, reply) => {
      const [, type, rest] = FILE.exec(request.params.file) ?? [];
      if (type === undefined) throw tasks.notFound('video', request.params.file);
      const content = await tasks.content(
        http.caller(request),
        type === 'vid' ? 'video' : 'image',
        `${type}_${rest}`,
        'output',
      );
      const expiresAt = clock.now() + ADDRESS_MS;
      return await http.answers.serve(request, reply, content, { download: false, expiresAt, maxAge: MAX_AGE_SECONDS });
    },
  });
}

/** Orders films and answers at once with their operation. */
export async function orderOperation(parts: GeminiHttp, request: FastifyRequest, reply: FastifyReply, model: string) {
  const order = readPrediction(bodyOf(parts, request));
  const path = `${model}:predictLongRunning`;
  const call = await placeCall(parts, request, { model, order, form: 'gemini:operation', path, type: 'video' });
  trackEnd(parts, reply, call, () => 'delivered');
  return await showOperation(parts, request, reply, call.id);
}

/** Answers with an operation as it is. @throws ServiceError `task_not_found` */
export async function showOperation(parts: GeminiHttp, request: FastifyRequest, reply: FastifyReply, id: string) {
  const linked = parts.kernel.http.linked(request);
  const call = await findOwnCall(parts, request, id, ['gemini:operation']);
  const result = await readResult(linked, parts.kernel.http.caller(request), call);
  describeCall(reply, call);
  const filesUrl = `${linked.settings.publicUrl}/gemini/v1beta/files`;
  const isVertex = request.url.startsWith('/gemini/v1beta1/publishers/');
  return sendPieces(reply, writeOperation(linked, call, result, { filesUrl, isVertex }));
}
