import { BATCH_STATUSES, formatMicros, idPattern, type JsonObject } from '@darkroom-service/contract';
import { closedObject, Instant, OPTIONAL_BODY, refTo } from '@darkroom-service/contract/parts';
import {
  ActionHeaders,
  Batch,
  BatchOrder,
  BatchPage,
  BatchQuote,
  ErrorAnswer,
  envelopeOf,
  IdempotencyHeaders,
  Limit,
  readTimes,
  success,
} from '@darkroom-service/contract/schemas';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { ServingKernel } from '../../kernel.ts';
import { type App, readIdempotencyKey } from '../../kernel-http.ts';
import { cancelBatch } from './cancel-batch.ts';
import { BatchDraft } from './draft-batch.ts';
import { findBatch, listBatches } from './find-batches.ts';
import { placeBatch, replayOfBatch } from './place-batch.ts';
import { type ArrivingBatch, readBatch, readBatchFields } from './read-batch.ts';

const PATH = '/v1/batches';
const DEFAULT_LIMIT = 20;
const LINES = /^application\/(?:jsonl|x-ndjson|x-jsonlines)(?:;|$)/;
const tags = ['Batches'];
const nothing = closedObject({});

const FieldsQuery = closedObject({
  max_price: Type.Optional(
    Type.String({ maxLength: 64, description: 'as in the JSON body; only for application/jsonl' }),
  ),
  max_parallel: Type.Optional(
    Type.String({ maxLength: 64, description: 'as in the JSON body; only for application/jsonl' }),
  ),
  webhook_url: Type.Optional(
    Type.String({ maxLength: 4_096, description: 'as in the JSON body; only for application/jsonl' }),
  ),
  speed: Type.Optional(
    Type.String({ maxLength: 64, description: 'the speed of orders that say none; also beside a JSON body' }),
  ),
  deliver_to: Type.Optional(Type.String({ maxLength: 100, description: 'a JSON object; only for application/jsonl' })),
  metadata: Type.Optional(Type.String({ maxLength: 3_500, description: 'a JSON object; only for application/jsonl' })),
});

const ListQuery = closedObject({
  limit: Limit,
  status: Type.Optional(Type.Enum([...BATCH_STATUSES])),
  created_after: Type.Optional(Instant('ISO 8601')),
  created_before: Type.Optional(Instant('ISO 8601')),
  after: Type.Optional(
    Type.String({ maxLength: 64, pattern: `^${idPattern('bat')}$`, description: 'a batch_id: older batches' }),
  ),
});

/** A request whose body is read while it arrives. */
type Placing = { Body: ArrivingBatch | null; Querystring: Static<typeof FieldsQuery> };
type OneBatch = { Params: { batch_id: string } };

/** Serves batches: many orders of one request, placed at one price. */
export async function batchRoutes(v1: App, kernel: ServingKernel): Promise<void> {
  await v1.register(async (scope) => placingRoutes(scope, kernel));
  readingRoutes(v1, kernel.http);
}

/** Serves the routes whose bodies are read while they arrive. */
function placingRoutes(orders: App, kernel: ServingKernel): void {
  const { http } = kernel;
  http.bodies.refuseJson(orders);
  orders.addContentTypeParser(/^application\/(?:[\w.+-]+\+)?json(?:;|$)/, (_request, payload, done) =>
    done(null, { payload, hasLines: false }),
  );
  orders.addContentTypeParser(LINES, (_request, payload, done) => done(null, { payload, hasLines: true }));
  const consumes = ['application/json', 'application/jsonl'];

  orders.post<Placing>(
    PATH,
    {
      onRequest: http.limit('creates'),
      schema: {
        tags,
        consumes,
        body: BatchOrder,
        headers: IdempotencyHeaders,
        querystring: FieldsQuery,
        response: { 201: envelopeOf(refTo(Batch), 201), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const { batch, replayed } = await createBatch(kernel, request);
      reply.code(201).header('location', batch.urls.self);
      if (replayed) reply.header('idempotent-replayed', 'true');
      return success(batch, 201);
    },
  );

  orders.post<Placing>(
    `${PATH}/prices`,
    {
      schema: {
        tags,
        consumes,
        body: BatchOrder,
        querystring: FieldsQuery,
        response: { 200: envelopeOf(refTo(BatchQuote)), ...ErrorAnswer },
      },
    },
    async (request) => {
      const key = http.caller(request);
      const drafting = new BatchDraft(http.linked(request), key, { withFingerprint: false });
      const sent = await readBatch(kernel, request, drafting);
      const draft = await drafting.finish();
      await readBatchFields(kernel, key, sent);
      return success({
        orders: draft.orders,
        currency: 'USD' as const,
        amount: formatMicros(draft.total),
        exact: draft.exact,
        models: [...draft.models].map(([id, { orders: count, amount }]) => ({
          model_id: id,
          orders: count,
          amount: formatMicros(amount),
        })),
      });
    },
  );
}

function readingRoutes(v1: App, http: ServingKernel['http']): void {
  v1.get(
    PATH,
    { schema: { tags, querystring: ListQuery, response: { 200: envelopeOf(BatchPage), ...ErrorAnswer } } },
    async (request) => {
      const { limit = DEFAULT_LIMIT, status = null, after = null, ...sent } = request.query;
      const times = readTimes({ created_after: sent.created_after, created_before: sent.created_before });
      const query = { limit, status, after, createdAfter: times.created_after, createdBefore: times.created_before };
      const { items, hasMore } = await listBatches(http.linked(request), http.caller(request), query);
      return success({ items, limit, has_more: hasMore });
    },
  );

  v1.get<OneBatch>(
    `${PATH}/:batch_id`,
    { schema: { tags, querystring: nothing, response: { 200: envelopeOf(refTo(Batch)), ...ErrorAnswer } } },
    async (request) => success(await findBatch(http.linked(request), http.caller(request), request.params.batch_id)),
  );

  v1.post<OneBatch>(
    `${PATH}/:batch_id/cancel`,
    {
      schema: {
        tags,
        headers: ActionHeaders,
        body: closedObject({}, OPTIONAL_BODY),
        querystring: nothing,
        response: { 200: envelopeOf(refTo(Batch)), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const linked = http.linked(request);
      const batch = await http.once(request, reply, {
        make: (binding) => cancelBatch(linked, http.caller(request), request.params.batch_id, binding),
        again: (batchId) => findBatch(linked, http.caller(request), batchId),
      });
      return success(batch);
    },
  );
}

async function createBatch(kernel: ServingKernel, request: FastifyRequest<Placing>) {
  const key = kernel.http.caller(request);
  const linked = kernel.http.linked(request);
  const idempotencyKey = readIdempotencyKey(request);
  const drafting = new BatchDraft(linked, key, { withFingerprint: idempotencyKey !== null });
  const sent = await readBatch(kernel, request, drafting);
  const claim =
    idempotencyKey === null ? null : { scope: key.id, key: idempotencyKey, fingerprint: fingerprintOf(drafting, sent) };
  try {
    const draft = await drafting.finish();
    const fields = await readBatchFields(linked, key, sent);
    return await placeBatch(linked, key, { draft, fields, claim });
  } catch (error) {
    // A known key takes precedence over a refusal.
    const batch = await replayOfBatch(linked, key, claim);
    if (batch === null) throw error;
    return { batch, replayed: true };
  }
}

/** Returns the fingerprint of a request: an Idempotency-Key is bound to the path and to everything that was sent. */
function fingerprintOf(drafting: BatchDraft, fields: JsonObject): string {
  return drafting.fingerprint({ path: PATH, fields });
}
