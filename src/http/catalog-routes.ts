import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { OrderingKey } from '../accounts/api-key.ts';
import { describeModel, orderableModels, publicModels } from '../tasks/model-list.ts';
import { callerOf } from './authenticate.ts';
import { envelopeOf, success, successAround } from './envelope.ts';
import { isUnchanged } from './etag.ts';
import type { App, HttpOptions } from './http-options.ts';
import { ErrorAnswer, refTo } from './schemas.ts';

/** A list is made at most once a second per key: prices and availability change seldom, and nobody sees it later than that. */
const REMADE_AFTER_MS = 1_000;

const ListQuery = Type.Object({ type: Type.Optional(Type.Enum(['image', 'video'])) }, { additionalProperties: false });
type ModelType = 'image' | 'video' | undefined;
const listAnswer = { 200: envelopeOf(Type.Object({ items: Type.Array(refTo('Model')) })), ...ErrorAnswer };

interface MadeList {
  /** Bytes of JSON. */
  readonly json: Buffer;
  readonly etag: string;
  readonly version: string;
  readonly madeAt: number;
}

/** The public catalog, which asks for no key and looks at none. */
export function catalogRoutes(app: App, options: HttpOptions): void {
  const lists = rememberLists(options);
  app.get(
    '/v1/catalog',
    {
      schema: {
        tags: ['Models'],
        summary: 'All public models at default prices',
        security: [],
        querystring: ListQuery,
        response: listAnswer,
      },
    },
    async (request, reply) => {
      const { type } = request.query;
      const list = lists.get(`${type}`, () => ofType(publicModels(options.desk, options), type));
      return answerList(request, reply, list, 'public');
    },
  );
}

/** What the calling key can order. */
export function modelRoutes(v1: App, options: HttpOptions): void {
  const { desk } = options;
  const lists = rememberLists(options);
  v1.get(
    '/v1/models',
    {
      schema: {
        tags: ['Models'],
        summary: 'Models that your key can order, at your prices',
        querystring: ListQuery,
        response: listAnswer,
      },
    },
    async (request, reply) => {
      const { type } = request.query;
      const key = callerOf(request);
      const list = lists.get(`${termsOf(key)} ${type}`, () => ofType(orderableModels(desk, key), type));
      return answerList(request, reply, list, 'private');
    },
  );
  v1.get<{ Params: { model_id: string } }>(
    '/v1/models/:model_id',
    {
      schema: {
        tags: ['Models'],
        summary: 'One model, with the JSON Schema of its create body',
        querystring: Type.Object({}, { additionalProperties: false }),
        response: { 200: envelopeOf(refTo('Model')), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const model = describeModel(desk, callerOf(request), request.params.model_id);
      reply.header('cache-control', 'private, no-cache');
      if (isUnchanged(request, reply, etagOf(JSON.stringify(model)))) return reply.send();
      return success(model);
    },
  );
}

function answerList(request: FastifyRequest, reply: FastifyReply, list: MadeList, audience: 'public' | 'private') {
  reply.header('cache-control', `${audience}, no-cache`);
  if (isUnchanged(request, reply, list.etag)) return reply.send();
  return reply.type('application/json; charset=utf-8').send(successAround(list.json));
}

/** Everything of a key that its list depends on: keys on equal terms share a list. */
function termsOf({ mode, models, account }: OrderingKey): string {
  return JSON.stringify([mode, models, account.priceRules, account.hiddenModels]);
}

function rememberLists({ desk }: Pick<HttpOptions, 'desk'>) {
  const remembered = new Map<string, MadeList>();
  return {
    get(name: string, make: () => readonly object[]): MadeList {
      const now = desk.clock.now();
      const { version } = desk.catalog();
      // A list is a quarter of a megabyte, and there may be one for each of many terms: none is kept that is not handed out again.
      for (const [other, { madeAt }] of remembered)
        if (Math.abs(now - madeAt) >= REMADE_AFTER_MS) remembered.delete(other);
      const known = remembered.get(name);
      if (known !== undefined && known.version === version) return known;
      const json = JSON.stringify({ items: make() });
      const list = { json: Buffer.from(json), etag: etagOf(json), version, madeAt: now };
      remembered.set(name, list);
      return list;
    },
  };
}

function ofType<T extends { readonly type: string }>(entries: readonly T[], type: ModelType): readonly T[] {
  return type === undefined ? entries : entries.filter((entry) => entry.type === type);
}

function etagOf(json: string): string {
  return `"${hash('sha256', json, 'base64url').slice(0, 22)}"`;
}
