import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@darkroom-service/testing';
import fc from 'fast-check';
import { createLog } from '../../src/base/log.ts';
import { startService } from '../helpers/additions.ts';
import { callBack, createCallingEngine, openCallbackBench } from '../helpers/callback-bench.ts';
import { CALLED_ANYWHERE } from '../helpers/called-anywhere.ts';
import type { TaskAnswer } from '../helpers/service.ts';

const KINDS = ['good', 'unsigned', 'running', 'forged token', 'other engine', 'other fence', 'malformed'] as const;

/** Calls of anybody: when, in milliseconds after the order was taken, and which. The order takes 60 ms. */
const anyCalls = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), at: fc.integer({ min: 0, max: 120 }) }), {
  maxLength: 6,
});

type Kind = (typeof KINDS)[number];

function urlOf(url: string, kind: Kind): string {
  const [, before = '', id = '', fence = '', signature = ''] = /^(.*\/)([^/.]+)\.(\d+)\.([^/]+)$/.exec(url) ?? [];
  if (kind === 'forged token') return `${before}${id}.${fence}.${'A'.repeat(signature.length)}`;
  if (kind === 'other fence') return `${before}${id}.${Number(fence) + 1}.${signature}`;
  if (kind === 'other engine') return url.replace('/calling/', '/sketch/');
  return kind === 'malformed' ? `${before}nothing` : url;
}

async function sendCall(url: string, kind: Kind): Promise<void> {
  const body = kind === 'unsigned' ? 'forged' : kind === 'running' ? 'running' : 'ended';
  const { status, text } = await callBack(urlOf(url, kind), body);
  if (kind === 'malformed') assert.equal(status, 404);
  else assert.deepEqual([status, text], [200, '{}'], `the answer to ${kind} tells nothing`);
}

/** An engine whose upstream calls when an order has ended, except for orders whose prompt begins with `lost`. */
function createPunctualEngine() {
  const engine = createCallingEngine({
    // Without callbacks an order is checked after one second, and again a second later.
    orderMs: (prompt) => (prompt.startsWith('proof') ? 50 : 1_300),
    async onStart(prompt, url) {
      if (prompt.startsWith('lost')) return;
      void pause(prompt.startsWith('proof') ? 60 : 1_310).then(() => callBack(url));
    },
  });
  return engine;
}

const body = (prompt: string) => ({ model_id: 'conformance', prompt });

