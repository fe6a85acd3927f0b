import { type Call, findCall } from '@darkroom-service/addition-openai/mapping/calls';
import { orderCall } from '@darkroom-service/addition-openai/mapping/order-call';
import type { CallRecords } from '@darkroom-service/addition-openai/open-call-records';
import { describeCall } from '@darkroom-service/addition-openai/routes/answer-call';
import { identityOf, recordEndLater, trackEnd } from '@darkroom-service/addition-openai/routes/call-request';
import { openDoor } from '@darkroom-service/addition-openai/routes/door';
import { OpenBody } from '@darkroom-service/addition-openai/routes/image-request';
import {
  cutText,
  type JsonObject,
  LONGEST_WAIT_SECONDS,
  ServiceError,
  type TaskView,
  world,
} from '@darkroom-service/contract';
import { LONGEST } from '@darkroom-service/contract/parts';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App, HttpOptions, KnownRoutes, RouteTools } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fileRoutes } from './file-routes.ts';
import { mapPrediction, readPrediction } from './read-prediction.ts';
import { viewPrediction } from './view-prediction.ts';

/** The parts that the routes share. */
export interface ReplicateHttp extends CallRecords {
  readonly kernel: ServingKernel;
  /** Answers further requests within the process. */
  readonly app: App;
  readonly waits: RouteTools['waits'];
  readonly maxBodyBytes: number;
}

const PATH = '/replicate/v1';
const PathPart = Type.String({ maxLength: LONGEST.pathPart });

/** Serves Replicate's predictions and files: its shapes and errors, the keys and orders of the service. */
export function replicateRoutes(
  parts: ReplicateHttp,
  options: HttpOptions,
  routes: KnownRoutes,
): (scope: FastifyInstance) => Promise<void> {
  return openDoor(parts.kernel, options, routes, {
    refuse: ({ code, message, status }) => ({ body: { title: code, detail: message.toWellFormed(), status } }),
    standsFor: operationOf,
    async serve(mount) {
      predictionRoutes(mount, parts);
      await mount.register((forms) => fileRoutes(forms as unknown as App, parts));
    },
  });
}

/** Returns the operation of the service that does the same. */
function operationOf(method: string, path: string): string {
  if (path === '/files') return `${method} /v1/files`;
  if (path.endsWith('/cancel')) return 'POST /v1/images/:task_id/cancel';
  return `${method} /v1/images`;
}

function predictionRoutes(mount: App, parts: ReplicateHttp): void {
  const { kernel } = parts;
  const { http, orders } = kernel;
  const ordering = {
    onRequest: http.limit('creates'),
    bodyLimit: parts.maxBodyBytes,
    schema: { hide: true, body: OpenBody },
  };
  mount.post('/predictions', ordering, (request, reply) => orderPrediction(parts, request, reply, null));
  mount.post(
    '/models/:owner/:name/predictions',
    {
      ...ordering,
      schema: { ...ordering.schema, params: Type.Object({ owner: PathPart, name: PathPart }) },
    },
    (request, reply) => orderPrediction(parts, request, reply, request.params.name),
  );

  const schema = { hide: true, params: Type.Object({ prediction_id: PathPart }) };
  mount.get('/predictions/:prediction_id', { onRequest: http.limit('reads'), schema }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return await showPrediction(kernel, request, await callOf(parts, request, request.params.prediction_id), true);
  });
  mount.post('/predictions/:prediction_id/cancel', { schema }, async (request) => {
    const call = await callOf(parts, request, request.params.prediction_id);
    const key = http.caller(request);
    for (const task of await tasksOf(kernel, request, call))
      if (task.completed_at === null) await orders.cancel(key, task.type, task.task_id);
    return await showPrediction(kernel, request, call, true);
  });
}

/** Orders a prediction, and waits for it as long as the client prefers. Unfinished ones are polled from then on. */
async function orderPrediction(
  parts: ReplicateHttp,
  request: FastifyRequest,
  reply: FastifyReply,
  modelId: string | null,
) {
  const { kernel, waits } = parts;
  const linked = kernel.http.linked(request);
  const key = kernel.http.caller(request);
  const seconds = secondsToWait(request);
  const until = world.monotonic() + seconds * 1000;
  const share = seconds === 0 ? null : kernel.accounts.budgets.take(key, 'waits', 1);
  const wait = waits.open(reply.raw);
  try {
    const sent = readPrediction((request.body ?? {}) as JsonObject, modelId, `${rootOf(linked)}/files/`);
    const catalog = kernel.orders.catalog();
    const body = { model: sent.modelId, input: sent.input };
    const type = catalog.find(sent.modelId)?.type ?? 'image';
    const identity = identityOf(request, { type, path: `${PATH}/predictions`, body });
    const call = await orderCall({ ...parts, kernel: linked }, key, mapPrediction(catalog, sent), identity);
    kernel.http.bodies.release(request);
    describeCall(reply, call);
    // The answer names the prediction, so a client that has it needs no repetition.
    if (kernel.http.answers.mayBeGone(reply.raw)) recordEndLater(parts, call, 'left');
    else trackEnd(parts, reply, call, () => 'delivered');
    for (const task of await tasksOf(kernel, request, call)) {
      const left = Math.max(0, (until - world.monotonic()) / 1000);
      if (left > 0) await kernel.tasks.wait(key, task.type, task.task_id, { seconds: left, signal: wait.signal });
    }
    return reply.code(201).send(await showPrediction(kernel, request, call, false));
  } finally {
    wait.close();
    share?.release();
  }
}

/** Returns the seconds of `Prefer: wait` or `Prefer: wait=N`, at most those that requests are held; 0 = no wait. */
function secondsToWait({ headers }: FastifyRequest): number {
  const found = /(?:^|,)\s*wait(?:\s*=\s*(\d{1,6}))?\s*(?:$|[,;])/i.exec(String(headers.prefer ?? ''));
  return found === null ? 0 : Math.min(LONGEST_WAIT_SECONDS, Number(found[1] ?? LONGEST_WAIT_SECONDS));
}

/** Finds the call of a prediction of this caller. @throws ServiceError `task_not_found` */
async function callOf({ kernel }: ReplicateHttp, request: FastifyRequest, id: string): Promise<Call> {
  const call = await findCall(kernel, kernel.http.caller(request), id);
  if (call !== null) return call;
  const message = `This API key has no prediction '${cutText(id, 64)}'.`;
  throw new ServiceError('task_not_found', message, { param: 'prediction_id' });
}

async function tasksOf({ http }: ServingKernel, request: FastifyRequest, { taskIds }: Call): Promise<TaskView[]> {
  const { tasks } = http.linked(request);
  return await Promise.all(taskIds.map((id) => tasks.find(http.caller(request), null, id)));
}

async function showPrediction(kernel: ServingKernel, request: FastifyRequest, call: Call, isPolled: boolean) {
  const root = rootOf(kernel.http.linked(request));
  return viewPrediction(call, await tasksOf(kernel, request, call), root, isPolled);
}

/** Returns the address of the interface, as the caller reaches it. */
export function rootOf({ settings }: Pick<ServingKernel, 'settings'>): string {
  return `${settings.publicUrl}${PATH}`;
}
