import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Engine } from '@darkroom-service/engines';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { fromPictureEntry, plainEntry } from '../helpers/plain-entry.ts';
import { type BatchAnswer, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { withUpstreamKeys } from '../helpers/with-upstream-keys.ts';

/** Batches, chains and actions of customers with own upstream keys: whose account makes them, at which price. */

const picture = await smallPicture;
/** The secret that each order was submitted with. */
const secrets = new Map<string, string>();
/** Prompts with this word are not finished before it is taken away. */
const unfinished = new Set<string>();

/** Keeps data with each task, so that only it can follow up on it. */
function vendorEngine(kind: string, secret: string): Engine {
  return {
    name: kind,
    concurrency: 10,
    async start({ taskId }) {
      secrets.set(taskId, secret);
      return { operation: { taskId }, checkAfterMs: 0 };
    },
    async check(_operation, { request }) {
      if ([...unfinished].some((word) => String(request.values.prompt).includes(word)))
        return { status: 'pending', checkAfterMs: 20 };
      const output = { source: { data: picture }, seed: null, revisedPrompt: null, tiles: null };
      return { status: 'succeeded', delivery: { outputs: [output], keep: { job: 'of this account' } } };
    },
  };
}

const OPERATOR = "the operator's";
const common = {
  pricing: { components: [{ per: 'image', amount: '0.04' }] },
  routes: [{ engine: 'acme' }],
};
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'draw', ...common }),
  fromPictureEntry({ model_id: 'redraw', ...common }),
  plainEntry({
    model_id: 'family',
    ...common,
    supported_features: ['text_to_image', 'follow_up_actions'],
    actions: ['reroll', 'vary_subtle'],
  }),
]);
const { call, issueKey, createAccount, make } = await startTestService(wholeFile, {
  env: {
    DARKROOM_CATALOG_DIR: overlay.directory,
    DARKROOM_SECRETS_KEY: randomBytes(32).toString('base64'),
    DARKROOM_UPSTREAM_KEY_FEE: '0.002',
  },
  service: {
    engines: [vendorEngine('acme', OPERATOR)],
    additions: withUpstreamKeys({ templates: new Map([['acme', vendorEngine('acme', 'nobody')]]), open: vendorEngine }),
  },
});
const path = '/v1/account/upstream_keys/acme';

async function customer(concurrency = 0) {
  const { key } = await issueKey({
    mode: 'live',
    accountId: await createAccount(null),
    accountView: true,
    concurrency,
  });
  const set = async (secret: string) => {
    const { status, error } = await call(key, 'PUT', path, { secret });
    assert.equal(status, 200, JSON.stringify(error));
  };
  const ended = async (batchId: string): Promise<BatchAnswer> =>
    await until(
      async () => (await call(key, 'GET', `/v1/batches/${batchId}`)).data,
      ({ status }) => status !== 'processing',
    );
  const final = async (taskId: string): Promise<TaskAnswer> =>
    await until(
      async () => (await call(key, 'GET', `/v1/images/${taskId}`)).data,
      ({ status }) => status !== 'queued' && status !== 'processing',
    );
  const tasksOf = async (batchId: string): Promise<Record<string, TaskAnswer>> =>
    Object.fromEntries(
      (await call(key, 'GET', `/v1/batches/${batchId}/tasks`)).data.items.map((task) => [
        String(task.batch_name),
        task,
      ]),
    );
  const held = async () => (await call(key, 'GET', '/v1/account')).data.held;
  return { key, set, ended, final, tasksOf, held };
}

