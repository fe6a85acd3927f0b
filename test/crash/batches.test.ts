import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { assertBooks } from './books.ts';
import { openPremises } from './child-service.ts';
import { drawKills } from './drawn-kills.ts';

const ORDERS = 130;
/** Each order fails at once, so that no picture has to be painted. */
const orders = Array.from({ length: ORDERS }, (_, seed) => ({
  name: `fox-${seed}`,
  operation: 'images',
  body: { model_id: 'sketch', prompt: 'a fox', seed, simulate: { outcome: 'content_policy' } },
}));

const POINTS = ['create_batch', 'place_portion', 'let_in', 'claim_tasks', 'settle_failed', 'end_batch'];
/** Each kill has a batch of its own, so any of them can be left out. */
const killsAt = (names: readonly string[]) =>
  names.flatMap((name) => (['before', 'after'] as const).map((moment) => ({ name, moment })));

test('killed at every commit of a batch, it is there whole or not at all, and every order becomes one task', {
  timeout: 600_000,
}, async (t) => {
  const premises = await openPremises(t);
  const key = premises.keys.test;
  const { read } = premises.database;
  const readBatches = () => read.all(read.builder.selectFrom('batches').selectAll());
  let child = await premises.start();
  let earlier = 0;
  const kills = drawKills(t, killsAt(POINTS));
  for (const { name, moment } of kills) {
    const headers = { 'idempotency-key': `${name} ${moment}` };
    await child.killAt({ name, moment });
    const answer = child.call(key, 'POST', '/v1/batches', { orders }, headers).catch(() => null);
    assert.equal((await child.ended).signal, 'SIGKILL', name);
    await answer;
    const isThere = name !== 'create_batch' || moment === 'after';
    assert.equal((await readBatches()).length, isThere ? earlier + 1 : earlier, `${name} ${moment}`);
    earlier++;
    await assertBooks(premises);
    child = await premises.start();
    const created = await child.call(key, 'POST', '/v1/batches', { orders }, headers);
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const url = created.body.data.urls.self;
    const path = new URL(url).pathname as `/v1/batches/${string}`;
    const data = await until(
      async () => (await child.call(key, 'GET', path)).body.data,
      ({ status }) => status !== 'processing',
    );
    assert.deepEqual(
      [data.status, data.counts.failed, data.cost.held],
      ['failed', ORDERS, '0.00'],
      `${name} ${moment}`,
    );
    await assertBooks(premises);
  }
  child.process.kill('SIGTERM');
  assert.deepEqual(await child.ended, { code: 0, signal: null });
  assert.equal((await readBatches()).length, kills.length, 'an Idempotency-Key stands for one batch');
  assert.deepEqual(await read.all(read.builder.selectFrom('batch_portions').select('first')), []);
});

test('killed while a batch is canceled, its other orders are canceled by the next process', {
  timeout: 300_000,
}, async (t) => {
  const premises = await openPremises(t);
  const key = premises.keys.test;
  const waiting = orders.map(({ body, ...order }) => ({ ...order, body: { ...body, simulate: { seconds: 600 } } }));
  let child = await premises.start();
  for (const { name, moment } of drawKills(t, killsAt(['cancel_batch', 'cancel_portion']))) {
    await child.killAt({ name, moment });
    const sent = { orders: waiting, max_parallel: 3 };
    const { body } = await child.call(key, 'POST', '/v1/batches', sent);
    const path = new URL(body.data.urls.self).pathname as `/v1/batches/${string}`;
    await child.call(key, 'POST', `${path}/cancel`).catch(() => null);
    assert.equal((await child.ended).signal, 'SIGKILL', name);
    await assertBooks(premises);
    child = await premises.start();
    assert.equal((await child.call(key, 'POST', `${path}/cancel`)).status, 200);
    const { counts } = await until(
      async () => (await child.call(key, 'GET', path)).body.data,
      (batch) => batch.counts.queued === 0,
    );
    assert.ok(counts.processing <= 3, 'at most max_parallel were running');
    assert.equal(counts.canceled + counts.processing, ORDERS);
    await assertBooks(premises);
  }
});
