import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { OrderingKey } from '../accounts/api-key.ts';
import { findKeyById } from '../accounts/keyring.ts';
import { ServiceError } from '../base/errors.ts';
import { findTask } from '../tasks/find-tasks.ts';
import { isFinal } from '../tasks/task.ts';
import { findTaskOwner } from '../tasks/task-owner.ts';
import type { TaskAnswers } from './answer-task.ts';
import { limitRate, requireOrderingKey } from './authenticate.ts';
import type { App, HttpOptions } from './http-options.ts';
import { ErrorAnswer, plainAnswer } from './schemas.ts';

const HEARTBEAT_MS = 15_000;
/** What other processes change is seen this much later at most. */
const ASK_AGAIN_MS = 1_000;
/** A stream may last for hours: whether its key may still read is looked at this often. */
const LOOK_AT_KEY_MS = 1_500;

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

const EventsQuery = Type.Object(
  {
    expires: Type.Optional(Type.String({ description: 'part of a signed address' })),
    signature: Type.Optional(Type.String({ description: 'part of a signed address; without one a bearer is needed' })),
  },
  { additionalProperties: false },
);

type EventsRequest = FastifyRequest<{
  Params: { task_id: string };
  Querystring: { expires?: string; signature?: string };
}>;

/** `GET …/{task_id}/events`: a snapshot at once, every change, a comment as heartbeat, the end after the final state. */
export function eventRoutes(app: App, options: HttpOptions, { waits }: TaskAnswers): void {
  const { desk } = options;
  const requireBearer = requireOrderingKey(options);
  const limitReads = limitRate(options, 'reads');

  for (const type of ['image', 'video'] as const) {
    app.get(
      `/v1/${type}s/:task_id/events`,
      {
        onRequest: async (request, reply) => {
          const { signature, expires = '' } = request.query as EventsRequest['query'];
          if (signature === undefined) {
            await requireBearer(request, reply);
            await limitReads(request, reply);
          } else request.apiKey = await ownerBySignature(options, request as EventsRequest, expires, signature);
        },
        schema: {
          tags: [type === 'image' ? 'Images' : 'Videos'],
          summary: `Follow ${type === 'image' ? 'an image' : 'a video'} task by server-sent events`,
          params: Type.Object({ task_id: Type.String() }),
          querystring: EventsQuery,
          response: {
            200: plainAnswer('Events named `task`, whose data is the task as a retrieval gives it', [
              'text/event-stream',
            ]),
            204: Type.Null({ description: 'Nothing more will come: `Last-Event-ID` names the final revision' }),
            ...ErrorAnswer,
          },
        },
      },
      async (request, reply) => {
        const key = request.apiKey as OrderingKey;
        const { task_id: taskId } = request.params as { task_id: string };
        // What is wrong is said as any refusal, before the stream begins.
        const task = await findTask(desk, key, type, taskId);
        // A browser connects again whenever a stream ends, and stops only when it is told so.
        if (isFinal(task.status) && request.headers['last-event-id'] === String(task.revision))
          return reply.code(204).send(null);
        if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send();
        const wait = waits.open(reply.raw);
        try {
          const mayRead = () => isStillGood(options, request, key);
          await follow(options, key, type, taskId, reply, wait.signal, mayRead);
        } catch (error) {
          // Nobody answers for a stream that has begun: cut, it is opened again; left alone, it would stay silent for good.
          desk.log.error({ err: error, task_id: taskId }, 'a stream of events broke');
          reply.raw.destroy();
        } finally {
          wait.close();
        }
      },
    );
  }
}

async function ownerBySignature(
  { desk }: Pick<HttpOptions, 'desk'>,
  request: EventsRequest,
  expires: string,
  signature: string,
): Promise<OrderingKey> {
  const { task_id: taskId } = request.params;
  const verdict = desk.signer.verifyEvents(taskId, expires, signature);
  const owner = verdict === 'good' ? await findTaskOwner(desk.database.read, taskId) : null;
  const key = owner === null ? null : await findKeyById(desk.database.read, owner);
  if (key === null || key.mode === 'admin' || key.revoked) {
    const reason = verdict === 'expired' ? 'has expired' : 'is not good';
    throw new ServiceError('forbidden', `The signature of this address ${reason}. Read the task again for a new one.`);
  }
  return key as OrderingKey;
}

/** Not once the key is revoked, or the secret that the stream was opened with has run out. */
async function isStillGood(
  { desk, keyring }: Pick<HttpOptions, 'desk' | 'keyring'>,
  request: FastifyRequest,
  key: OrderingKey,
): Promise<boolean> {
  if ((request.query as EventsRequest['query']).signature !== undefined)
    return (await findKeyById(desk.database.read, key.id))?.revoked === false;
  const caller = await keyring.authenticate(request.headers.authorization).catch(() => null);
  return caller !== null;
}

async function follow(
  { desk }: Pick<HttpOptions, 'desk'>,
  key: OrderingKey,
  type: 'image' | 'video',
  taskId: string,
  reply: FastifyReply,
  signal: AbortSignal,
  mayRead: () => Promise<boolean>,
): Promise<void> {
  reply.hijack();
  const stream = reply.raw;
  stream.writeHead(200, { ...reply.getHeaders(), ...STREAM_HEADERS } as Record<string, string>);
  let sent = -1;
  let quietSince = performance.now();
  let lookedAtKey = quietSince;
  while (!signal.aborted) {
    const listening = new AbortController();
    // Listening begins before reading, so that no change falls between the two.
    const changed = desk.events.nextChange(taskId, {
      timeoutMs: ASK_AGAIN_MS,
      signal: AbortSignal.any([listening.signal, signal]),
    });
    const task = await findTask(desk, key, type, taskId).catch((error: unknown) => {
      if (error instanceof ServiceError) return null;
      throw error;
    });
    if (task !== null && task.revision > sent) {
      sent = task.revision;
      quietSince = performance.now();
      stream.write(`id: ${task.revision}\nevent: task\ndata: ${JSON.stringify(task)}\n\n`);
    } else if (performance.now() - quietSince >= HEARTBEAT_MS) {
      quietSince = performance.now();
      stream.write(': still here\n\n');
    }
    if (task === null || isFinal(task.status)) {
      listening.abort();
      break;
    }
    await changed;
    if (performance.now() - lookedAtKey < LOOK_AT_KEY_MS) continue;
    lookedAtKey = performance.now();
    if (!(await mayRead())) break;
  }
  stream.end();
}
