import { Type } from 'typebox';
import type { ApiKey, OrderingKey } from '../../accounts/api-key.ts';
import { findKeyById } from '../../accounts/keyring.ts';
import { ServiceError } from '../../base/errors.ts';
import { isFinal } from '../../tasks/task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { findTask } from '../../views/find-tasks.ts';
import { findTaskOwner } from '../../views/task-owner.ts';
import { StreamHeaders } from '../../wire/orders.ts';
import { ErrorAnswer, plainAnswer } from '../answers.ts';
import { limitRate, requireOrderingKey } from '../authenticate.ts';
import type { App, HttpOptions } from '../http-options.ts';
import type { TaskAnswers } from './answer-task.ts';
import { createEventStreams } from './event-streams.ts';
import { followTask } from './follow-task.ts';
import { STREAM_HEADERS } from './open-stream.ts';
import { bearerOf, type StreamOrder, serveStream } from './serve-stream.ts';

const EventsQuery = Type.Object(
  {
    expires: Type.Optional(Type.String({ description: 'part of a signed address' })),
    signature: Type.Optional(Type.String({ description: 'part of a signed address; without one a bearer is needed' })),
  },
  { additionalProperties: false },
);

/**
 * `GET …/{task_id}/events`: a snapshot at once, every change, a comment as heartbeat, the end after the final state.
 */
export function eventRoutes(app: App, options: HttpOptions, { waits }: TaskAnswers): void {
  const { services } = options;
  const requireBearer = requireOrderingKey(options);
  const limitReads = limitRate(options, 'reads');
  const streams = createEventStreams();

  for (const type of ['image', 'video'] as const) {
    app.get(
      `/v1/${type}s/:task_id/events`,
      {
        onRequest: async (request, reply) => {
          const { signature, expires = '' } = request.query;
          if (signature === undefined) await requireBearer(request, reply);
          else request.apiKey = await ownerInTurn(options, { ...request.params, expires, signature });
          await limitReads(request, reply);
        },
        schema: {
          tags: [type === 'image' ? 'Images' : 'Videos'],
          params: Type.Object({ task_id: Type.String() }),
          headers: StreamHeaders,
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
        const { task_id: taskId } = request.params;
        // Errors are answered as for any other request, before the stream begins.
        const endTurn = await services.events.reads.take(key.id);
        const task = await findTask(services, key, type, taskId).finally(endTurn);
        // Browsers reconnect whenever a stream ends, and stop only after a 204.
        if (isFinal(task.status) && request.headers['last-event-id'] === String(task.revision))
          return reply.code(204).send(null);
        if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send();
        const isSigned = request.query.signature !== undefined;
        await serveStream({ services, waits, streams }, request, reply, {
          shares: 1,
          credential: isSigned ? signatureOf(services, key) : bearerOf(options, request),
          subject: { task_id: taskId },
          follow: (stream, signal) => followTask(services, { key, type, taskId, stream, signal }),
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

/** Thousands may open one address at once, and whose key it is must be read first: they take turns by the task. */
async function ownerInTurn(
  { services, takeKeyTurn }: Pick<HttpOptions, 'services' | 'takeKeyTurn'>,
  url: SignedUrl,
): Promise<OrderingKey> {
  await takeKeyTurn(url.task_id);
  const endTurn = await services.events.reads.take(url.task_id);
  return await ownerBySignature(services, url).finally(endTurn);
}

async function ownerBySignature(
  { signer, database, clock }: Pick<TaskServices, 'signer' | 'database' | 'clock'>,
  url: SignedUrl,
): Promise<OrderingKey> {
  const verdict = signer.verifyEvents(url.task_id, url.expires, url.signature);
  const owner = verdict === 'good' ? await findTaskOwner(database.read, url.task_id) : null;
  const key = owner === null ? null : await findKeyById(database.read, owner);
  if (key === null || key.mode === 'admin') {
    const reason = verdict === 'expired' ? 'has expired' : 'is invalid';
    throw new ServiceError('forbidden', `The signature of this URL ${reason}. Retrieve the task again for a new URL.`);
  }
  if (!works(key, clock.now())) {
    const reason = key.revoked ? 'was revoked' : 'has expired';
    throw new ServiceError('forbidden', `The API key of this signed URL ${reason}.`);
  }
  return key as OrderingKey;
}

function works(key: ApiKey & { readonly revoked: boolean }, now: number): boolean {
  return !key.revoked && (key.expiresAt === null || now < key.expiresAt);
}

/** A signed address works as long as its key. */
function signatureOf(
  { database, clock }: Pick<TaskServices, 'database' | 'clock'>,
  key: OrderingKey,
): StreamOrder['credential'] {
  const check = async () => {
    const found = await findKeyById(database.read, key.id);
    return found !== null && works(found, clock.now());
  };
  return { credential: key.id, check };
}