const ORDERS = [
  { name: 'hero', operation: 'images', body: { model_id: 'draw', prompt: 'a fox' } },
  { name: 'copy', operation: 'images', body: { model_id: 'redraw', prompt: 'snow', image_urls: ['order:hero'] } },
  { name: 'free', operation: 'images', body: { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' } },
];

test('orders of a batch and the links of its chains go to the own upstream key at the fee, and others cost what they cost', async () => {
  const { key, set, ended, tasksOf } = await customer();
  assert.equal((await call(key, 'POST', '/v1/batches/prices', { orders: ORDERS })).data.amount, '0.085');
  await set('a-secret-of-mine');
  assert.equal((await call(key, 'POST', '/v1/batches/prices', { orders: ORDERS })).data.amount, '0.009');
  const { status, data, error } = await call(key, 'POST', '/v1/batches', { orders: ORDERS });
  assert.equal(status, 201, JSON.stringify(error));
  assert.equal(data.cost.quoted, '0.009');
  const batch = await ended(data.batch_id);
  assert.deepEqual([batch.status, batch.cost.charged, batch.cost.held], ['succeeded', '0.009', '0.00']);
  const tasks = Object.values(await tasksOf(data.batch_id));
  assert.deepEqual(
    Object.fromEntries(tasks.map((task) => [task.batch_name, [task.cost.amount, secrets.get(task.task_id)]])),
    { hero: ['0.002', 'a-secret-of-mine'], copy: ['0.002', 'a-secret-of-mine'], free: ['0.005', undefined] },
  );
});

test('a link that waits goes to the key that replaces its own, and fails and is released if that is removed', async () => {
  for (const { change, expected } of [
    { change: 'replace', expected: ['succeeded', '0.002', undefined, 'a-secret-of-afterwards'] },
    { change: 'remove', expected: ['failed', '0.00', 'invalid_input', undefined] },
  ]) {
    const { key, set, ended, tasksOf, held } = await customer();
    await set('a-secret-of-before');
    unfinished.add('slow');
    const orders = [{ ...ORDERS[0], body: { model_id: 'draw', prompt: 'a slow fox' } }, ORDERS[1]];
    const { data } = await call(key, 'POST', '/v1/batches', { orders });
    await until(
      async () => secrets.get((await tasksOf(data.batch_id)).hero?.task_id ?? ''),
      (secret) => secret === 'a-secret-of-before',
    );
    if (change === 'replace') await set('a-secret-of-afterwards');
    else assert.equal((await call(key, 'DELETE', path)).status, 200);
    unfinished.delete('slow');
    await ended(data.batch_id);
    const { hero, copy } = await tasksOf(data.batch_id);
    assert.ok(hero !== undefined && copy !== undefined);
    assert.deepEqual(
      [hero.status, hero.cost.amount, secrets.get(hero.task_id)],
      ['succeeded', '0.002', 'a-secret-of-before'],
    );
    assert.deepEqual([copy.status, copy.cost.amount, copy.error?.code, secrets.get(copy.task_id)], expected);
    assert.equal(await held(), '0.00');
  }
});

test('the price that an action is offered for is charged, whoever made its parent and whichever key is set since', async () => {
  const { key, set } = await customer();
  const order = { model_id: 'family', prompt: 'a fox' };
  const before = await make(key, '/v1/images', order);
  await set('a-secret-of-mine');
  const after = await make(key, '/v1/images', order);
  assert.deepEqual([before.cost.amount, after.cost.amount], ['0.04', '0.002']);
  for (const [parent, price, secret] of [
    [before, '0.04', OPERATOR],
    [after, '0.002', 'a-secret-of-mine'],
  ] as const) {
    const { data } = await call(key, 'GET', parent.urls.self);
    assert.deepEqual(
      data.available_actions.filter(({ action }) => action !== 'enlarge').map((offer) => [offer.action, offer.price]),
      [
        ['reroll', price],
        ['vary_subtle', price],
      ],
    );
    const action = { parent_task_id: parent.task_id, action: 'reroll' };
    assert.equal((await call(key, 'POST', '/v1/prices', { model_id: 'family', ...action })).data.amount, price);
    const made = await make(key, '/v1/images/actions', action);
    assert.deepEqual([made.status, made.cost.amount, secrets.get(made.task_id)], ['succeeded', price, secret]);
  }
});

test('an action that waits for a parent of the operator at the price of an own key is not made by the operator', async () => {
  const { key, set, final, held } = await customer();
  unfinished.add('late');
  const parent = (await call(key, 'POST', '/v1/images', { model_id: 'family', prompt: 'a late fox' })).data;
  await set('a-secret-of-mine');
  const action = { parent_task_id: parent.task_id, action: 'reroll', wait_for_parent: true };
  const { status, data } = await call(key, 'POST', '/v1/images/actions', action);
  assert.deepEqual([status, data.cost.quoted], [201, '0.002']);
  unfinished.delete('late');
  const child = await final(data.task_id);
  assert.deepEqual([child.status, child.cost.amount, secrets.get(child.task_id)], ['failed', '0.00', undefined]);
  assert.match(child.error?.message ?? '', /^Only the upstream account that made the parent can follow up on it/);
  assert.equal(await held(), '0.00');
});
