import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, ConnectionError, Darkroom, isDarkroomError } from '@darkroom/client';
import { startTestService } from '../../helpers/service.ts';
import { createSwiftEngine } from '../../helpers/swift-engine.ts';
import { wholeFile } from '../../helpers/whole-file.ts';
import { openFaultProxy } from '../fault-proxy.ts';

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const ORDER = { model_id: 'sketch', prompt: 'a red fox in the snow', resolution: '0.5K' } as const;

async function prepare(t: Parameters<typeof openFaultProxy>[0]) {
  const { key } = await service.issueKey({ mode: 'test' });
  const proxy = await openFaultProxy(t, service.url);
  return { proxy, client: new Darkroom({ baseUrl: proxy.url, apiKey: key }) };
}

test('a 502 before and after the order is one order and one charge', async (t) => {
  const { proxy, client } = await prepare(t);
  proxy.fail(/^POST /, '502 before', '502 after');
  const fox = await client.images.generate(ORDER);
  assert.equal(proxy.sent(/^POST /).length, 3);
  assert.deepEqual(
    (await client.images.list().page()).items.map(({ task_id: id }) => id),
    [fox.taskId],
  );
  const { items } = await client.account.ledger().page();
  assert.deepEqual(items.map(({ kind }) => kind).sort(), ['charge', 'hold', 'release']);
});

test('a deletion whose answer was lost succeeds by its retry', async (t) => {
  const { proxy, client } = await prepare(t);
  const fox = await client.images.generate(ORDER);
  const file = await client.files.upload(await fox.content().bytes());
  proxy.fail(/^DELETE .*images/, 'lose answer', '502 after');
  assert.equal((await fox.delete()).task_id, fox.taskId);
  proxy.fail(/^DELETE .*files/, '502 after');
  const deletion = await client.files.delete(file.file_id);
  assert.deepEqual([deletion.file_id, Number.isNaN(Date.parse(deletion.deleted_at))], [file.file_id, false]);
  assert.equal(proxy.sent(/^DELETE /).length, 5);
  assert.deepEqual((await client.images.list().page()).items, []);
});

test('a deletion of something that is not there is refused, unless an answer was lost', async (t) => {
  const { proxy, client } = await prepare(t);
  const fox = await client.images.generate(ORDER);
  await client.images.delete(fox.taskId);
  const again = await client.images.delete(fox.taskId).catch((thrown: unknown) => thrown);
  assert.ok(again instanceof ApiError && isDarkroomError(again, 'task_not_found'));
  proxy.fail(/^DELETE /, 'cut before', 'cut before');
  const lost = await client.images.delete(fox.taskId, { retries: 1 }).catch((thrown: unknown) => thrown);
  assert.ok(lost instanceof ConnectionError);
});
