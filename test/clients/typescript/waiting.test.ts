import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, Darkroom, isDarkroomError } from '@darkroom/client';
import { startTestService } from '../../helpers/service.ts';
import { wholeFile } from '../../helpers/whole-file.ts';
import { openFaultProxy } from '../fault-proxy.ts';

const service = await startTestService(wholeFile);
const ORDER = { model_id: 'sketch', prompt: 'a lighthouse', resolution: '0.5K' } as const;
const EVENTS = /^GET .*\/events$/;
const POLL = /^GET \/v1\/images\/img_\w+$/;

test('the events of a task are yielded until it is final', async (t) => {
  const proxy = await openFaultProxy(t, service.url);
  const client = new Darkroom({ baseUrl: proxy.url, apiKey: service.keys.test });
  const handle = await client.images.create({ ...ORDER, simulate: { seconds: 1 } });
  const statuses: string[] = [];
  let revision = 0;
  for await (const task of handle.events()) {
    assert.ok(task.revision > revision);
    revision = task.revision;
    statuses.push(task.status);
  }
  assert.equal(statuses.at(-1), 'succeeded');
  assert.ok(statuses.includes('processing'));
  assert.equal(handle.task.status, 'succeeded');
  assert.equal(proxy.sent(POLL).length, 0);
});

test('a wait survives an event stream that breaks off', async (t) => {
  const proxy = await openFaultProxy(t, service.url);
  const client = new Darkroom({ baseUrl: proxy.url, apiKey: service.keys.test });
  proxy.fail(EVENTS, { cutAfter: 300 }, 'cut before');
  const handle = await client.images.create({ ...ORDER, simulate: { seconds: 1 } });
  assert.equal((await handle.wait()).status, 'succeeded');
});

test('a wait without any event stream polls, and survives lost polls', async (t) => {
  const proxy = await openFaultProxy(t, service.url);
  const client = new Darkroom({ baseUrl: proxy.url, apiKey: service.keys.test });
  const refused = Array.from({ length: 20 }, () => 'cut before' as const);
  proxy.fail(EVENTS, ...refused);
  proxy.fail(POLL, 'lose answer', { status: 504, body: '' });
  const handle = await client.images.create({ ...ORDER, simulate: { seconds: 3 } });
  assert.equal((await handle.wait()).status, 'succeeded');
});

test('a wait for a task that this key does not have ends at once and names it', async () => {
  const client = new Darkroom({ baseUrl: service.url, apiKey: service.keys.test });
  const id = 'img_00000000000000000000000000';
  const error = await client.images.wait(id).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ApiError && isDarkroomError(error, 'task_not_found'));
  assert.equal(error.taskId, id);
});
