import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMicros } from '@darkroom-service/contract';
import fc from 'fast-check';
import { simulatedFailure } from '../../../src/service/sketch/simulate.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** Many orders in one call: all of them or none are accepted and held, and only what was made is charged. */

const PRICE = 5_000;
const RUNS = Number(process.env.DARKROOM_TEST_RUNS ?? 6);
const swift = createSwiftEngine();
let checks = 0;
/** Every third order of a prompt "sometimes" is refused by the engine. */
const engine = createSwiftEngine({
  async check(operation, order, context) {
    const prompt = order.request.values.prompt;
    if (prompt === 'never' || (prompt === 'sometimes' && ++checks % 3 === 0))
      return simulatedFailure({ seconds: 0, outcome: 'content_policy' }) ?? swift.check(operation, order, context);
    return await swift.check(operation, order, context);
  },
});
const service = await startTestService(wholeFile, { service: { engines: [engine] } });
const { call, issueKey, keys } = service;
const micros = (text: string): number => {
  const value = parseMicros(text);
  assert.ok(value !== null, text);
  return value;
};

async function keyWith(credit: number, wish: object = {}): Promise<string> {
  const accountId = await service.createAccount(0);
  if (credit > 0) {
    const amount = (credit / 1_000_000).toFixed(6);
    const added = await call(keys.admin, 'POST', `/admin/v1/accounts/${accountId}/credit`, { amount });
    assert.equal(added.status, 201);
  }
  return (await issueKey({ mode: 'live', accountId, ...wish })).key;
}

async function ledgerOf(key: string): Promise<{ kind: string; amount: number; task: string }[]> {
  const { items } = (await call(key, 'GET', '/v1/account/ledger?limit=100')).data;
  return items
    .filter((entry) => entry.task_id !== null)
    .map((entry) => ({ kind: entry.kind, amount: micros(entry.amount), task: entry.task_id }));
}
const sumOf = (entries: { amount: number }[]) => entries.reduce((sum, { amount }) => sum + amount, 0);
const generate = (key: string, n: number, prompt = 'a fox', headers = {}) =>
  call(
    key,
    'POST',
    '/openai/v1/images/generations',
    { model: 'sketch', prompt, n, size: '512x512', response_format: 'url' },
    headers,
  );

test('of calls sent side by side each is accepted whole or not at all, and no account pays more than it has', async () => {
  const calls = fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 24 }),
      calls,
      fc.constantFrom('balance', 'spend', 'queue'),
      async (drawn, counts, limit) => {
        // A spend limit of 0 is none.
        const room = limit === 'balance' ? drawn : Math.max(1, drawn);
        const wish = {
          balance: {},
          spend: { spendLimits: { day: room * PRICE, month: null, total: null } },
          queue: { queueLimit: room, concurrency: 1 },
        }[limit];
        const key = await keyWith(limit === 'balance' ? room * PRICE : 1_000_000, wish);
        const answers = await Promise.all(counts.map((n) => generate(key, n)));
        let accepted = 0;
        for (const [index, answer] of answers.entries()) {
          const n = counts[index] ?? 0;
          const ids = answer.headers.get('darkroom-task-ids')?.split(', ') ?? [];
          if (answer.status === 200) {
            assert.deepEqual([answer.body.data.length, ids.length], [n, n]);
            assert.equal(micros(answer.headers.get('x-litellm-response-cost') ?? ''), n * PRICE);
            accepted += n;
          } else {
            const expected = { balance: 'insufficient_balance', spend: 'spend_limit_reached', queue: 'queue_full' }[
              limit
            ];
            assert.deepEqual([answer.error.code, ids.length], [expected, 0]);
          }
        }
        if (limit !== 'queue') assert.ok(accepted <= room, `${accepted} of ${room}`);
        // The first call that fits is never refused.
        if (counts.some((n) => n <= room)) assert.ok(accepted > 0);
        const entries = await ledgerOf(key);
        const of = (kind: string) => entries.filter((entry) => entry.kind === kind);
        assert.deepEqual(
          ['hold', 'release', 'charge'].map((kind) => of(kind).length),
          [accepted, accepted, accepted],
        );
        assert.equal(new Set(entries.map(({ task }) => task)).size, accepted);
        assert.deepEqual([sumOf(of('hold')), sumOf(of('charge'))], [-accepted * PRICE + 0, -accepted * PRICE + 0]);
      },
    ),
    { numRuns: RUNS },
  );
});

test('what was made is answered and charged, the rest is released, and both are named', async () => {
  const key = await keyWith(1_000_000);
  const { status, headers, body } = await generate(key, 9, 'sometimes');
  assert.equal(status, 200, JSON.stringify(body));
  const failed = headers.get('darkroom-failed-tasks')?.split(', ') ?? [];
  assert.ok(failed.length > 0 && failed.every((one) => /^img_\w+=content_policy$/.test(one)), failed.join());
  assert.equal(body.data.length, 9 - failed.length);
  const entries = await ledgerOf(key);
  assert.equal(sumOf(entries), -body.data.length * PRICE);
  assert.equal(micros(headers.get('x-litellm-response-cost') ?? ''), body.data.length * PRICE);
  const charged = entries.filter(({ kind }) => kind === 'charge').map(({ task }) => task);
  assert.ok(failed.every((one) => !charged.includes(one.split('=')[0] ?? '')));
});

test('a call of which nothing was made is an error and costs nothing', async () => {
  const key = await keyWith(1_000_000);
  const { status, headers, error } = await generate(key, 3, 'never');
  assert.deepEqual([status, error.code, headers.get('x-should-retry')], [400, 'content_policy', 'false']);
  assert.equal(headers.get('x-litellm-response-cost'), '0.00');
  assert.equal(sumOf(await ledgerOf(key)), 0);
});

test('max_price is the most that the whole call may cost', async () => {
  const key = await keyWith(1_000_000);
  const body = { model: 'sketch', prompt: 'a fox', n: 4, size: '512x512', response_format: 'url' };
  const send = (max: string) => call(key, 'POST', '/openai/v1/images/generations', { ...body, max_price: max });
  assert.equal((await send('0.019')).error.code, 'price_exceeded');
  assert.deepEqual(await ledgerOf(key), []);
  assert.equal((await send('0.02')).status, 200);
});

test('retries sent side by side with their calls never cost more than the calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 4 }), async (n, retries) => {
      const key = await keyWith(1_000_000);
      const sdk = (count: number) => ({ 'x-stainless-lang': 'js', 'x-stainless-retry-count': String(count) });
      const first = await generate(key, n, 'a fox', sdk(0));
      const others = Array.from({ length: retries }, (_, index) => generate(key, n, 'a fox', sdk(index + 1)));
      const answers = [first, ...(await Promise.all(others))];
      const sums = (await ledgerOf(key)).filter(({ kind }) => kind === 'charge');
      assert.equal(sums.length, n, answers.map(({ status }) => status).join());
      for (const answer of answers)
        assert.equal(answer.headers.get('darkroom-task-ids'), first.headers.get('darkroom-task-ids'));
    }),
    { numRuns: RUNS },
  );
});
