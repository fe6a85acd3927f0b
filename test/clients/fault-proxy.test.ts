import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openFakeServer } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { type Fault, openFaultProxy } from './fault-proxy.ts';

/** The service gets the request, or only a part of it, or nothing; and what the client then sees. */
const CASES: readonly (readonly [Fault, boolean, string])[] = [
  ['pass', true, '201'],
  [30, true, '201'],
  ['cut before', false, 'lost'],
  ['cut within', false, 'lost'],
  ['lose answer', true, 'lost'],
  ['cut answer', true, 'lost'],
  ['502 before', false, '502'],
  ['502 after', true, '502'],
  [{ cutAfter: 40 }, true, 'lost'],
  [{ status: 503, body: 'later' }, true, '503'],
];

for (const [fault, reaches, outcome] of CASES)
  test(`the fault proxy with ${JSON.stringify(fault)}: the service ${reaches ? 'gets' : 'does not get'} the order, the client sees ${outcome}`, async (t) => {
    let orders = 0;
    const service = await openFakeServer(({ reply }) => {
      orders++;
      reply(201, { text: 'a fox '.repeat(1000) });
    });
    t.after(() => service.stop());
    const proxy = await openFaultProxy(t, service.url);
    proxy.fail(/^POST /, fault);
    const body = JSON.stringify({ prompt: 'a fox '.repeat(1000) });
    const seen = await fetch(`${proxy.url}/orders`, { method: 'POST', body, signal: AbortSignal.timeout(60_000) })
      .then(async (answer) => {
        await answer.text();
        return String(answer.status);
      })
      .catch((error: Error) => (error.name === 'TimeoutError' ? 'nothing' : 'lost'));
    assert.deepEqual([orders, seen], [reaches ? 1 : 0, outcome]);
    assert.equal((await fetch(`${proxy.url}/orders`, { method: 'POST', body })).status, 201);
  });

test('the fault proxy with "drop answer" answers nothing until the client gives up', async (t) => {
  let orders = 0;
  const service = await openFakeServer(({ reply }) => {
    orders++;
    reply(201, {});
  });
  t.after(() => service.stop());
  const proxy = await openFaultProxy(t, service.url);
  proxy.decide = () => 'drop answer';
  const end = new AbortController();
  const answer = assert.rejects(fetch(proxy.url, { method: 'POST', body: '{}', signal: end.signal }), {
    name: 'AbortError',
  });
  await until(
    () => proxy.seen[0]?.status,
    (status) => status !== undefined,
  );
  // An answer that is not dropped follows at once.
  await pause(100);
  end.abort();
  await answer;
  assert.deepEqual([orders, proxy.seen.map(({ status }) => status)], [1, [201]]);
});

test('the fault proxy answers 502 while no service listens, and finds the one that starts on another port', async (t) => {
  const service = await openFakeServer(({ reply }) => reply(200, {}));
  t.after(() => service.stop());
  const proxy = await openFaultProxy(t, service.url);
  await service.stop();
  assert.equal((await fetch(proxy.url)).status, 502);
  const next = await openFakeServer(({ reply }) => reply(200, {}));
  t.after(() => next.stop());
  proxy.target = next.url;
  assert.equal((await fetch(proxy.url)).status, 200);
});
