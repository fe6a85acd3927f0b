import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import sharp from 'sharp';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Bodies of megabytes, whose media are read from the bytes of the request (src/base/long-texts.ts). */

const { call, keys, database, url } = await startTestService(wholeFile, {
  service: { engines: [createSwiftEngine()] },
});

const noise = { raw: { width: 700, height: 700, channels: 3 } } as const;
const png = await sharp(randomBytes(700 * 700 * 3), noise)
  .png()
  .toBuffer();
const DATA_URI = `data:image/png;base64,${png.toString('base64')}`;

const order = (more: Record<string, unknown>) => ({
  model_id: 'sketch',
  prompt: 'ein Füchslein',
  size: '64x64',
  ...more,
});

test('an order with two data URIs of a megabyte each stores both as they were sent, and is repeated by its key', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = order({ image_urls: [DATA_URI, DATA_URI] });
  const first = await call(keys.test, 'POST', '/v1/images', body, headers);
  assert.equal(first.status, 201, JSON.stringify(first.error));
  const { read } = database;
  const files = await read.all(read.builder.selectFrom('files').select(['bytes', 'sha256']));
  const sent = { bytes: png.length, sha256: createHash('sha256').update(png).digest('hex') };
  assert.deepEqual(
    files.map(({ bytes, sha256 }) => ({ bytes, sha256 })),
    [sent, sent],
  );
  const again = await call(keys.test, 'POST', '/v1/images', body, headers);
  assert.deepEqual([again.status, again.data.task_id], [201, first.data.task_id]);
  const other = order({ image_urls: [DATA_URI, DATA_URI.replace(/.{8}$/, 'AAAAAAA=')] });
  const reused = await call(keys.test, 'POST', '/v1/images', other, headers);
  assert.equal(reused.error?.code, 'idempotency_key_reused');
});

test('an order whose body escapes the slashes of a long data URI and does not announce its length is the same order', async () => {
  const body = order({ image_urls: [DATA_URI] });
  const headers = { 'idempotency-key': randomUUID() };
  const first = await call(keys.test, 'POST', '/v1/images', body, headers);
  const answer = await fetch(`${url}/v1/images`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${keys.test}`, 'content-type': 'application/json' },
    body: new Blob([JSON.stringify(body).replaceAll('/', '\\/')]).stream(),
    duplex: 'half',
  });
  const { data } = (await answer.json()) as { data: { task_id: string } };
  assert.deepEqual([answer.status, data.task_id], [201, first.data.task_id]);
});

test('a quote shows the whole of a long data URI', async () => {
  const { status, data } = await call(keys.test, 'POST', '/v1/prices', order({ image_urls: [DATA_URI] }));
  assert.equal(status, 200);
  assert.equal(data.input.image_urls[0], DATA_URI);
});

test('a long data URI is refused where it is no base64, and in a field that is no medium', async () => {
  const broken = await call(keys.test, 'POST', '/v1/images', order({ image_urls: [`${DATA_URI}A=A`] }));
  assert.deepEqual([broken.status, broken.error?.code], [400, 'invalid_reference']);
  assert.match(broken.error?.message ?? '', /image_urls\[0\]: expected base64 after the comma/);
  for (const field of ['prompt', 'style', 'end_user', 'metadata', 'webhook_url', 'model_id']) {
    const value = field === 'metadata' ? { a: DATA_URI } : DATA_URI;
    const { status, error } = await call(keys.test, 'POST', '/v1/images', order({ [field]: value }));
    assert.ok(status === 400 || status === 404, `${field}: ${status}`);
    assert.ok((error?.message.length ?? 0) < 1_000, field);
  }
});
