import assert from 'node:assert/strict';
import type { Clock } from '@darkroom-service/contract';
import { type Engine, EngineError } from '@darkroom-service/engines';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { GATES } from '../../src/queue/gates.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import type { TaskAnswer, TestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';

const ORDER = { model_id: 'sketch', prompt: 'a fox', size: '256x256', end_user: 'ann' };
const STUCK = { ...ORDER, simulate: { outcome: 'stuck' } };
const DAY_MS = 86_400_000;
const CENT = 10_000;
const TOGETHER = 24;

/** The usual time, until it is set ahead. */
export class ShiftedClock implements Clock {
  aheadMs = 0;
  now(): number {
    return Date.now() + this.aheadMs;
  }
}

/** An upstream that takes one order at a time, and whose model is not loaded when the first arrives. */
export interface NotLoaded {
  readonly engine: Engine;
  readonly entry: object;
  /** Refuses the first order. */
  readonly refuse: () => void;
}

export function createNotLoaded(): NotLoaded {
  const refused = Promise.withResolvers<void>();
  let isFirst = true;
  const swift = createSwiftEngine({ name: 'not-loaded', concurrency: 1, repeatable: false });
  const start: Engine['start'] = async (order, context) => {
    if (!isFirst) return await swift.start(order, context);
    isFirst = false;
    await refused.promise;
    throw new EngineError('upstream', 'the model is not loaded', { took: 'no', scope: 'route' });
  };
  const routes = [{ engine: swift.name, model: 'some' }];
  return {
    engine: { ...swift, start },
    entry: plainEntry({ model_id: swift.name, routes }),
    refuse: () => refused.resolve(),
  };
}

/**
 * Takes a service along the ways of an order: create, wait at each gate, claim, poll, settle, retrieve, tag, list,
 * cancel, tell, erase.
 * @param at.hook a URL that takes webhooks, and refuses the first
 * @param at.picture the address of a picture
 */
export async function goHotWays(
  service: TestService,
  clock: ShiftedClock,
  at: { readonly hook: string; readonly picture: string; readonly notLoaded: NotLoaded },
): Promise<void> {
  const limits = { day: 100 * CENT, month: 1_000 * CENT, total: null };
  const accountId = await service.createAccount(1_000 * CENT);
  const issue = async (mode: 'test' | 'live', concurrency: number) =>
    await service.issueKey({
      mode,
      accountId,
      concurrency,
      queueLimit: 100,
      createsPerMinute: 1_000,
      accountView: true,
      spendLimits: limits,
      endUserLimits: limits,
    });
  for (const key of [await issue('test', 2), await issue('live', 2)].map((issued) => issued.key)) {
    await settle(service, key, at.hook);
  }
  await settleTogether(service, (await issue('test', 0)).key);
  const { key } = await issue('test', 1);
  await waitAndCancel(service, key);
  await openGates(service, key, at.picture);
  await openRouteGate(service, (await issue('live', 2)).key, at.notLoaded);
  await list(service, key);
  await readAfterRevocation(service);
  await service.service.runHousekeeping();
  clock.aheadMs = 40 * DAY_MS;
  await service.service.runHousekeeping();
}

/** Reads an input file by its signed address after its key was revoked. */
async function readAfterRevocation({ call, issueKey, keys, url }: TestService): Promise<void> {
  const { key, key_id: keyId } = await issueKey({ mode: 'test' });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'image/png' };
  const body = Buffer.from(await smallPicture);
  const answer = await fetch(`${url}/v1/files`, { method: 'POST', headers, body });
  const { data } = (await answer.json()) as { readonly data: { readonly url: string } };
  await call(keys.admin, 'POST', `/admin/v1/keys/${keyId}/revoke`);
  assert.equal((await call(null, 'GET', data.url)).status, 403);
}

