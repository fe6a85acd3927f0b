import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** `image_roles` beside `image_urls`: another spelling of the fields that images have by their role. */

const service = await startTestService(wholeFile);
const { call } = service;
const key = service.keys.test;
const post = <Path extends string>(path: Path, body: object, headers: Record<string, string> = {}) =>
  call(key, 'POST', path, body, headers);

const PICTURE = 'https://pictures.example.com/a.png';
const MASK = 'https://pictures.example.com/mask.png';
const STUCK = { simulate: { outcome: 'stuck' } } as const;
const byFields = { model_id: 'gpt-image-2', prompt: 'a fox', image_urls: [PICTURE], mask_url: MASK };
const byRoles = {
  model_id: 'gpt-image-2',
  prompt: 'a fox',
  image_urls: [MASK, PICTURE],
  image_roles: ['mask', 'reference'],
};

test('an order with roles has the input and the price of the same order by fields, in quotes, creates and batches', async () => {
  const [expected, quoted] = [await post('/v1/prices', byFields), await post('/v1/prices', byRoles)];
  assert.equal(quoted.status, 200, quoted.error?.message);
  assert.deepEqual(quoted.data, expected.data);
  const created = await post('/v1/images', { ...byRoles, ...STUCK });
  assert.equal(created.status, 201, created.error?.message);
  assert.deepEqual(created.data.input, expected.data.input);
  assert.equal(created.data.cost.quoted, expected.data.amount);
  const body = { ...byRoles, ...STUCK };
  const batch = await post('/v1/batches', { orders: [{ operation: 'images', body }] });
  assert.equal(batch.status, 201, batch.error?.message);
  assert.equal(batch.data.cost.quoted, expected.data.amount);
});

test('a repeat with the same key and roles returns the same task, and other roles are another body', async () => {
  const headers = { 'idempotency-key': 'roles-1' };
  const first = await post('/v1/images', { ...byRoles, ...STUCK }, headers);
  const again = await post('/v1/images', { ...byRoles, ...STUCK }, headers);
  assert.deepEqual([again.status, again.data.task_id], [201, first.data.task_id]);
  const other = { ...byRoles, image_roles: ['reference', 'mask'], ...STUCK };
  assert.equal((await post('/v1/images', other, headers)).status, 422);
});

test('a refused image is named as it was sent', async () => {
  const small = await dataUri(8);
  for (const [image, code] of [
    ['http://10.0.0.1/mask.png', 'invalid_reference'],
    ['upload:nothing', 'invalid_reference'],
    [7, 'invalid_request'],
  ] as const) {
    const { status, error } = await post('/v1/images', { ...byRoles, image_urls: [image, small] });
    assert.deepEqual([status, error.code, error.param], [400, code, 'image_urls[0]'], error.message);
    assert.ok(!error.message.includes('mask_url'), error.message);
  }
  const many = { ...byRoles, image_urls: [MASK, MASK, PICTURE], image_roles: ['mask', 'mask', 'reference'] };
  assert.equal((await post('/v1/images', many)).error.param, 'image_roles[1]');
});

test('data URIs with roles become uploads in the fields of their roles', async () => {
  const [mask, picture] = [await dataUri(256), await dataUri(256)];
  const created = await post('/v1/images', { ...byRoles, image_urls: [mask, picture], ...STUCK });
  assert.equal(created.status, 201, created.error?.message);
  assert.match(created.data.input.mask_url, /^upload:file_/);
  assert.match(created.data.input.image_urls[0], /^upload:file_/);
  assert.ok(!('image_roles' in created.data.input));
});

test('further models must take images in the same fields', async () => {
  const body = { model_id: 'sketch', prompt: 'a fox', image_urls: [PICTURE], image_roles: ['style'] };
  assert.equal((await post('/v1/prices', { ...body, fallback_models: ['sketch-grid'] })).status, 200);
  const { status, error } = await post('/v1/prices', { ...body, fallback_models: ['krea-2-large'] });
  assert.deepEqual([status, error.param], [400, 'image_roles'], error.message);
  assert.match(error.message, /sketch and krea-2-large take these images in different fields/);
});

test('every model lists its roles, its schema accepts them, and it refuses another one by name', async () => {
  const models = (await call(key, 'GET', '/v1/models')).data.items;
  const taking = models.filter(({ image_roles: roles }) => roles.length > 0);
  assert.ok(taking.length > 60, `${taking.length} models`);
  for (const { model_id, image_roles: roles } of taking.slice(0, 12)) {
    const { input_schema: schema } = (await call(key, 'GET', `/v1/models/${model_id}`)).data;
    assert.deepEqual(schema.properties?.image_roles?.items?.enum, roles, model_id);
  }
  for (const { model_id, image_roles: roles } of taking) {
    const { status, error } = await post('/v1/prices', {
      model_id,
      image_urls: [PICTURE],
      image_roles: ['control:pose'],
    });
    assert.equal(status, 400, model_id);
    const fault = error.details.find(({ param }) => param === 'image_roles[0]');
    assert.match(String(fault?.message), new RegExp(`${model_id} does not know .*Its roles: ${roles.join(', ')}\\.`));
  }
});

async function dataUri(side: number): Promise<string> {
  const image = sharp({ create: { width: side, height: side, channels: 3, background: '#456' } });
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`;
}
