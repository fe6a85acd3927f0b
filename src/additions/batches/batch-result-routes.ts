import { Readable } from 'node:stream';
import { eventAnswer } from '@darkroom-service/addition-common/http/event-answer';
import {
  bearerOf,
  createEventStreams,
  STREAM_HEADERS,
  type Stream,
  serveStream,
} from '@darkroom-service/addition-common/http/event-streams';
import { TASK_ID, TASK_STATUSES } from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import {
  Batch,
  BatchTaskPage,
  ErrorAnswer,
  envelopeOf,
  Limit,
  plainAnswer,
  success,
} from '@darkroom-service/contract/schemas';
import { type Static, Type } from 'typebox';
import type { Kernel, OrderingKey, ServingKernel } from '../../kernel.ts';
import type { App, RouteTools } from '../../kernel-http.ts';
import { batchResults, listBatchTasks } from './batch-tasks.ts';
import { findBatch, findBatchRow } from './find-batches.ts';
import { zipResults } from './zip-results.ts';

const ONE = '/v1/batches/:batch_id';
const DEFAULT_LIMIT = 20;
/** Minimum time between two reads of the batch for a stream. */
const PAUSE_MS = 1_000;
const tags = ['Batches'];

const TaskQuery = closedObject({
  limit: Limit,
  status: Type.Optional(Type.Enum([...TASK_STATUSES])),
  after: Type.Optional(
    Type.String({ maxLength: 64, pattern: `^${TASK_ID}$`, description: 'a task_id: those after it' }),
  ),
});

const ResultQuery = closedObject({
  format: Type.Optional(
    Type.Enum(['jsonl', 'zip'], {
      default: 'jsonl',
      description:
        'zip: the outputs, named by batch_name or task_id, without compression; missing.jsonl lists tasks without one.',
    }),
  ),
});

/** Adds the routes of a batch's tasks, results and changes. */
export function batchResultRoutes(v1: App, waits: RouteTools['waits'], kernel: ServingKernel): void {
  const { accounts, http } = kernel;
  const streams = createEventStreams();

  v1.get<{ Params: { batch_id: string }; Querystring: Static<typeof TaskQuery> }>(
    `${ONE}/tasks`,
    { schema: { tags, querystring: TaskQuery, response: { 200: envelopeOf(BatchTaskPage), ...ErrorAnswer } } },
    async (request) => {
      const { limit = DEFAULT_LIMIT, status, after = null } = request.query;
      const { id } = await findBatchRow(kernel, http.caller(request), request.params.batch_id);
      const query = { limit, after, status: status === undefined ? null : [status] };
      const { items, hasMore } = await listBatchTasks(http.linked(request), http.caller(request), id, query);
      return success({ items, limit, has_more: hasMore });
    },
  );

  v1.get<{ Params: { batch_id: string }; Querystring: Static<typeof ResultQuery> }>(
    `${ONE}/results`,
    {
      schema: {
        tags,
        querystring: ResultQuery,
        response: {
          200: plainAnswer('One task per line, as a retrieval gives it; or the outputs, as an archive', [
            'application/jsonl',
            'application/zip',
          ]),
          ...ErrorAnswer,
        },
      },
    },
    async (request, reply) => {
      const key = http.caller(request);
      const { id } = await findBatchRow(kernel, key, request.params.batch_id);
      reply.header('cache-control', 'no-store');
      if (request.query.format === 'zip') {
        reply.type('application/zip').header('content-disposition', `attachment; filename="${id}.zip"`);
        if (request.method === 'HEAD') return reply.send();
        http.budgets(reply, key, ['streams']);
        const share = accounts.budgets.take(key, 'streams', 1);
        reply.raw.once('close', () => share.release());
        return reply.send(zipResults(kernel, id));
      }
      reply.type('application/jsonl; charset=utf-8');
      return reply.send(Readable.from(batchResults(http.linked(request), key, id), { highWaterMark: 64 }));
    },
  );

  v1.get<{ Params: { batch_id: string } }>(
    `${ONE}/events`,
    {
      schema: {
        tags,
        querystring: closedObject({}),
        response: {
          200: eventAnswer('Events named `batch`, whose data is the batch as a retrieval gives it', {
            batch: refTo(Batch),
          }),
          ...ErrorAnswer,
        },
      },
    },
    async (request, reply) => {
      const key = http.caller(request);
      const { id } = await findBatchRow(kernel, key, request.params.batch_id);
      if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send();
      await serveStream(kernel, { waits, streams }, request, reply, {
        shares: 1,
        credential: bearerOf(kernel, request),
        subject: { batch_id: id },
        follow: (stream, signal) => followBatch(http.linked(request), key, id, stream, signal),
      });
    },
  );
}

/**
 * Sends the batch at once and whenever it has changed, until it has ended or the signal is aborted. A caller that has
 * closed its side may still read, so the first is sent in any case.
 */
async function followBatch(
  kernel: Pick<Kernel, 'settings' | 'store' | 'tasks'>,
  key: OrderingKey,
  id: string,
  stream: Pick<Stream, 'send'>,
  signal: AbortSignal,
): Promise<void> {
  const watch = kernel.tasks.events.watch(id);
  try {
    let sent = '';
    let number = 1;
    do {
      const batch = await findBatch(kernel, key, id);
      const data = JSON.stringify(batch);
      if (data !== sent) stream.send({ name: 'batch', id: number++, data });
      sent = data;
      if (batch.status !== 'processing') break;
      // Its tasks change it without a revision, so any change of the database may concern it.
      await watch.next(0, { timeoutMs: PAUSE_MS, signal });
    } while (!signal.aborted);
  } finally {
    watch.close();
  }
}
