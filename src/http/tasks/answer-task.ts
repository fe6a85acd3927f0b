import { ServiceError, type TaskView, type Tombstone, world } from '@darkroom-service/contract';
import { success, successAround } from '@darkroom-service/contract/schemas';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Share } from '../../accounts/budgets.ts';
import type { Owner } from '../../accounts/scope.ts';
import type { Created } from '../../orders/create-task.ts';
import { isFinal } from '../../record/task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { viewFoundTask } from '../../views/find-tasks.ts';
import { addressOf } from '../../views/task-view.ts';
import { type WaitOptions, waitForPlaced, waitForTask } from '../../views/wait-for-task.ts';
import { callerOf } from '../authenticate.ts';
import { isUnchanged } from '../bodies/packed.ts';
import { releaseBody } from '../bodies/read-body.ts';
import { publishBudgets } from '../budget-headers.ts';
import { readWait } from '../connection/request-headers.ts';
import type { HttpOptions } from '../http-options.ts';
import type { OpenWaits } from './open-waits.ts';

/** Substitute for a date of deprecation that the catalog lacks, so that it does not change with each answer. */
const STARTED_AT_MS = performance.timeOrigin;
const URL_BUCKET_MS = 12 * 60 * 60 * 1000;

const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer that shows a final task: its text around the time of the answer, and the state that it shows. */
export interface FinalAnswer {
  readonly etag: string;
  readonly around: ReturnType<typeof successAround>;
}

/** The parts of the service that routes with creates need. */
export interface TaskAnswers extends Pick<HttpOptions, 'services' | 'servicesFor'> {
  readonly waits: OpenWaits;
}

/** Answers a create: 201 and the task, in the state that it reached within the time of `Prefer: wait`. */
export async function answerCreated(
  answers: TaskAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
  created: Created,
) {
  const services = answers.servicesFor(request);
  reply.code(201);
  if (created.replayed) reply.header('idempotent-replayed', 'true');
  if (created.deprecation !== null) {
    const { since, sunsetAt, successor } = created.deprecation;
    reply.header('deprecation', `@${Math.floor((since === null ? STARTED_AT_MS : Date.parse(since)) / 1000)}`);
    if (sunsetAt !== null) reply.header('sunset', new Date(sunsetAt).toUTCString());
    if (successor !== null)
      reply.header('link', `<${services.settings.publicUrl}/v1/models/${successor}>; rel="successor-version"`);
  }
  const { taskId, placed, replayed } = created;
  request.placed = { task_id: taskId, replayed };
  const shown = placed?.row ?? created.task;
  if (!('type' in shown)) return success(created.task, 201);
  reply.header('location', addressOf(services.settings, shown.type, taskId));
  if (placed === null && readWait(request) === null) return success(created.task, 201);
  const awaited = await waitForCreated(answers, request, reply, created).catch((error: unknown) => {
    // The order is placed, so a refusal would make the caller send another one.
    services.log.warn({ err: error, task_id: taskId }, 'could not wait for an accepted order');
    return created.task;
  });
  return success(awaited, 201);
}

/** Answers a retrieval: 304 if the caller has the final state already, `Retry-After` if the task is not final. */
export function answerTask(request: FastifyRequest, reply: FastifyReply, task: TaskView) {
  if (isFinal(task.status)) return answerFinal(request, reply, finalAnswer(task));
  reply.header('retry-after', secondsUntilNextLook(task));
  return success(task);
}

/** Answers a retrieval of a final task. */
export function answerFinal(request: FastifyRequest, reply: FastifyReply, { etag, around }: FinalAnswer) {
  reply.header('cache-control', 'private, no-cache');
  if (isUnchanged(request, reply, etag)) return reply.send();
  reply.header('content-type', JSON_TYPE);
  return reply.send(around.head + around.tail(world.now()));
}

/** Returns the answer that shows a final task. */
export function finalAnswer(task: TaskView): FinalAnswer {
  return { etag: etagOf(task), around: successAround(JSON.stringify(task)) };
}

/** Returns the task once it is final or the time of `Prefer: wait` is up; without that header, at once. */
export async function waitAsPreferred(
  answers: TaskAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
  task: TaskView,
): Promise<TaskView> {
  if (isFinal(task.status)) {
    applyPreference(request, reply);
    return task;
  }
  const services = answers.servicesFor(request);
  const wait = (until: WaitOptions) => waitForTask(services, callerOf(request), task.type, task.task_id, until);
  return (await asPreferred(answers, request, reply, wait)) ?? task;
}

/** Confirms for a task that is final already that `Prefer: wait` was honoured. */
export function applyPreference(request: FastifyRequest, reply: FastifyReply): void {
  const seconds = readWait(request);
  if (seconds !== null) reply.header('preference-applied', `wait=${seconds}`);
}

/** Waits for the task that this request has placed as for any other, but reads its row only if it must. */
async function waitForCreated(
  answers: TaskAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
  created: Created,
): Promise<TaskView | Tombstone> {
  const { placed } = created;
  if (placed === null)
    return 'urls' in created.task ? await waitAsPreferred(answers, request, reply, created.task) : created.task;
  const services = answers.servicesFor(request);
  const key = callerOf(request);
  const wait = (until: WaitOptions) => waitForPlaced(services, key, placed, until);
  return (await asPreferred(answers, request, reply, wait)) ?? (await viewFoundTask(services, key, placed.row));
}

/** Waits for as long as `Prefer: wait` says. @returns null without that header, and if the key has no wait left */
async function asPreferred(
  { services, waits }: TaskAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
  wait: (until: WaitOptions) => Promise<TaskView>,
): Promise<TaskView | null> {
  const seconds = readWait(request);
  if (seconds === null) return null;
  const key = callerOf(request);
  const share = waitingShare(services, key);
  publishBudgets(reply, services.budgets, key, ['waits']);
  if (share === null) return null;
  reply.header('preference-applied', `wait=${seconds}`);
  // A body may be megabytes of media, which are stored by now.
  releaseBody(request);
  const open = waits.open(reply.raw);
  try {
    return await wait({ seconds, signal: open.signal });
  } finally {
    open.close();
    share.release();
  }
}

/**
 * Takes a share of the owner's waits. A preference may be ignored, but a placed order must not be refused: without a
 * share the task is answered at once.
 */
function waitingShare({ budgets }: Pick<TaskServices, 'budgets'>, owner: Owner): Share | null {
  try {
    return budgets.take(owner, 'waits', 1);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'rate_limited') return null;
    throw error;
  }
}

/**
 * Returns the ETag of a task: the revision, the 12 hours for which the signed addresses are the same, and the prices of
 * the actions.
 */
function etagOf(task: TaskView): string {
  const expiresAt = task.outputs[0]?.url_expires_at;
  const bucket = expiresAt === undefined ? 0 : Math.ceil(Date.parse(expiresAt) / URL_BUCKET_MS);
  // No comma: those that read a list of ETags may split it there.
  const prices = task.available_actions.map((offer) => offer.price).join('_');
  return `"${task.revision}-${bucket}${prices === '' ? '' : `-${prices}`}"`;
}

/** Returns a quarter of the remaining time, from 1 to 15 seconds. */
function secondsUntilNextLook(task: TaskView): number {
  return Math.min(15, Math.max(1, Math.ceil((task.estimated_seconds ?? 4) / 4)));
}
