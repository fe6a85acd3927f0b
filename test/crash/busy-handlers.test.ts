import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChildService, openPremises } from './child-service.ts';

/** What a real process does about requests whose handlers keep its event loop. */

test('a process whose event loop stands in a handler names the route, the key and the request in its last words', async (t) => {
  const premises = await openPremises(t, []);
  // A start on a busy machine stands for a while too.
  const child = await premises.start({ tempo: { watchdog: { standsAtMostMs: 6_000, everyMs: 500 } } });
  const said = errorsOf(child);
  const asked = await child.call(premises.keys.test, 'GET', '/v1/models');
  const busy = child.call(premises.keys.live, 'GET', '/v1/images/img_fox', undefined, { 'x-busy-ms': '3600000' });
  await assert.rejects(busy);
  assert.deepEqual(await child.ended, { code: null, signal: 'SIGKILL' });
  const { read } = premises.database;
  const key = await read.first(read.builder.selectFrom('api_keys').select('id').where('mode', '=', 'live'));
  const named = new RegExp(
    `has not turned for \\d+ s\\. Running: GET /v1/images/:task_id key_id=${key?.id} request_id=(req_\\w+)\\.`,
  ).exec(said.text)?.[1];
  const before = asked.headers.get('x-request-id') ?? '';
  assert.equal(named?.slice(0, 20), before.slice(0, 20), said.text);
  assert.notEqual(named, before);
});

test('a route that kept the event loop twice is closed for that key, but no order, no admin key and nobody else', async (t) => {
  const premises = await openPremises(t, []);
  const child = await premises.start({ variables: { DARKROOM_LOG_LEVEL: 'warn' } });
  const said = errorsOf(child);
  const { live, test: bystander, admin } = premises.keys;
  const list = (key: string, busyMs = 0) =>
    child.call(key, 'GET', '/v1/images', undefined, { 'x-busy-ms': String(busyMs) });
  const order = (busyMs = 0) => {
    const body = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'stuck' } };
    return child.call(bystander, 'POST', '/v1/images', body, { 'x-busy-ms': String(busyMs) });
  };
  const processes = (busyMs = 0) =>
    child.call(admin, 'GET', '/admin/v1/processes', undefined, { 'x-busy-ms': String(busyMs) });
  for (let count = 0; count < 2; count++) {
    const together = await Promise.all([list(live, 2_100), list(bystander)]);
    assert.deepEqual(
      together.map(({ status }) => status),
      [200, 200],
    );
    assert.equal((await order(2_100)).status, 201);
    assert.equal((await processes(2_100)).status, 200);
  }
  const refused = await list(live);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 3_000);
  assert.match(JSON.stringify(refused.body), /stopped the service for more than 2 s each, twice within an hour/);
  const others = [await list(bystander), await child.call(live, 'GET', '/v1/videos'), await order(), await processes()];
  assert.deepEqual(
    others.map(({ status }) => status),
    [200, 200, 201, 200],
  );
  const closed = said.text.split('\n').filter((line) => line.includes('closed for its key for an hour'));
  assert.equal(closed.length, 1, said.text);
  assert.match(closed[0] ?? '', /"route":"\/v1\/images"/);
  child.advance(3_600_000);
  assert.equal((await list(live)).status, 200);
});

function errorsOf(child: ChildService): { text: string } {
  const said = { text: '' };
  child.process.stderr?.on('data', (chunk) => {
    said.text += String(chunk);
  });
  return said;
}
