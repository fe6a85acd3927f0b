import { eventAnswer } from '@darkroom-service/addition-common/http/event-answer';
import {
  bearerOf,
  createEventStreams,
  STREAM_HEADERS,
  type StreamOrder,
  serveStream,
} from '@darkroom-service/addition-common/http/event-streams';
import { ServiceError, type TaskView } from '@darkroom-service/contract';
import { closedObject, LONGEST, refTo, SignedPart } from '@darkroom-service/contract/parts';
import { ErrorAnswer, StreamHeaders, Task } from '@darkroom-service/contract/schemas';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { ApiKey, Kernel, OrderingKey, Owner, ServingKernel } from '../../kernel.ts';
import type { App, RouteTools } from '../../kernel-http.ts';
import { isFinal } from '../../kernel-views.ts';
import { followTask } from './follow-task.ts';
import { findTaskOwner } from './task-owner.ts';

const EventsQuery = closedObject({
  expires: SignedPart('part of a signed address'),
  signature: SignedPart('part of a signed address; without one a bearer is needed'),
});

/**
 * Serves `GET …/{task_id}/events`: a snapshot at once, every change, a comment as heartbeat, the end after the final
 * state.
 */
export function eventRoutes(app: App, kernel: ServingKernel, { waits }: Pick<RouteTools, 'waits'>): void {
  const { http, tasks } = kernel;
  const limitReads = http.limit('reads');
  const streams = createEventStreams();

  for (const type of ['image', 'video'] as const) {
    app.get(
      `/v1/${type}s/:task_id/events`,
      {
        onRequest: async (request, reply) => {
          const { signature, expires = '' } = request.query;
          if (signature === undefined) await http.admit.call(app, request, reply);
          else request.apiKey = await ownerOf(kernel, reply, { ...request.params, expires, signature });
          await limitReads.call(app, request, reply);
        },
        config: { takesClientTokens: true },
        schema: {
          tags: [type === 'image' ? 'Images' : 'Videos'],
          params: Type.Object({ task_id: Type.String({ maxLength: LONGEST.pathPart }) }),
          headers: StreamHeaders,
          querystring: EventsQuery,
          response: {
            200: eventAnswer('Events named `task`, whose data is the task as a retrieval gives it', {
              task: refTo(Task),
            }),
            204: Type.Null({ description: 'Nothing more will come: `Last-Event-ID` names the final revision' }),
            ...ErrorAnswer,
          },
        },
      },
      async (request, reply) => {
        const key = request.apiKey as OrderingKey;
        const { task_id: taskId } = request.params;
        // Errors are answered as for any other request, before the stream begins.
        const endTurn = await tasks.events.reads.take(key.id);
        const task = await tasks.find(key, type, taskId).finally(endTurn);
        // Browsers reconnect whenever a stream ends, and stop only after a 204.
        if (isFinal(task.status) && request.headers['last-event-id'] === String(task.revision))
          return reply.code(204).send(null);
        if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send();
        const isSigned = request.query.signature !== undefined;
        await serveStream(kernel, { waits, streams }, request, reply, {
          shares: 1,
          ...(isSigned ? { owner: viewerOf(key, task) } : {}),
          credential: isSigned ? signatureOf(kernel, key) : bearerOf(kernel, request),
          subject: { task_id: taskId },
          follow: (stream, signal) => followTask(http.linked(request), { key, type, taskId, stream, signal }),
        });
      },
    );
  }
}

interface SignedUrl {
  readonly task_id: string;
  readonly expires: string;
  readonly signature: string;
}

/**
 * Returns the key of a signed address. The owner of the address must be read first, and thousands may open one address
 * at once: they take turns, and those beyond the streams of a key are refused before anything is read.
 * @throws ServiceError `forbidden`, `rate_limited`
 */
async function ownerOf(
  kernel: ServingKernel,
  reply: FastifyReply,
  { task_id: taskId, expires, signature }: SignedUrl,
): Promise<OrderingKey> {
  const { accounts, files, http, tasks } = kernel;
  const verdict = files.signer.verifyEvents(taskId, expires, signature);
  if (verdict !== 'good') throw wrongSignature(verdict === 'expired' ? 'has expired' : 'is invalid');
  await http.turn(taskId);
  const opening = accounts.budgets.take(taskId, 'streams', 1);
  reply.raw.once('close', () => opening.release());
  const endTurn = await tasks.events.reads.take(taskId);
  return await readOwner(kernel, taskId).finally(endTurn);
}

async function readOwner(
  { accounts, clock, store }: Pick<Kernel, 'accounts' | 'clock' | 'store'>,
  taskId: string,
): Promise<OrderingKey> {
  const owner = await findTaskOwner(store.read, taskId);
  const key = owner === null ? null : await accounts.key(owner);
  if (key === null || key.mode === 'admin') throw wrongSignature('is invalid');
  if (!works(key, clock.now())) {
    const reason = key.revoked ? 'was revoked' : 'has expired';
    throw new ServiceError('forbidden', `The API key of this signed URL ${reason}.`);
  }
  return key as OrderingKey;
}

function wrongSignature(reason: string): ServiceError {
  return new ServiceError('forbidden', `The signature of this URL ${reason}. Retrieve the task again for a new URL.`);
}

function works(key: ApiKey & { readonly revoked: boolean }, now: number): boolean {
  return !key.revoked && (key.expiresAt === null || now < key.expiresAt);
}

/**
 * Returns the owner of the stream. Signed addresses are made for pages, so the one of an end user's task takes that end
 * user's streams.
 */
function viewerOf({ id }: OrderingKey, { end_user: endUser }: Pick<TaskView, 'end_user'>): Owner {
  return endUser === null ? { id } : { id, client: { endUser } };
}

/** Checks a signed address, which is valid as long as its key. */
function signatureOf(
  { accounts, clock }: Pick<Kernel, 'accounts' | 'clock'>,
  key: OrderingKey,
): StreamOrder['credential'] {
  const check = async () => {
    const found = await accounts.key(key.id);
    return found !== null && works(found, clock.now());
  };
  return { credential: key.id, check };
}
