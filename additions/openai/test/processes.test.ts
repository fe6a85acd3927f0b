import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { createLog } from '../../../src/base/log.ts';
import { startService } from '../../../test/helpers/additions.ts';
import { replaceSettings } from '../../../test/helpers/load-config.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';

/** The retries of OpenAI's clients, over a restart and between processes. */

const HELD = { openai: { holdMs: 200 } };
const SLOW = { model: 'sketch', prompt: 'a fox', size: '512x512', simulate: { seconds: 3_600 } };

/** Sends a call to a process. @returns the id of the call in the redirect */
async function send(url: string, key: string, retry: number): Promise<string> {
  const response = await fetch(`${url}/openai/v1/images/generations`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-stainless-lang': 'python',
      'x-stainless-retry-count': String(retry),
    },
    body: JSON.stringify(SLOW),
  });
  await response.arrayBuffer();
  const id = /results\/(call_\w+)\?hop=1$/.exec(response.headers.get('location') ?? '')?.[1];
  assert.ok(id, `${response.status}`);
  return id;
}

test('a retry finds its call after a restart', async (t) => {
  const first = await startTestService(t, { settings: HELD, service: { engines: [createSwiftEngine()] } });
  const id = await send(first.url, first.keys.test, 0);
  await first.service.stop({ now: true });
  const second = await startService(first.config, { log: createLog('fatal'), engines: [createSwiftEngine()] });
  t.after(() => second.stop({ now: true }));
  assert.equal(await send(second.url, first.keys.test, 1), id);
});

test('a request whose client went before a restart is found by the equal one after it', async (t) => {
  const first = await startTestService(t, { service: { engines: [createSwiftEngine()] } });
  const leaving = new AbortController();
  const headers = {
    authorization: `Bearer ${first.keys.test}`,
    'content-type': 'application/json',
    'user-agent': 'curl/8.14.1',
  };
  const request = { method: 'POST', headers, body: JSON.stringify(SLOW) };
  const path = '/openai/v1/images/generations';
  const sent = fetch(`${first.url}${path}`, { ...request, signal: leaving.signal }).catch(() => {});
  const listed = async () => (await first.call(first.keys.test, 'GET', '/v1/images')).data.items.length;
  await until(listed, (count) => count === 1);
  leaving.abort();
  await sent;
  const left = first.database.read.builder.selectFrom('openai_calls').select('id').where('left_at', 'is not', null);
  await until(
    async () => (await first.database.read.all(left)).length,
    (count) => count === 1,
  );
  await first.service.stop({ now: true });
  const second = await startService(
    { ...first.config, ...replaceSettings(first.config, HELD) },
    { log: createLog('fatal'), engines: [createSwiftEngine()] },
  );
  t.after(() => second.stop({ now: true }));
  const answer = await fetch(`${second.url}${path}`, request);
  await answer.arrayBuffer();
  const tasks = (await fetch(`${second.url}/v1/images`, { headers })).json() as Promise<{
    data: { items: { task_id: string }[] };
  }>;
  const ids = (await tasks).data.items.map((task) => task.task_id);
  assert.deepEqual([answer.status, answer.headers.get('darkroom-task-ids')], [422, ids.join(', ')]);
  assert.equal(ids.length, 1);
});

test('a request that a stop of the service cut off is found by the equal one after it', async (t) => {
  const first = await startTestService(t, { service: { engines: [createSwiftEngine()] } });
  const headers = { authorization: `Bearer ${first.keys.test}`, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ ...SLOW, stream: true }) };
  const path = '/openai/v1/images/generations';
  const cut = await fetch(`${first.url}${path}`, request);
  const placed = cut.headers.get('darkroom-task-ids');
  await Promise.all([first.service.stop({ now: true }), cut.text().catch(() => {})]);
  const second = await startService(first.config, { log: createLog('fatal'), engines: [createSwiftEngine()] });
  t.after(() => second.stop({ now: true }));
  const again = await fetch(`${second.url}${path}`, request);
  assert.equal(again.headers.get('darkroom-task-ids'), placed);
  await again.body?.cancel();
});

test('retries that reach two processes at once never share a call', async (t) => {
  const first = await startTestService(t, { settings: HELD, service: { engines: [createSwiftEngine()] } });
  const config = { ...first.config, role: 'api' as const };
  const second = await startService(config, { log: createLog('fatal') });
  t.after(() => second.stop({ now: true }));
  const { key } = await first.issueKey({ mode: 'test' });
  const urls = [first.url, second.url];
  const lost = await Promise.all([0, 1, 2, 3].map((index) => send(urls[index % 2] ?? '', key, 0)));
  const retried = await Promise.all(Array.from({ length: 8 }, (_, index) => send(urls[index % 2] ?? '', key, 1)));
  assert.equal(new Set(retried).size, 8);
  assert.deepEqual(retried.filter((id) => lost.includes(id)).sort(), lost.toSorted());
  assert.equal((await first.call(key, 'GET', '/v1/images')).data.items.length, 8);
});
