import type { RequestEnd } from '@darkroom-service/addition-openai/mapping/abandoned-calls';
import { waitForCall } from '@darkroom-service/addition-openai/mapping/call-result';
import { failureOf } from '@darkroom-service/addition-openai/mapping/openai-error';
import { orderCall } from '@darkroom-service/addition-openai/mapping/order-call';
import type { CallRecords } from '@darkroom-service/addition-openai/open-call-records';
import { describeCall } from '@darkroom-service/addition-openai/routes/answer-call';
import { identityOf, recordEndLater, trackEnd } from '@darkroom-service/addition-openai/routes/call-request';
import { openDoor } from '@darkroom-service/addition-openai/routes/door';
import { OpenBody } from '@darkroom-service/addition-openai/routes/image-request';
import { type JsonObject, LONGEST_WAIT_SECONDS, ServiceError } from '@darkroom-service/contract';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App, HttpOptions, KnownRoutes, RouteTools } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerImages } from './answer-images.ts';
import { chosenModel } from './chosen-model.ts';
import { findHeldTasks } from './held-tasks.ts';
import { listRoutes } from './list-routes.ts';
import { namedModel, readCall } from './read-call.ts';

/** The parts that the routes share. */
export interface A1111Http extends CallRecords {
  readonly kernel: ServingKernel;
  readonly waits: RouteTools['waits'];
  readonly maxBodyBytes: number;
}

/** Operations of the service that do the same, by path; lists count as reading models. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  '/txt2img': 'POST /v1/images',
  '/img2img': 'POST /v1/images',
  '/interrupt': 'POST /v1/images/:task_id/cancel',
  '/progress': 'GET /v1/images',
};

/** Serves the web UI's interface: its requests and errors, the keys and orders of the service. */
export function a1111Routes(
  parts: A1111Http,
  options: HttpOptions,
  routes: KnownRoutes,
): (scope: FastifyInstance) => Promise<void> {
  return openDoor(parts.kernel, options, routes, {
    refuse: ({ code, message }) => ({ body: errorOf(code, message) }),
    standsFor: (_method, path) => STANDS_FOR[path] ?? 'GET /v1/models',
    takesBareBase64: true,
    serve(mount) {
      listRoutes(mount, parts.kernel);
      orderRoutes(mount, parts);
    },
  });
}

/** Returns an error in the web UI's shape; apps show one field or the other. */
function errorOf(code: string, message: string): object {
  const text = message.toWellFormed();
  return { error: code, detail: text, body: '', errors: text };
}

function orderRoutes(mount: App, parts: A1111Http): void {
  const { kernel, maxBodyBytes } = parts;
  const { http, orders } = kernel;
  const ordering = {
    onRequest: http.limit('creates'),
    bodyLimit: maxBodyBytes,
    schema: { hide: true, body: OpenBody },
  };
  mount.post('/txt2img', ordering, (request, reply) => orderImages(parts, request, reply, 'txt2img'));
  mount.post('/img2img', ordering, (request, reply) => {
    const { init_images: images } = (request.body ?? {}) as JsonObject;
    if (Array.isArray(images) && images.length > 0) return orderImages(parts, request, reply, 'img2img');
    throw new ServiceError('missing_reference', 'init_images: expected at least one image.', { param: 'init_images' });
  });

  mount.get('/progress', { onRequest: http.limit('reads'), schema: { hide: true } }, async (request) => {
    const open = await findHeldTasks(kernel, http.caller(request));
    const percent = open.reduce((sum, { progress }) => sum + progress, 0) / Math.max(1, open.length);
    const [first] = open;
    return {
      progress: percent / 100,
      eta_relative: first?.estimated_seconds ?? 0,
      state: { skipped: false, interrupted: false, job: first?.task_id ?? '', job_count: open.length, job_no: 0 },
      current_image: null,
      textinfo: null,
    };
  });
  mount.post('/interrupt', { schema: { hide: true } }, async (request) => {
    const key = http.caller(request);
    for (const { task_id: id } of await findHeldTasks(kernel, key)) await orders.cancel(key, 'image', id);
    return {};
  });
}

/**
 * Orders images and holds the request until they are final. A client that leaves before gets them by its next equal
 * request.
 */
async function orderImages(parts: A1111Http, request: FastifyRequest, reply: FastifyReply, name: string) {
  const { kernel, waits } = parts;
  const linked = kernel.http.linked(request);
  const key = kernel.http.caller(request);
  const share = kernel.accounts.budgets.take(key, 'waits', 1);
  const wait = waits.open(reply.raw);
  try {
    const { auth: _, ...body } = (request.body ?? {}) as JsonObject;
    const modelId = namedModel(body) ?? (await chosenModel(kernel, key));
    const requested = readCall(kernel.orders.catalog(), modelId, body);
    // Of equal requests with another chosen model each is its own.
    const identity = identityOf(request, {
      type: 'image',
      path: `/sdapi/v1/${name}`,
      body: { ...body, model: modelId },
    });
    const call = await orderCall({ ...parts, kernel: linked }, key, requested, identity);
    kernel.http.bodies.release(request);
    let end: RequestEnd = 'left';
    if (kernel.http.answers.mayBeGone(reply.raw)) recordEndLater(parts, call, 'left');
    else trackEnd(parts, reply, call, () => end);
    describeCall(reply, call);
    const until = { seconds: LONGEST_WAIT_SECONDS, signal: wait.signal };
    let result = await waitForCall(kernel, key, call, until);
    while (!result.isFinal && !wait.signal.aborted) result = await waitForCall(kernel, key, call, until);
    if (!result.isFinal)
      throw new ServiceError(
        'shutting_down',
        'The images are still being made. Send the same request again for them.',
        {
          retryAfterSeconds: 5,
        },
      );
    end = 'delivered';
    reply.header('cache-control', 'no-store');
    const [failed] = result.failures;
    if (result.images.length > 0 || failed === undefined)
      return reply.type('application/json; charset=utf-8').send(answerImages(linked, call, result, body));
    request.refusal = failed.failure.code;
    const { status } = failureOf(failed.failure);
    return reply.code(status).send(errorOf(failed.failure.code, failed.failure.message));
  } finally {
    wait.close();
    share.release();
  }
}
