import { judgeHeaders, NO_VAULT } from '@darkroom-service/addition-common/sending/receiver-headers';
import {
  DELIVERY_STATUSES,
  errorFromFaults,
  type Fault,
  isoTime,
  type SecretListView,
  ServiceError,
} from '@darkroom-service/contract';
import { closedObject, LONGEST, OPTIONAL_BODY, refTo } from '@darkroom-service/contract/parts';
import {
  ActionHeaders,
  DefaultUrl,
  DefaultUrlChange,
  Delivery,
  DeliveryPage,
  ErrorAnswer,
  envelopeOf,
  Limit,
  SecretList,
  success,
  WebhookTest,
} from '@darkroom-service/contract/schemas';
import { Type } from 'typebox';
import type { OrderingKey, ServingKernel, Vault } from '../../kernel.ts';
import type { App } from '../../kernel-http.ts';
import { listDeliveries } from './list-deliveries.ts';
import { outcomeText, readOutcome, type SendTestEvent } from './send-test-event.ts';
import { findDelivery, redeliver } from './webhook-deliveries.ts';
import { dropOtherHeaders, headerNames, setHeaders } from './webhook-headers.ts';
import { ensureSecret, rotateSecret, type SecretOwner, type WebhookSecret } from './webhook-secrets.ts';

const tags = ['Webhooks'];
const nothing = closedObject({});
const path = '/v1/account/webhooks';
const DeliveryQuery = closedObject({
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'a delivery_id: older deliveries' })),
  status: Type.Optional(Type.Enum(DELIVERY_STATUSES)),
  task_id: Type.Optional(Type.String({ maxLength: 64 })),
  scope: Type.Optional(Type.Enum(['key', 'account'], { description: 'account needs a key made with --account-view' })),
});
const TestRequest = closedObject(
  { url: Type.Optional(Type.String({ format: 'uri', maxLength: 4096, description: 'by default the default URL' })) },
  OPTIONAL_BODY,
);

/** Serves webhook settings, signing secrets and deliveries. */
export function webhookRoutes(v1: App, kernel: ServingKernel, sendTestEvent: SendTestEvent): void {
  deliveryRoutes(v1, kernel);
  testRoute(v1, kernel, sendTestEvent);
  secretRoutes(v1, kernel);
  defaultUrlRoutes(v1, kernel);
}