describe('calls of upstreams', { concurrency: true }, () => {
  test('callbacks that are forged, lost, doubled, early or late change nothing about an order and its price', async (t) => {
    const scripts = new Map<string, readonly { kind: Kind; at: number }[]>();
    const calling: Promise<void>[] = [];
    const engine = createCallingEngine({
      orderMs: () => 60,
      // Lost callbacks are found by the net, which is fast here.
      checkAfterMs: 100,
      async onStart(prompt, url) {
        for (const { kind, at } of scripts.get(prompt) ?? []) {
          const call = at === 0 ? sendCall(url, kind) : pause(at).then(() => sendCall(url, kind));
          calling.push(call);
          // Before the submission is answered.
          if (at === 0) await call;
        }
      },
    });
    const { call, keys, make } = await openCallbackBench(t, engine);
    let orders = 0;
    const facts = ({ status, progress, cost, outputs, error }: TaskAnswer) => ({
      status,
      progress,
      state: cost.state,
      amount: cost.amount,
      outputs: outputs.length,
      error,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyCalls, { minLength: 4, maxLength: 4 }), async (several) => {
        const made = several.map(async (calls) => {
          const prompt = `a fox ${++orders}`;
          scripts.set(prompt, calls);
          const task = await make(keys.live, '/v1/images', { model_id: 'conformance', prompt });
          await Promise.all(calling.splice(0));
          for (const { kind } of calls) await sendCall(engine.urls.get(prompt) ?? '', kind);
          const after = await call(keys.live, 'GET', task.urls.self);
          assert.deepEqual(
            facts(after.data),
            { status: 'succeeded', progress: 100, state: 'charged', amount: '0.01', outputs: 1, error: null },
            JSON.stringify(calls),
          );
          assert.equal(engine.counts.get(prompt)?.starts, 1);
          const good = calls.filter(({ kind }) => kind === 'good').length;
          assert.ok((engine.counts.get(prompt)?.checks ?? 0) <= 4 + good, 'each call causes one check at most');
        });
        await Promise.all(made);
      }),
      { numRuns: 6 },
    );
    const { data } = await call(keys.live, 'GET', '/v1/account');
    assert.equal(Number(data.balance), -orders / 100);
  });

  test('an order whose upstream calls is checked once, at the call', async (t) => {
    const engine = createPunctualEngine();
    const { keys, make } = await openCallbackBench(t, engine);
    await make(keys.live, '/v1/images', body('proof'));
    const prompts = ['one', 'two', 'three', 'four'];
    const made = await Promise.all(prompts.map((prompt) => make(keys.live, '/v1/images', body(prompt))));
    assert.deepEqual(
      made.map(({ status }) => status),
      prompts.map(() => 'succeeded'),
    );
    assert.deepEqual(
      prompts.map((prompt) => engine.counts.get(prompt)),
      prompts.map(() => ({ starts: 1, checks: 1 })),
    );
  });

  test('calls that are forged, or say that the order goes on, wake no check', async (t) => {
    const engine = createPunctualEngine();
    const { call, ended, keys, make } = await openCallbackBench(t, engine);
    await make(keys.live, '/v1/images', body('proof'));
    const { data: task } = await call(keys.live, 'POST', '/v1/images', body('lost'));
    await until(async () => (await call(keys.live, 'GET', task.urls.self)).data.status === 'processing', Boolean);
    const url = engine.urls.get('lost') ?? '';
    for (const kind of KINDS) if (kind !== 'good') await sendCall(url, kind);
    assert.equal((await callBack(url, 'x'.repeat(1_000_001))).status, 413);
    await pause(1_300);
    await sendCall(url, 'good');
    assert.equal((await ended(keys.live, task)).status, 'succeeded');
    assert.equal(engine.counts.get('lost')?.checks, 1);
  });

  test('upstreams are called back at a public https address alone', async (t) => {
    const given = async (url: string | null) => {
      const engine = createPunctualEngine();
      const env: Record<string, string> = url === null ? {} : { DARKROOM_PUBLIC_URL: url };
      const { call, keys } = await openCallbackBench(t, engine, { env, isCalledBack: false });
      await call(keys.live, 'POST', '/v1/images', body('lost'));
      await until(() => engine.counts.get('lost')?.starts, Boolean);
      return engine.urls.get('lost') ?? null;
    };
    const urls = await Promise.all([
      given(null),
      given('http://studio.example.com'),
      given('https://10.0.0.7'),
      given('https://studio.example.com/darkroom'),
    ]);
    assert.deepEqual(urls.slice(0, 3), [null, null, null]);
    assert.match(
      urls[3] ?? '',
      /^https:\/\/studio\.example\.com\/darkroom\/callbacks\/calling\/img_\w+\.\d+\.[\w-]{43}$/,
    );
  });

  test('a callback that reaches another process wakes the worker that has the order', async (t) => {
    const engine = createPunctualEngine();
    const api = await openCallbackBench(t, engine, { env: { DARKROOM_ROLE: 'api' } });
    const worker = await startService(
      { ...api.config, role: 'worker', publicUrl: api.url },
      { log: createLog('fatal'), engines: [engine], additions: CALLED_ANYWHERE },
    );
    t.after(() => worker.stop({ now: true }));
    await api.make(api.keys.live, '/v1/images', body('proof'));
    const task = await api.make(api.keys.live, '/v1/images', body('a fox'));
    assert.equal(task.status, 'succeeded');
    // Processes with an embedded database cannot notify each other: such a worker hears of no call, and keeps polling.
    if (api.config.databaseUrl !== null) assert.equal(engine.counts.get('a fox')?.checks, 1);
  });

  test('a callback wakes the check of an order that no process holds', async (t) => {
    const engine = createPunctualEngine();
    const first = await openCallbackBench(t, engine);
    await first.make(first.keys.live, '/v1/images', body('proof'));
    const { data: task } = await first.call(first.keys.live, 'POST', '/v1/images', body('lost'));
    const isStored = async () =>
      (await first.call(first.keys.live, 'GET', task.urls.self)).data.status === 'processing';
    await until(async () => engine.urls.has('lost') && (await isStored()), Boolean);
    await first.service.stop({ now: true });
    const second = await startService(first.config, {
      log: createLog('fatal'),
      engines: [engine],
      additions: CALLED_ANYWHERE,
    });
    t.after(() => second.stop({ now: true }));
    const path = new URL(engine.urls.get('lost') ?? '').pathname;
    const begun = performance.now();
    const { call } = first;
    const read = async () => {
      await callBack(`${second.url}${path}`);
      return (await call(first.keys.live, 'GET', `${second.url}/v1/images/${task.task_id}`)).data as TaskAnswer;
    };
    await until(read, ({ status }) => status === 'succeeded');
    assert.ok(performance.now() - begun < 20_000, 'it did not wait for the next check');
    assert.equal(engine.counts.get('lost')?.starts, 1);
  });

  test('no log line has the secret of a callback URL', async (t) => {
    const lines: string[] = [];
    const log = createLog('trace', { write: (line: string) => void lines.push(line) });
    const engine = createPunctualEngine();
    const { call, keys, make } = await openCallbackBench(t, engine, {
      env: { DARKROOM_LOG_REQUESTS: 'all', DARKROOM_REQUEST_LOG: 'all' },
      log,
    });
    await make(keys.live, '/v1/images', body('proof'));
    const url = engine.urls.get('proof') ?? '';
    await callBack(url, 'forged');
    assert.equal((await fetch(url)).status, 405);
    await until(() => lines.some((line) => line.includes('no valid signature')), Boolean);
    const secret = url.slice(-43);
    assert.deepEqual(
      lines.filter((line) => line.includes(secret)),
      [],
    );
    const { data } = await call(keys.admin, 'GET', '/admin/v1/requests');
    assert.ok(!JSON.stringify(data).includes(secret));
  });
});
