import { hash } from 'node:crypto';
import { world } from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import {
  CacheHeaders,
  ErrorAnswer,
  envelopeOf,
  ModelList,
  ModelWithSchema,
  success,
  successAround,
} from '@darkroom-service/contract/schemas';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Type } from 'typebox';
import type { OrderingKey } from '../accounts/api-key.ts';
import { describeModel, orderableModels, publicModels } from '../orders/model-list.ts';
import { callerOf } from './authenticate.ts';
import { answerPacked, isUnchanged, type Packed, pack } from './bodies/packed.ts';
import type { App, HttpOptions } from './http-options.ts';

/** Minimum age of a key's list before it is built again: prices and availability change rarely. */
const REMADE_AFTER_MS = 1_000;
/**
 * Maximum number of kept lists: a list, with its compressed forms, takes a third of a megabyte, and each set of terms
 * has its own.
 */
const LISTS_KEPT = 32;
const KEPT_UNUSED_MS = 60_000;

const ListQuery = closedObject({ type: Type.Optional(Type.Enum(['image', 'video'])) });
type ModelType = 'image' | 'video' | undefined;
const listAnswer = { 200: envelopeOf(ModelList), ...ErrorAnswer };

interface MadeList {
  readonly json: string;
  /** Answer up to its timestamp. Stays the same, with its compressed forms, while the list does. */
  readonly packed: Packed;
  readonly tail: (time: number) => string;
  readonly version: string;
  readonly madeAt: number;
  /** Timestamp of the answers: the time when the list was read. The same bytes serve all of them. */
  readonly time: number;
}

/** Serves the public catalog, which requires no key and ignores any. */
export function catalogRoutes(app: App, options: HttpOptions, takeTurn: onRequestHookHandler): void {
  const lists = rememberLists(options);
  app.get(
    '/v1/catalog',
    {
      onRequest: takeTurn,
      schema: {
        tags: ['Models'],
        security: [],
        headers: CacheHeaders,
        querystring: ListQuery,
        response: listAnswer,
      },
    },
    async (request, reply) => {
      const { type } = request.query;
      const list = await lists.get(`${type}`, async () => ofType(await publicModels(options.services, options), type));
      return await answerList(request, reply, list, 'public');
    },
  );
}

/** Serves the models that the calling key can order. */
export function modelRoutes(v1: App, options: HttpOptions): void {
  const { services } = options;
  const lists = rememberLists(options);
  v1.get(
    '/v1/models',
    {
      schema: {
        tags: ['Models'],
        headers: CacheHeaders,
        querystring: ListQuery,
        response: listAnswer,
      },
    },
    async (request, reply) => {
      const { type } = request.query;
      const key = callerOf(request);
      const make = async () => ofType(await orderableModels(services, key), type);
      const list = await lists.get(`${termsOf(services, key)} ${type}`, make);
      return await answerList(request, reply, list, 'private');
    },
  );
  v1.get<{ Params: { model_id: string } }>(
    '/v1/models/:model_id',
    {
      schema: {
        tags: ['Models'],
        headers: CacheHeaders,
        querystring: closedObject({}),
        response: { 200: envelopeOf(refTo(ModelWithSchema)), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const model = await describeModel(services, callerOf(request), request.params.model_id);
      reply.header('cache-control', 'private, no-cache');
      if (isUnchanged(request, reply, etagOf(JSON.stringify(model)))) return reply.send();
      return success(model);
    },
  );
}

async function answerList(
  request: FastifyRequest,
  reply: FastifyReply,
  { packed, tail, time }: MadeList,
  audience: 'public' | 'private',
) {
  reply.header('cache-control', `${audience}, no-cache`).type('application/json; charset=utf-8');
  return await answerPacked(request, reply, packed, tail(time));
}

/** Returns all the properties of a key that its list depends on: keys on equal terms share a list. */
function termsOf({ routing }: HttpOptions['services'], key: OrderingKey): string {
  const { mode, models, client, account } = key;
  const rule = routing.ruleOf(key, {});
  return JSON.stringify([mode, models, client?.models ?? null, rule, account.priceRules, account.hiddenModels]);
}

function rememberLists({ services }: Pick<HttpOptions, 'services'>) {
  const remembered = new Map<string, MadeList>();
  const usedAt = new Map<string, number>();
  const making = new Map<string, Promise<MadeList>>();
  const forget = (name: string) => {
    remembered.delete(name);
    usedAt.delete(name);
  };
  async function remake(name: string, make: () => Promise<readonly object[]>): Promise<MadeList> {
    const { version } = services.catalog();
    const known = remembered.get(name);
    const [madeAt, time] = [services.clock.now(), world.now()];
    const json = JSON.stringify({ items: await make() });
    const { head, tail } = successAround(json);
    const packed = known?.json === json ? known.packed : pack(Buffer.from(head));
    const list = { json, packed, tail, version, madeAt, time };
    // Unless it was dropped meanwhile, for lists that were used later.
    if (usedAt.has(name)) remembered.set(name, list);
    return list;
  }
  return {
    async get(name: string, make: () => Promise<readonly object[]>): Promise<MadeList> {
      const now = services.clock.now();
      const known = remembered.get(name);
      // Setting a name anew makes it the last, so that the first is the one that was used longest ago.
      usedAt.delete(name);
      usedAt.set(name, now);
      const isYoung = known !== undefined && Math.abs(now - known.madeAt) < REMADE_AFTER_MS;
      if (isYoung && known.version === services.catalog().version) return known;
      for (const [other, at] of usedAt) {
        if (Math.abs(now - at) < KEPT_UNUSED_MS && usedAt.size <= LISTS_KEPT) break;
        forget(other);
      }
      const made = making.get(name) ?? remake(name, make).finally(() => making.delete(name));
      making.set(name, made);
      return await made;
    },
  };
}

function ofType<T extends { readonly type: string }>(entries: readonly T[], type: ModelType): readonly T[] {
  return type === undefined ? entries : entries.filter((entry) => entry.type === type);
}

function etagOf(json: string): string {
  return `"${hash('sha256', json, 'base64url').slice(0, 22)}"`;
}
