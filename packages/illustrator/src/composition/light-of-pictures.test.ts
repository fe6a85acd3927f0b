import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { paintScene } from '../painting/paint-scene.ts';
import { composeScene } from './compose-scene.ts';
import { lightOfPictures } from './light-of-pictures.ts';

async function coloursOf(prompt: string): Promise<string[]> {
  const [width, height] = [96, 64];
  const canvas = paintScene(composeScene({ prompt, seed: 3 }), { width, height });
  const picture = sharp(canvas.data(), { raw: { width, height, channels: 4 } });
  const data = await picture.removeAlpha().resize(2, 2, { fit: 'fill' }).raw().toBuffer();
  return [0, 3, 6, 9].map((at) => `#${data.toString('hex', at, at + 3)}`);
}

test('the hour of a picture is read from its colours', async () => {
  for (const place of ['a lake', 'a desert', 'a castle on a hill'])
    for (const time of ['day', 'sunset', 'dusk', 'night'])
      assert.equal(lightOfPictures(await coloursOf(`${place} at ${time}`)), time, `${place} at ${time}`);
});

test('what is painted after a picture has its light, unless the prompt names another', async () => {
  const light = lightOfPictures(await coloursOf('a lake at night'));
  assert.equal(composeScene({ prompt: 'a castle on a hill', seed: 5, light }).time, 'night');
  assert.equal(composeScene({ prompt: 'a castle on a hill at dawn', seed: 5, light }).time, 'dawn');
  assert.equal(lightOfPictures([]), null);
});
