import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { startService } from '../additions.ts';
import { startTestService } from '../service.ts';
import { createSwiftEngine } from '../swift-engine.ts';

/** The retries of OpenAI's clients, over a restart and between processes. */

const env = { DARKROOM_OPENAI_MOUNT_HOLD_SECONDS: '0.2' };
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
  const first = await startTestService(t, { env, service: { engines: [createSwiftEngine()] } });
  const id = await send(first.url, first.keys.test, 0);
  await first.service.stop({ now: true });
  const second = await startService(first.config, { log: createLog('fatal'), engines: [createSwiftEngine()] });
  t.after(() => second.stop({ now: true }));
  assert.equal(await send(second.url, first.keys.test, 1), id);
});

test('retries that reach two processes at once never share a call', async (t) => {
  const first = await startTestService(t, { env, service: { engines: [createSwiftEngine()] } });
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
