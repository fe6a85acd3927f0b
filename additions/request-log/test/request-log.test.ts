import assert from 'node:assert/strict';
import { request as sendRequest } from 'node:http';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { loggedLines } from '../../../test/helpers/logged-lines.ts';
import { runDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { startTestService, type TestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

type Entry = ReturnType<typeof listed> extends Promise<(infer One)[]> ? One : never;

const ORDER = { model_id: 'sketch', prompt: 'a walrus in a bathtub', resolution: '0.5K' };
const UNKNOWN_TASK = `img_${'0'.repeat(26)}`;
const service = await startTestService(wholeFile);
const { call, keys } = service;

async function listed({ call: send, keys: { admin } }: TestService, query: string) {
  return (await send(admin, 'GET', `/admin/v1/requests?${query}` as '/admin/v1/requests')).data.items;
}

/** The entries of a key, once there are so many: they are written about a second after the answers. */
async function entriesOf(keyId: string, count: number): Promise<Entry[]> {
  return await until(
    () => listed(service, `key_id=${keyId}&limit=100`),
    (items) => items.length >= count,
  );
}

const seen = ({ method, path, status, code }: Entry) => [method, path, status, code];

test('the request log tells what a key sent and how it was answered, and keeps neither queries nor bodies nor headers', async () => {
  const { key, key_id: keyId } = await service.issueKey({ mode: 'test' });
  const { key: other } = await service.issueKey({ mode: 'test' });
  const placed = await call(key, 'POST', '/v1/images', ORDER, { 'x-request-id': 'mine-1', 'x-hint': 'a-header' });
  assert.equal(placed.status, 201);
  const { task_id: taskId } = placed.data;
  for (const path of ['/v1/images', `/v1/images/${taskId}`, '/v1/requests']) await call(key, 'GET', path);
  await call(key, 'POST', '/v1/prices', ORDER);
  await call(key, 'POST', '/v1/images?flavour=vanilla', ORDER);
  await call(key, 'GET', `/v1/images/${UNKNOWN_TASK}`);
  const { data: grant } = await call(key, 'POST', '/v1/client_tokens', { end_user: 'ada-lovelace' });
  const refused = await call(grant.token, 'GET', '/v1/requests');
  assert.equal(refused.status, 403, 'a page of an end user sees nothing of it');
  const entries = await entriesOf(keyId, 5);
  assert.deepEqual(entries.map(seen), [
    ['GET', '/v1/requests', 403, 'forbidden'],
    ['POST', '/v1/client_tokens', 201, null],
    ['GET', '/v1/images/{task_id}', 404, 'task_not_found'],
    ['POST', '/v1/images', 400, 'unsupported_field'],
    ['POST', '/v1/images', 201, null],
  ]);
  const [, , missing, , first] = entries;
  assert.deepEqual([first?.request_id, first?.task_id, first?.key_id], ['mine-1', taskId, keyId]);
  assert.equal(missing?.task_id, UNKNOWN_TASK);
  assert.ok(Math.abs(Date.parse(first?.answered_at ?? '') - Date.now()) < 60_000 && first!.duration_ms >= 0);
  const { read } = service.database;
  const stored = JSON.stringify(await read.all(read.builder.selectFrom('request_log').selectAll()));
  for (const secret of ['walrus', 'vanilla', 'a-header', 'lovelace', key.slice(8), grant.token.slice(8)])
    assert.ok(!stored.includes(secret), secret);

  const own = await call(key, 'GET', '/v1/requests?limit=100');
  assert.deepEqual(own.data.items, entries);
  assert.deepEqual((await call(other, 'GET', '/v1/requests')).data.items, []);
  assert.equal((await call(other, 'GET', `/v1/requests?key_id=${keyId}` as '/v1/requests')).status, 400);
  const command = await runDarkroom(
    ['requests', '--json', '--key', keyId, '--failed', '--limit', '2'],
    {
      DARKROOM_DATA_DIR: service.config.dataDirectory,
      ...(service.config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: service.config.databaseUrl }),
    },
    service.config.dataDirectory,
  );
  assert.deepEqual(JSON.parse(command.stdout).items, [entries[0], entries[2]]);
});

test('the request log is filtered by status, code, method, account and time, and read page by page', async () => {
  const accountId = await service.createAccount(null);
  const { key, key_id: keyId } = await service.issueKey({ mode: 'test', accountId });
  const began = new Date().toISOString();
  await call(key, 'POST', '/v1/images', ORDER);
  await call(key, 'POST', '/v1/images', { model_id: 'sketch' });
  await call(key, 'GET', `/v1/images/${UNKNOWN_TASK}`);
  await call(key, 'PUT', '/v1/end_users/ada', {});
  const all = await entriesOf(keyId, 4);
  assert.equal(all.length, 4);
  const codes = all.map(({ code }) => code);
  const found = async (query: string) => (await listed(service, query)).map(({ entry_id: id }) => id);
  const idsOf = (...places: number[]) => places.map((place) => all[place]?.entry_id);
  assert.deepEqual(await found(`account_id=${accountId}`), idsOf(0, 1, 2, 3));
  const failed = codes[0] === null ? [1, 2] : [0, 1, 2];
  assert.deepEqual(await found(`key_id=${keyId}&status=failed`), idsOf(...failed));
  assert.deepEqual(await found(`key_id=${keyId}&status=4xx`), idsOf(...failed));
  assert.deepEqual(await found(`account_id=${accountId}&status=404`), idsOf(1));
  assert.deepEqual(await found(`key_id=${keyId}&status=201`), idsOf(3));
  assert.deepEqual(await found(`code=missing_prompt&account_id=${accountId}`), idsOf(2));
  assert.deepEqual(await found(`key_id=${keyId}&method=PUT`), idsOf(0));
  assert.deepEqual(await found(`key_id=${keyId}&since=${began}`), idsOf(0, 1, 2, 3));
  assert.deepEqual(await found(`key_id=${keyId}&until=${began}`), []);
  const pages: string[] = [];
  for (let after = ''; ; ) {
    const query = `limit=3${after}` as const;
    const { data } = await call(key, 'GET', `/v1/requests?${query}` as '/v1/requests');
    pages.push(...data.items.map(({ entry_id: id }) => id));
    assert.equal(data.has_more, data.next_after !== null);
    if (data.next_after === null) break;
    after = `&after=${data.next_after}`;
  }
  assert.deepEqual(pages, idsOf(0, 1, 2, 3));
  for (const query of ['status=9xx', 'since=yesterday', 'colour=red'])
    assert.equal((await call(keys.admin, 'GET', `/admin/v1/requests?${query}`)).status, 400, query);
});

test('a caller who leaves before the answer is in the request log without a status, with the order that was placed', async () => {
  const { key, key_id: keyId } = await service.issueKey({ mode: 'test' });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=60' };
  const waiting = sendRequest(`${service.url}/v1/images`, { method: 'POST', headers });
  waiting.on('error', () => {});
  waiting.end(JSON.stringify({ ...ORDER, simulate: { outcome: 'stuck' } }));
  const open = await until(
    async () => (await call(key, 'GET', '/v1/images')).data.items,
    (items) => items.length === 1,
  );
  waiting.destroy();
  const [entry] = await entriesOf(keyId, 1);
  assert.deepEqual([entry?.method, entry?.status, entry?.task_id], ['POST', null, open[0]?.task_id]);
});

test('DARKROOM_REQUEST_LOG says which requests the database keeps, and a stop keeps them all', async (t) => {
  const keptWith = async (which: string) => {
    const one = await startTestService(t, {
      env: { DARKROOM_REQUEST_LOG: which },
      service: { engines: [createSwiftEngine()] },
    });
    await one.call(one.keys.test, 'GET', '/v1/images');
    await one.call(one.keys.test, 'POST', '/v1/images', ORDER);
    await one.call(one.keys.test, 'GET', `/v1/images/${UNKNOWN_TASK}`);
    await one.call(null, 'GET', '/v1/images');
    await one.service.stop({ announce: false });
    const { read } = one.database;
    const rows = await read.all(read.builder.selectFrom('request_log').select('status').orderBy('id'));
    return rows.map(({ status }) => status);
  };
  assert.deepEqual(await keptWith('all'), [200, 201, 404]);
  assert.deepEqual(await keptWith('failures'), [404]);
  assert.deepEqual(await keptWith('off'), []);
});

test('a database that refuses the request log fails no request, and the latest requests of a key are kept', async (t) => {
  let refuses = true;
  const { log, lines } = loggedLines();
  const commitHook = (moment: string, names: readonly string[]) => {
    if (refuses && moment === 'before' && names.includes('request_log')) throw new Error('no request log today');
  };
  const one = await startTestService(t, {
    env: { DARKROOM_REQUEST_LOG: 'all' },
    service: { log, commitHook, engines: [createSwiftEngine()] },
  });
  const { key, key_id: keyId } = await one.issueKey({ mode: 'test', readsPerMinute: 0 });
  const read = async (path: string, count: number) => {
    for (let sent = 0; sent < count; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => one.call(key, 'GET', path)));
  };
  assert.equal((await one.call(key, 'POST', '/v1/images', ORDER)).status, 201);
  await until(
    () => lines.find(({ msg }) => msg === 'could not write the request log; retrying'),
    (line) => line !== undefined,
  );
  await read('/v1/images', 300);
  await read(`/v1/images/${UNKNOWN_TASK}`, 800);
  const { body: metrics } = await one.call(one.keys.admin, 'GET', '/metrics');
  assert.match(metrics, /^darkroom_request_log_written_total 0$/m);
  assert.match(metrics, /^darkroom_request_log_dropped_total 0$/m);
  refuses = false;
  const session = one.database.read;
  const rows = await until(
    () =>
      session.all(
        session.builder.selectFrom('request_log').select('status').where('api_key_id', '=', keyId).orderBy('id'),
      ),
    ({ length }) => length === 1_101,
  );
  const count = (status: number) => rows.filter((row) => row.status === status).length;
  assert.deepEqual([rows[0]?.status, count(201), count(200), count(404)], [201, 1, 300, 800]);
});
