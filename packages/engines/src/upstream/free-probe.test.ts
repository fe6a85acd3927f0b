import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../engine.ts';
import type { Answer } from './error-map.ts';
import { createFreeProbe } from './free-probe.ts';
import type { Upstream } from './upstream-call.ts';

const context = { signal: AbortSignal.timeout(60_000), onProgress: () => {} };

function probe(answer: Pick<Answer, 'status' | 'body'> | EngineError) {
  const call = async () => {
    if (answer instanceof EngineError) throw answer;
    return { headers: {}, text: '', ...answer };
  };
  const upstream = { name: 'Far', call } as unknown as Upstream;
  return createFreeProbe(upstream, '/credits', { has: ['credits'], orStatus: [404] })(context);
}

test('a probe accepts a key only by an answer of the right form', async () => {
  assert.deepEqual(await probe({ status: 200, body: { credits: 0 } }), { ok: true, message: 'Far accepts the key' });
  assert.equal((await probe({ status: 404, body: { detail: 'no such order' } })).ok, true);
  for (const body of [undefined, null, 'well', [], {}, { error: 'invalid key' }]) {
    const { ok, message, refusesKey } = await probe({ status: 200, body });
    assert.deepEqual([ok, refusesKey], [false, undefined]);
    assert.match(message, /^Far answered a probe of the key with .+; expected credits$/);
  }
});

test('a probe tells a key that is refused from an upstream that does not answer', async () => {
  const refused = await probe(new EngineError('auth', 'no such key', { took: 'yes' }));
  assert.deepEqual(refused, { ok: false, message: 'no such key', refusesKey: true });
  assert.deepEqual(await probe(new EngineError('timeout', 'no answer', { took: 'yes' })), {
    ok: false,
    message: 'no answer',
  });
});
