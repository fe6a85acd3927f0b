import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Created } from '../tasks/create-task.ts';
import { isFinal } from '../tasks/task.ts';
import type { TaskView } from '../tasks/task-view.ts';
import { waitForTask } from '../tasks/wait-for-task.ts';
import { callerOf } from './authenticate.ts';
import { success } from './envelope.ts';
import { isUnchanged } from './etag.ts';
import type { HttpOptions } from './http-options.ts';
import type { OpenWaits } from './open-waits.ts';
import { readWait } from './request-headers.ts';

const URL_BUCKET_MS = 12 * 60 * 60 * 1000;

export interface TaskAnswers extends Pick<HttpOptions, 'desk'> {
  readonly waits: OpenWaits;
}

/** Answers a create: 201 and the task, after `Prefer: wait` as far as it got in that time. */
export async function answerCreated(
  { desk, waits }: TaskAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
  created: Created,
) {
  reply.code(201);
  if (created.replayed) reply.header('idempotent-replayed', 'true');
  if (created.deprecation !== null) {
    reply.header('deprecation', `@${Math.floor(desk.clock.now() / 1000)}`);
    const { sunsetAt } = created.deprecation;
    if (sunsetAt !== null) reply.header('sunset', new Date(sunsetAt).toUTCString());
  }
  const { task } = created;
  if (!('urls' in task)) return success(task, 201);
  reply.header('location', task.urls.self);
  const awaited = await waitAsPreferred({ desk, waits }, request, reply, task).catch((error: unknown) => {
    // The order is taken, so a refusal would have the caller send another one.
    desk.log.warn({ err: error, task_id: task.task_id }, 'an order is taken, and could not be waited for');
    return task;
  });
  return success(awaited, 201);
}

/** Answers a retrieval: 304 where the caller has the final state already, `Retry-After` where there is more to come. */
export function answerTask(request: FastifyRequest, reply: FastifyReply, task: TaskView) {
  if (!isFinal(task.status)) {
    reply.header('retry-after', secondsUntilNextLook(task));
    return success(task);
  }
  reply.header('cache-control', 'private, no-cache');
  if (isUnchanged(request, reply, etagOf(task))) return reply.send();
  return success(task);
}

/** The task once it is final or the time of `Prefer: wait` is up; as it is without that header. */
export async function waitAsPreferred(
  { desk, waits }: TaskAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
  task: TaskView,
): Promise<TaskView> {
  const seconds = readWait(request);
  if (seconds === null) return task;
  reply.header('preference-applied', `wait=${seconds}`);
  if (isFinal(task.status)) return task;
  const wait = waits.open(reply.raw);
  try {
    return await waitForTask(desk, callerOf(request), task.type, task.task_id, { seconds, signal: wait.signal });
  } finally {
    wait.close();
  }
}

/** The state that a caller has: the revision, the 12 hours for which the signed addresses stand, and the prices of the actions. */
function etagOf(task: TaskView): string {
  const expiresAt = task.outputs[0]?.url_expires_at;
  const bucket = expiresAt === undefined ? 0 : Math.ceil(Date.parse(expiresAt) / URL_BUCKET_MS);
  const prices = task.available_actions.map((offer) => offer.price).join(',');
  return `"${task.revision}-${bucket}${prices === '' ? '' : `-${prices}`}"`;
}

/** A quarter of what is left, between 1 and 15 seconds. */
function secondsUntilNextLook(task: TaskView): number {
  return Math.min(15, Math.max(1, Math.ceil((task.estimated_seconds ?? 4) / 4)));
}
