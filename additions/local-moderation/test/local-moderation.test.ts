import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { startTestService } from '../../../test/helpers/service.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** Orders that a network on this machine judges, through the front door. */

const ORDER = { model_id: 'sketch', prompt: 'a red fox', resolution: '0.5K' };
const FILM = { model_id: 'sketch-motion', prompt: 'a red fox', resolution: '360p', duration: 1 };
/** Nothing is as likely as this, and everything is at least as likely as the other. */
const [NEVER, ALWAYS] = ['1', '0.0000'];

const start = (contents: string) => startTestService(wholeFile, { env: { DARKROOM_LOCAL_MODERATION: contents } });

/** Returns a picture of stripes as a data URI. */
async function stripes(): Promise<string> {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="32" height="64"/></svg>';
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

test('images and films with nothing of what the operator refuses are made and charged', async () => {
  const { make, keys } = await start(`porn:${NEVER},hentai:${NEVER}`);
  for (const [path, order] of [
    ['/v1/images', ORDER],
    ['/v1/videos', FILM],
  ] as const) {
    const task = await make(keys.live, path, order);
    assert.deepEqual([task.status, task.cost.state], ['succeeded', 'charged'], path);
  }
});

test('a result with refused content fails the order with the reason, costs nothing, and is not shown', async () => {
  const { make, keys } = await start(`sexy:${ALWAYS}`);
  for (const [path, order] of [
    ['/v1/images', ORDER],
    ['/v1/videos', FILM],
  ] as const) {
    const task = await make(keys.live, path, order);
    assert.deepEqual([task.status, task.error.code, task.cost.state], ['failed', 'content_policy', 'released']);
    assert.equal(task.error.message, 'The moderation of the service found suggestive content in outputs[0].');
    assert.deepEqual(task.outputs, []);
  }
});

test('a reference with refused content is not sent to any upstream', async () => {
  const { make, keys } = await start(`porn:${ALWAYS}`);
  const task = await make(keys.live, '/v1/images', { model_id: 'enlarge', image_urls: [await stripes()] });
  assert.deepEqual([task.status, task.error.code, task.started_at], ['failed', 'content_policy', null]);
  assert.equal(task.error.message, 'The moderation of the service found sexual content in image_urls.');
});

test('contents that are unknown, or without a threshold, stop the start and are named', async () => {
  for (const wrong of ['porn', 'neutral:0.5', 'porn:2', 'porn:0.8;sexy:0.8'])
    await assert.rejects(start(wrong), /DARKROOM_LOCAL_MODERATION.*porn:0\.8,hentai:0\.8/s, wrong);
});