/** Orders that are begun at once and end: alone, in a batch, and for an OpenAI client. */
async function settle(service: TestService, key: string, hook: string): Promise<void> {
  const { call } = service;
  const order = { ...ORDER, webhook_url: hook };
  const done = await service.make(key, '/v1/images', order);
  assert.equal(done.status, 'succeeded', JSON.stringify(done));
  const again = { 'idempotency-key': 'the same' };
  for (let time = 1; time <= 2; time++) await call(key, 'POST', '/v1/images', order, again);
  const polled = await call(key, 'POST', '/v1/videos', { model_id: 'sketch-motion', prompt: 'a fox', duration: 1 });
  assert.equal(polled.status, 201, JSON.stringify(polled.body));
  const orders = [1, 2].map((seed) => ({ operation: 'images', body: { ...ORDER, seed } }));
  const { data: batch } = await call(key, 'POST', '/v1/batches', { orders });
  await call(key, 'POST', '/openai/v1/images/generations', { model: 'sketch', prompt: 'a fox', size: '256x256' });
  await call(key, 'POST', '/v1/shares', { task_id: done.task_id });
  assert.equal((await call(key, 'GET', `/v1/images/${done.task_id}/receipt`)).status, 200);
  for (const [asking, scope] of [
    [key, '/v1'],
    [service.keys.admin, '/admin/v1'],
  ] as const) {
    const path = `${scope}/provenance?sha256=${done.outputs[0]?.sha256}` as const;
    assert.equal((await call(asking, 'GET', path)).status, 200);
  }
  await shareSeveral(service, key, [done.task_id, polled.data.task_id]);
  assert.equal((await call(key, 'PUT', `/v1/images/${done.task_id}/tags`, { tags: ['hero'] })).status, 200);
  const response = await fetch(`${service.url}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
    body: await (await fetch(done.outputs[0]!.url)).arrayBuffer(),
  });
  assert.equal(response.status, 201);
  await until(
    async () => (await call(key, 'GET', '/v1/images?status=queued,processing')).data.items,
    (open) => open.length === 0,
  );
  await until(
    async () => (await call(key, 'GET', `/v1/batches/${batch.batch_id}`)).data.status,
    (status) => status !== 'processing',
  );
  await until(
    async () => (await call(key, 'GET', '/v1/account/webhooks/deliveries')).data.items,
    (deliveries) => deliveries.every(({ status }: { status: string }) => status !== 'pending'),
  );
  for (const state of ['all', 'open', 'failed', 'unknown'])
    for (const search of ['', 'fox', 'ann', 'default', 'req_fox', done.task_id]) {
      const query = `state=${state}&mode=all&after=${done.task_id}${search && `&search=${search}`}`;
      assert.equal((await call(service.keys.admin, 'GET', `/admin/v1/tasks?${query}`)).status, 200, query);
    }
  assert.equal((await call(service.keys.admin, 'GET', `/admin/v1/tasks/${done.task_id}`)).status, 200);
  for (const path of ['/v1/account', '/v1/account/ledger', '/v1/requests'] as const)
    assert.equal((await call(key, 'GET', path)).status, 200, path);
}

/** Orders of a key that may run any number of them: units of a group share their statements on PostgreSQL. */
async function settleTogether({ call }: TestService, key: string): Promise<void> {
  const order = { ...ORDER, simulate: { seconds: 1, outcome: 'upstream_error' } };
  const names = Array.from({ length: TOGETHER }, (_, place) => ({ 'idempotency-key': `together ${place}` }));
  const answers = await Promise.all(names.map((name) => call(key, 'POST', '/v1/images', order, name)));
  for (const { status, body } of answers) assert.equal(status, 201, JSON.stringify(body));
  await until(
    async () => (await call(key, 'GET', '/v1/images?status=queued,processing')).data.items,
    (open) => open.length === 0,
  );
}

/** A link to several tasks is made, read, listed, opened, and loses its tasks when they are erased. */
async function shareSeveral({ call }: TestService, key: string, task_ids: readonly string[]): Promise<void> {
  const { data: share } = await until(
    async () => await call(key, 'POST', '/v1/shares', { task_ids }),
    ({ status }) => status === 201,
  );
  assert.equal((await call(key, 'GET', `/v1/shares?task_id=${task_ids[1]}`)).data.items.length, 1);
  assert.equal((await call(key, 'GET', `/v1/shares/${share.share_id}`)).status, 200);
  for (const address of [share.url, share.file_url.replace('/file?', '/files/2?')]) {
    const { status, body } = await fetch(address);
    assert.equal(status, 200, address);
    await body?.cancel();
  }
}

/** Orders of a key that may run one: one runs, two wait in the queue, one waits for the first. All are canceled. */
async function waitAndCancel({ call }: TestService, key: string): Promise<void> {
  const tasks: TaskAnswer[] = [];
  for (let place = 0; place < 3; place++) tasks.push((await call(key, 'POST', '/v1/images', STUCK)).data);
  const [first, second] = tasks;
  const child = { ...ORDER, image_urls: [`task:${first!.task_id}`], wait_for_parent: true };
  tasks.push((await call(key, 'POST', '/v1/images', child)).data);
  await until(
    async () => (await call(key, 'GET', first!.urls.self)).data.status,
    (status) => status === 'processing',
  );
  await call(key, 'GET', second!.urls.self);
  for (const task of tasks.toReversed()) assert.equal((await call(key, 'POST', task.urls.cancel)).status, 200);
  await call(key, 'DELETE', second!.urls.self);
}

/** Orders that wait for another one, for a file from outside, and for their batch, until each ends. */
async function openGates({ call }: TestService, key: string, picture: string): Promise<void> {
  const { data: parent } = await call(key, 'POST', '/v1/images', { ...ORDER, simulate: { seconds: 1 } });
  const child = { ...ORDER, image_urls: [`task:${parent.task_id}`], wait_for_parent: true };
  const { data: waiting } = await call(key, 'POST', '/v1/images', child);
  assert.deepEqual(waiting.waiting_for, [parent.task_id]);
  assert.equal((await call(key, 'POST', '/v1/images', { ...ORDER, image_urls: [picture] })).status, 201);
  const orders = [{ operation: 'images', body: ORDER }];
  const { data: batch } = await call(key, 'POST', '/v1/batches', { orders, max_parallel: 1 });
  await until(
    async () => (await call(key, 'GET', `/v1/batches/${batch.batch_id}`)).data.status,
    (status) => status === 'succeeded',
  );
  await until(
    async () => (await call(key, 'GET', '/v1/images?status=queued,processing')).data.items,
    (open) => open.length === 0,
  );
  assert.equal((await call(key, 'GET', waiting.urls.self)).data.status, 'succeeded');
}

/** An order whose model is found to be not loaded while it waits, until the operator says that it is. */
async function openRouteGate({ call, database, keys }: TestService, key: string, notLoaded: NotLoaded): Promise<void> {
  const name = notLoaded.engine.name;
  const order = async () => (await call(key, 'POST', '/v1/images', { model_id: name, prompt: 'a fox' })).data;
  const [first, second] = [await order(), await order()];
  await until(
    async () => (await call(key, 'GET', first.urls.self)).data.status,
    (status) => status === 'processing',
  );
  notLoaded.refuse();
  const { read } = database;
  await until(
    () => read.first(read.builder.selectFrom('tasks').select('gates').where('id', '=', second.task_id)),
    (row) => row?.gates === GATES.route,
  );
  await call(keys.admin, 'POST', `/admin/v1/engines/${name}/circuit/close` as '/admin/v1/engines/sketch/circuit/close');
  await until(
    async () => (await call(key, 'GET', second.urls.self)).data.status,
    (status) => status === 'succeeded',
  );
}

/** Every filter alone, which an index serves, and two together. */
async function list({ call }: TestService, key: string): Promise<void> {
  const filters = [
    '',
    'offset=1',
    'after=img_01kafz9p4w3q7n5x8r2t6v0y1z',
    'status=succeeded',
    'status=queued,processing',
    'model_id=sketch',
    'end_user=ann',
    'parent_task_id=img_01kafz9p4w3q7n5x8r2t6v0y1z',
    'batch_id=bat_01kafz9p4w3q7n5x8r2t6v0y1z',
    'created_after=2026-01-01T00:00:00Z',
    'created_before=2027-01-01T00:00:00Z',
    'search=fox',
    'tag=hero',
    'tag=hero&search=fox',
    'tag=hero&model_id=sketch',
    'status=failed&model_id=sketch&end_user=ann',
  ];
  for (const filter of filters) {
    const answer = await call(key, 'GET', `/v1/images?${filter}`);
    assert.equal(answer.status, 200, `${filter} ${JSON.stringify(answer.body)}`);
  }
  assert.equal((await call(key, 'GET', '/v1/videos?page=2&include=tags')).status, 200);
  const { token } = (await call(key, 'POST', '/v1/client_tokens', { end_user: 'ann' })).data;
  for (const caller of [key, token]) assert.equal((await call(caller, 'GET', '/v1/tags')).status, 200);
}