function deliveryRoutes(v1: App, kernel: ServingKernel): void {
  const { http, store, work } = kernel;
  v1.get(
    `${path}/deliveries`,
    { schema: { tags, querystring: DeliveryQuery, response: { 200: envelopeOf(DeliveryPage), ...ErrorAnswer } } },
    async (request) => {
      const { limit, after, status, task_id: taskId, scope } = request.query;
      const key = http.caller(request);
      if (scope === 'account') requireAccountView(key);
      const { items, hasMore } = await listDeliveries(store.read, {
        keyId: scope === 'account' ? null : key.id,
        accountId: key.account.id,
        mode: key.mode,
        status: status ?? null,
        taskId: taskId ?? null,
        after: after ?? null,
        limit: limit ?? 20,
      });
      return success({ items, has_more: hasMore });
    },
  );

  v1.post(
    `${path}/deliveries/:delivery_id/redeliver`,
    {
      schema: {
        tags,
        params: Type.Object({ delivery_id: Type.String({ maxLength: LONGEST.pathPart }) }),
        querystring: nothing,
        headers: ActionHeaders,
        body: closedObject({}, OPTIONAL_BODY),
        response: { 200: envelopeOf(refTo(Delivery)), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const key = http.caller(request);
      const { delivery_id: deliveryId } = request.params;
      const filter = { keyId: key.accountView ? null : key.id, accountId: key.account.id, mode: key.mode };
      const delivery = await http.once(request, reply, {
        make: (_, by) => redeliver(kernel, filter, deliveryId, by),
        again: (known) => findDelivery(store.read, known),
      });
      work.wake('webhook');
      return success(delivery);
    },
  );
}

function testRoute(v1: App, { accounts, http }: ServingKernel, sendTestEvent: SendTestEvent): void {
  v1.post(
    `${path}/test`,
    {
      onRequest: http.limit('creates'),
      schema: {
        tags,
        querystring: nothing,
        headers: ActionHeaders,
        body: TestRequest,
        response: { 200: envelopeOf(refTo(WebhookTest)), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const key = http.caller(request);
      const faults: Fault[] = [];
      const url = accounts.readWebhookUrl(request.body?.url, faults, 'url');
      if (faults.length > 0) throw errorFromFaults(faults);
      const tested = await http.once(request, reply, {
        async make(binding) {
          const target = url ?? key.account.webhookUrl;
          if (target === null)
            throw new ServiceError('invalid_request', "Expected 'url', because the account has no default URL.", {
              param: 'url',
            });
          return await binding.around('', () => sendTestEvent(ownerOf(key), target), outcomeText);
        },
        again: async (outcome) => readOutcome(outcome),
      });
      return success(tested);
    },
  );
}

function secretRoutes(v1: App, kernel: ServingKernel): void {
  const { clock, http, store } = kernel;
  v1.get(
    `${path}/secret`,
    {
      preHandler: http.answers.neverStore,
      schema: { tags, querystring: nothing, response: { 200: envelopeOf(SecretList), ...ErrorAnswer } },
    },
    async (request) => success(viewSecrets(await ensureSecret(store, ownerOf(http.caller(request)), clock.now()))),
  );

  v1.post(
    `${path}/secret/rotate`,
    {
      preHandler: http.answers.neverStore,
      schema: {
        tags,
        querystring: nothing,
        headers: ActionHeaders,
        body: closedObject({}, OPTIONAL_BODY),
        response: { 200: envelopeOf(SecretList), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const key = http.caller(request);
      requireAccountView(key);
      const now = clock.now();
      const secrets = await http.once(request, reply, {
        make: (_, by) => rotateSecret(kernel, by, ownerOf(key)),
        again: () => ensureSecret(store, ownerOf(key), now),
      });
      return success(viewSecrets(secrets));
    },
  );
}

function defaultUrlRoutes(v1: App, kernel: ServingKernel): void {
  const { accounts, http, settings, store } = kernel;
  v1.get(
    path,
    { schema: { tags, querystring: nothing, response: { 200: envelopeOf(DefaultUrl), ...ErrorAnswer } } },
    async (request) => {
      const key = http.caller(request);
      const url = key.account.webhookUrl;
      return success({ url, header_names: await headerNames(store.read, ownerOf(key), url) });
    },
  );

  v1.put(
    path,
    {
      schema: {
        tags,
        querystring: nothing,
        body: DefaultUrlChange,
        response: { 200: envelopeOf(DefaultUrl), ...ErrorAnswer },
      },
    },
    async (request) => {
      const key = http.caller(request);
      requireAccountView(key);
      const { url, headers } = request.body;
      const { vault } = settings;
      const faults: Fault[] = [];
      accounts.readWebhookUrl(url, faults, 'url');
      const judged = judgeHeaders(headers ?? {});
      const fault = headers === undefined ? null : faultOfHeaders(judged, { url, vault });
      if (fault !== null) faults.push({ param: 'headers', code: 'invalid_request', message: `${fault}.` });
      if (faults.length > 0) throw errorFromFaults(faults);
      const by = http.by(request);
      await accounts.setWebhookUrl(by, ownerOf(key), url, async (trx) => {
        if (headers === undefined || !('headers' in judged)) await dropOtherHeaders(trx, ownerOf(key), url);
        else await setHeaders(kernel, trx, by, ownerOf(key), { url: url ?? '', headers: judged.headers, vault });
      });
      http.keys.forget();
      return success({ url, header_names: await headerNames(store.read, ownerOf(key), url) });
    },
  );
}

/** Returns the faults of the headers of a default URL; null if there are none. */
function faultOfHeaders(
  judged: ReturnType<typeof judgeHeaders>,
  { url, vault }: { readonly url: string | null; readonly vault: Vault | null },
): string | null {
  if ('fault' in judged) return judged.fault;
  if (Object.keys(judged.headers).length === 0) return null;
  if (url === null) return "headers: expected a 'url' that they go to";
  return vault === null ? `headers: ${NO_VAULT}` : null;
}

function ownerOf({ account, mode }: OrderingKey): SecretOwner {
  return { accountId: account.id, mode };
}

function viewSecrets(secrets: readonly WebhookSecret[]): SecretListView {
  return {
    items: secrets.map(({ secret, createdAt, validUntil }) => ({
      secret,
      created_at: isoTime(createdAt),
      valid_until: isoTime(validUntil),
    })),
  };
}

function requireAccountView(key: OrderingKey): void {
  if (key.accountView) return;
  throw new ServiceError('forbidden', 'This concerns the whole account and requires a key made with --account-view.');
}
