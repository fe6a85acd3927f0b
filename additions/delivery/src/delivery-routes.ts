import { NO_VAULT } from '@darkroom-service/addition-common/sending/receiver-headers';
import { isoTime, ServiceError } from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import { ActionHeaders, ErrorAnswer, envelopeOf, success, Task } from '@darkroom-service/contract/schemas';
import type { OrderingKey, ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { isBucketName, isRegion } from '@darkroom-service/files';
import { judgeUrl } from '@darkroom-service/media';
import { type Static, Type } from 'typebox';
import {
  DEFAULT_PATH,
  Destination,
  DestinationList,
  DestinationRemoval,
  NewDestination,
  Redelivery,
} from './destination-wire.ts';
import { listDestinations, removeDestination, setDestination, viewDestination } from './destinations.ts';
import { redeliver } from './redeliver.ts';
import { nameInBucket } from './stored-delivery.ts';

const tags = ['Delivery'];
const nothing = closedObject({});
const params = Type.Object({ name: Type.String({ maxLength: 40, pattern: '^[a-z0-9][a-z0-9-]*$' }) });
const one = '/v1/destinations/:name';
type OneDestination = { Params: { name: string } };

/** Serves the destinations of an account, and the repetition of deliveries. */
export function deliveryRoutes(v1: App, kernel: ServingKernel): void {
  const { clock, http, settings, store } = kernel;
  const { vault } = settings;
  const ownerOf = ({ account }: OrderingKey, name: string) => ({ account_id: account.id, name });

  v1.get(
    '/v1/destinations',
    { schema: { tags, querystring: nothing, response: { 200: envelopeOf(DestinationList), ...ErrorAnswer } } },
    async (request) => {
      const items = await listDestinations(store.read, http.caller(request).account.id);
      return success({ items, ...(vault === null && { cannot_set: NO_VAULT }) });
    },
  );

  v1.get<OneDestination>(
    one,
    {
      schema: { tags, params, querystring: nothing, response: { 200: envelopeOf(refTo(Destination)), ...ErrorAnswer } },
    },
    async (request) => success(await viewDestination(store.read, ownerOf(http.caller(request), request.params.name))),
  );

  v1.put<OneDestination & { Body: Static<typeof NewDestination> }>(
    one,
    {
      preHandler: http.answers.neverStore,
      schema: {
        tags,
        params,
        querystring: nothing,
        body: NewDestination,
        response: { 200: envelopeOf(refTo(Destination)), ...ErrorAnswer },
      },
    },
    async (request) => {
      const key = http.caller(request);
      requireLiveAccountKey(key);
      if (vault === null) throw new ServiceError('invalid_request', `No destination can be set: ${NO_VAULT}.`);
      const owner = ownerOf(key, request.params.name);
      const { access_key_id: id, secret_access_key: secret, default: isDefault = false, ...sent } = request.body;
      const { bucket, region = null, path = DEFAULT_PATH } = sent;
      const endpoint = readEndpoint(sent.endpoint ?? null, settings.allowedAddresses);
      if (endpoint === null && region === null) throw invalid('region', 'expected the region of the bucket');
      if (region !== null && !isRegion(region))
        throw invalid('region', `expected a name such as eu-central-1 or auto, found ${region}`);
      if (!isBucketName(bucket))
        throw invalid(
          'bucket',
          `expected a name that S3 allows: no address, and letters or digits beside ".", found ${bucket}`,
        );
      checkPath(path);
      const wanted = { settings: { bucket, endpoint, region, path }, access: [id, secret] as const, isDefault };
      await setDestination(kernel, http.by(request), owner, wanted, vault);
      http.keys.forget();
      return success(await viewDestination(store.read, owner));
    },
  );

  v1.delete<OneDestination>(
    one,
    {
      schema: {
        tags,
        params,
        querystring: nothing,
        response: { 200: envelopeOf(refTo(DestinationRemoval)), ...ErrorAnswer },
      },
    },
    async (request) => {
      const key = http.caller(request);
      requireLiveAccountKey(key);
      const { name } = request.params;
      await removeDestination(kernel, http.by(request), ownerOf(key, name));
      http.keys.forget();
      return success({ name, removed_at: isoTime(clock.now()) });
    },
  );

  for (const type of ['image', 'video'] as const)
    v1.post<{ Params: { task_id: string }; Body: Static<typeof Redelivery> | null }>(
      `/v1/${type}s/:task_id/deliveries`,
      {
        onRequest: http.limit('creates'),
        schema: {
          tags,
          headers: ActionHeaders,
          querystring: nothing,
          body: Redelivery,
          response: { 200: envelopeOf(refTo(Task)), ...ErrorAnswer },
        },
      },
      async (request, reply) => {
        const key = http.caller(request);
        const { task_id: taskId } = request.params;
        const again = () => http.linked(request).tasks.find(key, type, taskId);
        const order = { type, taskId, deliverTo: request.body?.deliver_to };
        const make = async (binding: Parameters<typeof redeliver>[3]) => {
          await redeliver(kernel, key, order, binding);
          return await again();
        };
        return success(await http.once(request, reply, { make, again }));
      },
    );
}

/** @throws ServiceError `forbidden` */
function requireLiveAccountKey(key: OrderingKey): void {
  if (key.mode === 'live' && key.accountView) return;
  const missing = key.mode === 'live' ? 'a key made with --account-view' : 'a live key';
  throw new ServiceError('forbidden', `The destinations of an account can be changed only with ${missing}.`);
}

/** @returns the origin of the server; null = Amazon S3. @throws ServiceError `invalid_request` */
function readEndpoint(text: string | null, allowedAddresses: readonly string[]): string | null {
  if (text === null) return null;
  const verdict = judgeUrl(text, allowedAddresses);
  if (!verdict.ok) throw invalid('endpoint', verdict.message);
  if (verdict.url.pathname + verdict.url.search !== '/')
    throw invalid('endpoint', 'expected an origin such as https://s3.example.com, found a path');
  return verdict.url.origin;
}

/** Checks that two outputs never get the same name. @throws ServiceError `invalid_request` */
function checkPath(path: string): void {
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const rest = path.replace(/\{(?:date|task_id|n|ext)\}/g, '0');
  if (!names.includes('task_id') || !names.includes('n') || /[{}]|\/\/|\.\./.test(rest) || nameInBucket(rest) !== rest)
    throw invalid(
      'path',
      `expected a template such as ${DEFAULT_PATH}, with {task_id} and {n} and without segments "." and "..", found ${path}`,
    );
}

function invalid(param: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${param}: ${message}.`, { param });
}
