import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { cellOf, createIdFactory } from '@darkroom-service/contract';
import { createSecret } from '../../src/accounts/key-secret.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';

/** Installations that share an address: what they issue carries the name of the cell, for the proxy in front. */

const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };

async function startCell(t: TestContext, cell: string, env: Record<string, string> = {}): Promise<TestService> {
  return await startTestService(t, {
    env: { ...env, ...(cell === '' ? {} : { DARKROOM_CELL: cell }) },
    service: { engines: [createSwiftEngine()] },
  });
}

async function issue({ call, keys }: TestService, mode: 'test' | 'admin' = 'test') {
  const { status, data } = await call(keys.admin, 'POST', '/admin/v1/keys', { account_id: 'default', mode });
  assert.equal(status, 201);
  return { id: data.key_id, key: data.key ?? '' };
}

test('keys, client tokens and ids carry the name of their cell, and older ones stay valid', async (t) => {
  const before = await startCell(t, '');
  const old = await issue(before);
  assert.match(old.key, /^dk_test_[0-9A-Za-z]{36}$/);
  const oldToken = (await before.call(old.key, 'POST', '/v1/client_tokens', { end_user: 'ada' })).data.token;
  const oldTask = await before.make(oldToken, '/v1/images', ORDER);
  assert.deepEqual([cellOf(old.id), cellOf(oldTask.task_id)], [null, null]);
  const { dataDirectory, databaseUrl } = before.config;
  await before.service.stop({ now: true });

  const cell = await startCell(t, 'eu1', {
    DARKROOM_DATA_DIR: dataDirectory,
    ...(databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: databaseUrl }),
  });
  const { call, make, keys } = cell;
  for (const bearer of [old.key, oldToken])
    assert.equal((await call(bearer, 'GET', `/v1/images/${oldTask.task_id}`)).status, 200);

  const { id, key } = await issue(cell);
  assert.match(key, /^dk_test_eu1[0-9A-Za-z]{36}$/);
  const rotated = await call(keys.admin, 'POST', `/admin/v1/keys/${old.id}/rotate`, { grace_seconds: 60 });
  assert.match(rotated.data.key ?? '', /^dk_test_eu1[0-9A-Za-z]{36}$/);
  for (const bearer of [old.key, rotated.data.key]) {
    const { data } = await call(bearer, 'POST', '/v1/client_tokens', { end_user: 'ada' });
    assert.match(data.token, /^dk_client_eu1\.[\w-]+\.[\w-]{43}$/);
    assert.equal((await call(data.token, 'GET', `/v1/images/${oldTask.task_id}`)).status, 200);
  }

  const task = await make(key, '/v1/images', ORDER);
  assert.equal(task.status, 'succeeded');
  const { data: batch } = await call(key, 'POST', '/v1/batches', { orders: [{ operation: 'images', body: ORDER }] });
  const { data: share } = await call(key, 'POST', '/v1/shares', { task_id: task.task_id });
  const upload = await fetch(`${cell.url}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
    body: await (await fetch(task.outputs[0].url)).blob(),
  });
  const file = ((await upload.json()) as { data: { file_id: string; url: string } }).data;
  const ids = [id, task.task_id, batch.batch_id, share.share_id, file.file_id];
  assert.deepEqual(
    ids.map((each) => [/^[a-z]{3,4}_[0-9a-z]{26}$/.test(each), cellOf(each)]),
    ids.map(() => [true, 'eu1']),
  );
  for (const address of [task.outputs[0].url, task.urls.events, share.url, share.file_url, file.url]) {
    const { pathname } = new URL(address);
    assert.match(pathname, /_[0-9a-tv-z]{22}ueu1([^0-9a-z]|$)/);
    const answer = await fetch(address);
    await answer.body?.cancel();
    assert.equal(answer.status, 200, address);
  }
  const { data: list } = await call(key, 'GET', `/v1/images?after=${task.task_id}`);
  assert.ok(!list.items.some(({ task_id }) => task_id === task.task_id));
});

test('a key, a token or an id of another cell is answered as one that is unknown', async (t) => {
  const [here, there] = await Promise.all([startCell(t, 'eu1'), startCell(t, 'us1')]);
  const [own, foreign] = [await issue(here), await issue(there)];
  const { data: lent } = await there.call(foreign.key, 'POST', '/v1/client_tokens', { end_user: 'ada' });
  const task = await there.make(foreign.key, '/v1/images', ORDER);

  const unknownKey = await here.call(createSecret('test', null), 'GET', '/v1/account');
  const foreignKey = await here.call(foreign.key, 'GET', '/v1/account');
  assert.deepEqual([foreignKey.status, foreignKey.error.code], [401, 'invalid_api_key']);
  assert.equal(foreignKey.error.message, unknownKey.error.message);
  const foreignToken = await here.call(lent.token, 'GET', '/v1/account');
  assert.deepEqual([foreignToken.status, foreignToken.error.code], [401, 'invalid_api_key']);

  const nobodys = createIdFactory(Date.now)('img');
  const [foreignTask, unknownTask] = await Promise.all(
    [task.task_id, nobodys].map((id) => here.call(own.key, 'GET', `/v1/images/${id}`)),
  );
  assert.deepEqual([foreignTask?.status, foreignTask?.error.code], [404, 'task_not_found']);
  assert.equal(foreignTask?.error.message, unknownTask?.error.message.replace(nobodys, task.task_id));
});

test('the name of a cell that a proxy could not read stops the start', async (t) => {
  for (const name of ['EU', 'eu-1', 'europe'])
    await assert.rejects(startCell(t, name), {
      message: new RegExp(`DARKROOM_CELL.*expected 1 to 4 lower-case letters or digits, found "${name}"`, 's'),
    });
});
