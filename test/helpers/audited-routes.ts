import { randomUUID } from 'node:crypto';
import { createIdFactory } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { anyTable } from './any-table.ts';
import type { TestService } from './service.ts';

/** A request of an operator that changes something. */
export interface ChangingRequest {
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Changes of local models are tested where there are some: `additions/local/test/local-gallery.test.ts`. */
export const TESTED_ELSEWHERE: readonly string[] = [
  'POST /admin/v1/local/models/{name}/pull',
  'POST /admin/v1/local/models/{name}/cancel',
  'DELETE /admin/v1/local/models/{name}',
];

/**
 * Returns, for each changing route of operators, a function that makes a new subject and the request that changes it.
 */
export function changingRequests(
  service: Pick<TestService, 'call' | 'createAccount' | 'database' | 'issueKey' | 'keys' | 'make'>,
): Readonly<Record<string, () => Promise<ChangingRequest>>> {
  const { call, createAccount, database, issueKey, keys, make } = service;
  const createId = createIdFactory(() => Date.now());
  const account = () => createAccount(null);
  const key = async () => (await issueKey({ mode: 'test' })).key_id;
  const admin = (method: string, path: string) => call(keys.admin, method, `/admin/v1${path}`);
  const order = () => make(keys.live, '/v1/images', { model_id: 'sketch', prompt: 'a fox' });
  const unresolved = async () => {
    const { task_id } = await order();
    const id = `rec_${randomUUID()}`;
    const row = { id, task_id, kind: 'late_result', detail_json: '{}', created_at: 0 } as const;
    await database.write('test', (trx) =>
      trx.run(trx.builder.insertInto('reconciliation').values({ ...row, resolved_at: null, resolution: null })),
    );
    return id;
  };
  const delivery = async () => {
    const task = await make(keys.live, '/v1/images', {
      model_id: 'sketch',
      prompt: 'a fox',
      webhook_url: 'http://127.0.0.1:9/',
    });
    const { items } = (await admin('GET', `/webhooks/deliveries?task_id=${task.task_id}`)).data as {
      items: { delivery_id: string }[];
    };
    return items[0]!.delivery_id;
  };
  /** An order that its engine has for a long time. */
  const running = async () => {
    const order = { model_id: 'scripted', prompt: 'a fox' };
    const { task_id: id } = (await call(keys.live, 'POST', '/v1/images', order)).data as { task_id: string };
    const { read } = database;
    const isRunning = read.builder.selectFrom('tasks').select('step').where('id', '=', id);
    await until(
      () => read.first(isRunning),
      (row) => row?.step === 'running',
    );
    return id;
  };
  const alert = async () => {
    const id = `alr_${randomUUID()}`;
    const now = Date.now();
    const nobody = { acknowledged_by: null, acknowledged_at: null, silenced_by: null, silenced_until: null };
    const row = { id, scope: 'test', kind: 'held' as const, subject: id, summary: 'held', ended_at: null };
    await database.write('test', (trx) =>
      trx.run(
        anyTable(trx.builder)
          .insertInto('alerts')
          .values({ ...row, ...nobody, began_at: now, seen_at: now, told_at: now }),
      ),
    );
    return id;
  };
  const person = async () => {
    const id = `psn_${randomUUID()}`;
    const row = { id, issuer: 'https://login.example.com', subject: id, email: null, name: 'Ada' };
    await database.write('test', (trx) =>
      trx.run(
        anyTable(trx.builder)
          .insertInto('people')
          .values({ ...row, created_at: 1, signed_in_at: 1 }),
      ),
    );
    return id;
  };
  const invitation = async () => {
    const body = { account_id: await account(), role: 'viewer' };
    const { data } = await call(keys.admin, 'POST', '/admin/v1/invitations', body);
    return (data as { invitation_id: string }).invitation_id;
  };
  const shutValve = () =>
    database.write('test', (trx) =>
      trx.run(
        trx.builder.insertInto('valves').values({
          subject: 'sketch',
          kind: 'outage',
          fault: 'upstream',
          call: 'start',
          message: 'down',
          times: 1,
          since: 1,
          retry_at: Number.MAX_SAFE_INTEGER,
          trial_until: null,
        }),
      ),
    );
  const at = (path: string, body?: ChangingRequest['body']): ChangingRequest => ({
    path: `/admin/v1${path}`,
    ...(body === undefined ? {} : { body }),
  });
  return {
    'POST /admin/v1/accounts': async () =>
      at('/accounts', { account_id: `acc-${randomUUID()}`, name: 'Acme', credit_limit: '10.00' }),
    'PATCH /admin/v1/accounts/{account_id}': async () =>
      at(`/accounts/${await account()}`, { name: 'Acme Ltd', price_rules: [{ models: 'flux-*', multiplier: '0.9' }] }),
    'POST /admin/v1/accounts/{account_id}/credit': async () =>
      at(`/accounts/${await account()}/credit`, { amount: '2.50', note: 'paid' }),
    'POST /admin/v1/credits/{credit_id}/take_back': async () => {
      await call(keys.admin, 'POST', `/admin/v1/accounts/${await account()}/credit`, { amount: '2.50' });
      const { items } = (await admin('GET', '/credits?limit=1')).data as { items: { credit_id: string }[] };
      return at(`/credits/${items[0]!.credit_id}/take_back`);
    },
    'PUT /admin/v1/accounts/{account_id}/provenance': async () =>
      at(`/accounts/${await account()}/provenance`, { setting: null, prompt: true }),
    'PUT /admin/v1/accounts/{account_id}/data_rules': async () =>
      at(`/accounts/${await account()}/data_rules`, { training: false }),
    'PUT /admin/v1/tasks/{task_id}/example': async () => at(`/tasks/${(await order()).task_id}/example`),
    'DELETE /admin/v1/tasks/{task_id}/example': async () => {
      const { task_id: id } = await order();
      await admin('PUT', `/tasks/${id}/example`);
      return at(`/tasks/${id}/example`);
    },
    'POST /admin/v1/exports': async () => at('/exports', { account_id: await account(), end_user: 'ada' }),
    'POST /admin/v1/erasures': async () => at('/erasures', { account_id: await account(), end_user: 'ada' }),
    'POST /admin/v1/erasures/repeat': async () => {
      const erasure_id = createId('era');
      const known = { erasure_id, account_id: await account(), end_user_digest: null, requested_at: 0 };
      return at('/erasures/repeat', known);
    },
    'POST /admin/v1/keys': async () => at('/keys', { mode: 'test', name: 'shop', models: ['flux-*'] }),
    'PATCH /admin/v1/keys/{key_id}': async () => at(`/keys/${await key()}`, { name: 'desk', rpm: 5 }),
    'POST /admin/v1/keys/{key_id}/rotate': async () => at(`/keys/${await key()}/rotate`, { grace_seconds: 60 }),
    'POST /admin/v1/keys/{key_id}/revoke': async () => at(`/keys/${await key()}/revoke`),
    'POST /admin/v1/engines/{name}/pause': async () => at('/engines/sketch/pause', { reason: randomUUID() }),
    'POST /admin/v1/engines/{name}/resume': async () => {
      await admin('POST', '/engines/sketch/pause');
      return at('/engines/sketch/resume');
    },
    'POST /admin/v1/engines/{name}/circuit/close': async () => {
      await shutValve();
      return at('/engines/sketch/circuit/close');
    },
    'POST /admin/v1/models/{name}/pause': async () => at('/models/sketch/pause', { reason: randomUUID() }),
    'POST /admin/v1/models/{name}/resume': async () => {
      await admin('POST', '/models/sketch/pause');
      return at('/models/sketch/resume');
    },
    'POST /admin/v1/catalog/reload': async () => at('/catalog/reload'),
    'POST /admin/v1/tasks/ask': async () => at('/tasks/ask', { search: await running(), expected: 1 }),
    'POST /admin/v1/tasks/cancel': async () => at('/tasks/cancel', { search: await running(), expected: 1 }),
    'POST /admin/v1/tasks/give_up': async () => at('/tasks/give_up', { search: await running(), expected: 1 }),
    'POST /admin/v1/tasks/{task_id}/refund': async () => at(`/tasks/${(await order()).task_id}/refund`),
    'POST /admin/v1/tasks/{task_id}/ask': async () => at(`/tasks/${await running()}/ask`),
    'POST /admin/v1/tasks/{task_id}/cancel': async () => at(`/tasks/${await running()}/cancel`),
    'POST /admin/v1/tasks/{task_id}/give_up': async () => at(`/tasks/${await running()}/give_up`),
    'POST /admin/v1/alerts/{alert_id}/acknowledge': async () => at(`/alerts/${await alert()}/acknowledge`),
    'POST /admin/v1/alerts/{alert_id}/silence': async () => at(`/alerts/${await alert()}/silence`, { seconds: 60 }),
    'POST /admin/v1/invitations': async () => at('/invitations', { account_id: await account(), role: 'viewer' }),
    'DELETE /admin/v1/invitations/{invitation_id}': async () => at(`/invitations/${await invitation()}`),
    'PUT /admin/v1/people/{person_id}/role': async () =>
      at(`/people/${await person()}/role`, { account_id: await account(), role: 'viewer' }),
    'DELETE /admin/v1/people/{person_id}': async () => at(`/people/${await person()}`),
    'POST /admin/v1/people/{person_id}/sign_out': async () => at(`/people/${await person()}/sign_out`),
    'POST /admin/v1/reconciliation/{id}/resolve': async () =>
      at(`/reconciliation/${await unresolved()}/resolve`, { resolution: 'not billed' }),
    'POST /admin/v1/reconciliation/resolve': async () =>
      at('/reconciliation/resolve', { ids: [await unresolved()], resolution: 'not billed' }),
    'POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver': async () =>
      at(`/webhooks/deliveries/${await delivery()}/redeliver`),
    'POST /admin/v1/signing_secrets/rotate': async () => at('/signing_secrets/rotate', { grace_seconds: 60 }),
    'POST /admin/v1/hold': async () => at('/hold', { message: randomUUID() }),
    'DELETE /admin/v1/hold': async () => {
      await admin('POST', '/hold');
      return at('/hold');
    },
  };
}
