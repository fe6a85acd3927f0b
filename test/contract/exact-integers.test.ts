import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** An integer beyond 2^53 is neither an object, nor a number, nor a text, wherever it stands in a body. */

const HUGE = '99999999999999999999';
const { call, keys } = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
/** The body as JSON, with the integer in place of each `HUGE`. */
const exact = (body: object) => JSON.stringify(body).replaceAll(`"${HUGE}"`, HUGE);

const DOORS: readonly (readonly [path: string, around: (order: object) => object])[] = [
  ['/v1/images', (order) => order],
  ['/v1/prices', (order) => order],
  ['/v1/batches', (body) => ({ orders: [{ operation: 'images', body }] })],
  ['/v1/batches/prices', (body) => ({ orders: [{ operation: 'images', body }] })],
  ['/openai/v1/images/generations', ({ model_id: model, ...order }: { model_id?: string }) => ({ model, ...order })],
];

for (const [path, around] of DOORS)
  test(`metadata that is such an integer is refused by ${path}, and the refusal names it as it was written`, async () => {
    const { status, body } = await call(keys.test, 'POST', path, exact(around({ ...ORDER, metadata: HUGE })));
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(JSON.stringify(body), /metadata[^"]*expected an object of strings, found 99999999999999999999/);
  });

test('such an integer in place of any field of any door is refused or ignored, never kept and never a fault of ours', async () => {
  const fields = ['model_id', 'prompt', 'seed', 'resolution', 'image_urls', 'end_user', 'webhook_url', 'deliver_to'];
  for (const [path, around] of DOORS)
    for (const field of [...fields, 'max_price', 'simulate', 'wait_for_parent', 'tags', 'user', 'n', 'size', 'orders'])
      for (const value of [HUGE, [HUGE], { rawJSON: HUGE }]) {
        const { status, body } = await call(keys.test, 'POST', path, exact(around({ ...ORDER, [field]: value })));
        // A picture in base64 may have any digits.
        const told = `${path} ${field}: ${status} ${JSON.stringify(body).replace(/"b64_json":"[^"]*"/g, '')}`;
        assert.ok(status < 500, told);
        if (status < 300) assert.doesNotMatch(told, /9{17}|1e\+?20|1000000000000000{5}/, told);
      }
});

test('a seed beyond 2^53 is refused with its own digits', async () => {
  const { status, error } = await call(keys.test, 'POST', '/v1/images', exact({ ...ORDER, seed: HUGE }));
  assert.equal(status, 400);
  assert.deepEqual([error.param, error.message.includes(HUGE)], ['seed', true]);
});

test('bodies that differ only in such an integer, or in an object that looks like one, are not the same under one key', async () => {
  const send = (value: string) =>
    call(keys.test, 'POST', '/openai/v1/images/generations', `{"model":"sketch","prompt":"a fox","unknown":${value}}`, {
      'idempotency-key': 'exact',
    });
  assert.equal((await send(HUGE)).status, 200);
  assert.equal((await send(HUGE)).status, 200);
  for (const other of [`{"rawJSON":"${HUGE}"}`, '99999999999999999998', '100000000000000000000', '1e20', `"${HUGE}"`])
    assert.equal((await send(other)).status, 422, other);
});
