import { OpenBody } from '@darkroom-service/addition-openai/routes/image-request';
import { cutText, ServiceError } from '@darkroom-service/contract';
import { LONGEST } from '@darkroom-service/contract/parts';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { readContent } from '../mapping/read-content.ts';
import { readPrediction } from '../mapping/read-prediction.ts';
import { bodyOf } from './bodies.ts';
import { findOwnCall } from './find-call.ts';
import type { GeminiHttp } from './gemini-http.ts';
import { orderOperation, showOperation } from './operation-routes.ts';
import { placeCall } from './place-call.ts';
import { waitForPlaced } from './wait-for-call.ts';

const HELD = ['gemini:content', 'gemini:prediction', 'gemini:interaction'] as const;

/** Serves the methods of models, such as `models/sketch:generateContent`, and the results of held requests. */
export function methodRoutes(mount: App, parts: GeminiHttp): void {
  const { http } = parts.kernel;
  const methods: Readonly<Record<string, (request: FastifyRequest, reply: FastifyReply, model: string) => unknown>> = {
    generateContent: (request, reply, model) => generate(parts, request, reply, model),
    streamGenerateContent: (request, reply, model) => generate(parts, request, reply, model),
    predict: (request, reply, model) => predict(parts, request, reply, model),
    predictLongRunning: (request, reply, model) => orderOperation(parts, request, reply, model),
    fetchPredictOperation: (request, reply) => {
      const { operationName } = (request.body ?? {}) as { readonly operationName?: unknown };
      return showOperation(
        parts,
        request,
        reply,
        String(operationName ?? '')
          .split('/')
          .at(-1) ?? '',
      );
    },
  };
  mount.post(
    '/models/:target',
    {
      onRequest: http.limit('creates'),
      schema: {
        hide: true,
        params: Type.Object({ target: Type.String({ maxLength: LONGEST.pathPart }) }),
        body: OpenBody,
      },
    },
    async (request, reply) => {
      const { target } = request.params;
      const at = target.lastIndexOf(':');
      const method = methods[target.slice(at + 1)];
      if (at === -1 || method === undefined) throw unknownMethod(target);
      return await method(request, reply, target.slice(0, at));
    },
  );

  mount.get<{ Params: { call_id: string }; Querystring: { hop?: string } }>(
    '/results/:call_id',
    { schema: { hide: true } },
    async (request, reply) => {
      const call = await findOwnCall(parts, request, request.params.call_id, HELD);
      const hop = Math.max(0, Math.trunc(Number(request.query.hop ?? 0)) || 0);
      return await parts.hold(request, reply, call, hop);
    },
  );
}

function generate(parts: GeminiHttp, request: FastifyRequest, reply: FastifyReply, model: string) {
  const { target = '' } = request.params as { readonly target?: string };
  const { alt } = request.query as { readonly alt?: string };
  return waitForPlaced(parts, request, reply, {
    streams: target.endsWith(':streamGenerateContent') && alt === 'sse',
    place: async () => {
      const order = readContent(bodyOf(parts, request));
      const path = `${model}:generateContent`;
      return await placeCall(parts, request, { model, order, form: 'gemini:content', path, type: 'image' });
    },
  });
}

function predict(parts: GeminiHttp, request: FastifyRequest, reply: FastifyReply, model: string) {
  return waitForPlaced(parts, request, reply, {
    streams: false,
    place: async () => {
      const order = readPrediction(bodyOf(parts, request));
      const path = `${model}:predict`;
      return await placeCall(parts, request, { model, order, form: 'gemini:prediction', path, type: 'image' });
    },
  });
}

function unknownMethod(target: string): ServiceError {
  const message = `models/${cutText(target, 100)} is no method of this service, which makes images and films, and no text. Methods: generateContent, streamGenerateContent, predict, predictLongRunning.`;
  return new ServiceError('not_found', message);
}
