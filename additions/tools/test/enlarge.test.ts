import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** Pictures that are enlarged by the network on this machine, through the front door. */

const { call, keys, make, url } = await startTestService(wholeFile);
const PATH = '/v1/images';

/** Returns a picture with a dark disc in it. */
async function picture(width: number, height: number, hasAlpha = false): Promise<Buffer> {
  const ground = hasAlpha ? '' : '<rect width="100%" height="100%" fill="#dd9955"/>';
  const disc = `<circle cx="${width / 2}" cy="${height / 2}" r="${height / 3}" fill="#223366"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}${disc}</svg>`;
  const drawn = sharp(Buffer.from(svg));
  return await (hasAlpha ? drawn : drawn.removeAlpha()).png().toBuffer();
}

const dataUri = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;

async function contentOf(task: TaskAnswer): Promise<Buffer> {
  const answer = await fetch(new URL(task.outputs[0].content_url, url), {
    headers: { authorization: `Bearer ${keys.live}` },
  });
  return Buffer.from(await answer.arrayBuffer());
}

test('a live order makes an image twice as large without any account, keeps its transparency, and is charged', async () => {
  const body = { model_id: 'enlarge', image_urls: [dataUri(await picture(24, 18, true))] };
  const quoted = await call(keys.live, 'POST', '/v1/prices', body);
  const done = await make(keys.live, PATH, body);
  assert.deepEqual([done.status, done.cost.state, done.cost.amount], ['succeeded', 'charged', quoted.data.amount]);
  assert.deepEqual([quoted.data.exact, quoted.data.amount], [true, '0.008']);
  assert.deepEqual(done.warnings ?? [], []);
  assert.deepEqual([done.outputs[0].width, done.outputs[0].height], [48, 36]);
  const { data, info } = await sharp(await contentOf(done))
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height, info.channels], [48, 36, 4]);
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  assert.equal(at(1, 1)[3], 0);
  const [red = 0, green = 0, blue = 0, alpha] = at(24, 18);
  assert.ok(Math.abs(red - 0x22) < 8 && Math.abs(green - 0x33) < 8 && Math.abs(blue - 0x66) < 8 && alpha === 255);
});

test('four times as large keeps the colour profile, and an image that is rotated by its EXIF comes out upright', async () => {
  const wide = sharp(await picture(20, 16)).withIccProfile('p3');
  const rotated = await wide.jpeg().withExif({}).withMetadata({ orientation: 6, icc: 'p3' }).toBuffer();
  const body = { model_id: 'enlarge', factor: 4, image_urls: [dataUri(rotated, 'image/jpeg')] };
  const done = await make(keys.live, PATH, body);
  assert.equal(done.status, 'succeeded', JSON.stringify(done.error));
  const { width, height, icc } = await sharp(await contentOf(done)).metadata();
  assert.deepEqual([width, height], [64, 80]);
  assert.deepEqual(icc, (await sharp(rotated).metadata()).icc);
});

test('an image beyond the limit is refused before it costs anything, with its size and the largest that is accepted', async () => {
  const large = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#456' } })
    .png()
    .toBuffer();
  for (const path of [PATH, '/v1/prices']) {
    const { status, error } = await call(keys.live, 'POST', path, {
      model_id: 'enlarge',
      image_urls: [dataUri(large)],
    });
    assert.deepEqual([status, error?.code], [400, 'invalid_reference']);
    assert.match(error?.message, /1600x1200; the maximum is 1\.5 megapixels/);
  }
});

test('a price before there is an image is that of the largest one, and says that it may be less', async () => {
  const { data } = await call(keys.live, 'POST', '/v1/prices', { model_id: 'enlarge', factor: 4 });
  assert.deepEqual([data.amount, data.exact], ['0.048', false]);
});

test('an order that is canceled while it is made costs nothing', async () => {
  const placed = await call(keys.live, 'POST', PATH, {
    model_id: 'enlarge',
    image_urls: [dataUri(await picture(400, 300))],
  });
  const { task_id: id, urls } = placed.data;
  await call(keys.live, 'GET', `${PATH}/${id}`, undefined, { prefer: 'wait=2' });
  await call(keys.live, 'POST', urls.cancel);
  const ended = await call(keys.live, 'GET', urls.self, undefined, { prefer: 'wait=30' });
  assert.deepEqual([ended.data.status, ended.data.cost.state], ['canceled', 'released']);
});
