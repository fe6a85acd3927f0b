import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitEditMask } from '@darkroom-service/media/decoding';
import sharp from 'sharp';
import { editForm } from './edit-form.ts';

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });
const dataUri = async (picture: ReturnType<typeof plain>) =>
  `data:image/png;base64,${(await picture.png().toBuffer()).toString('base64')}`;

test('a mask is as large as the first picture, and transparent where ours is white', async () => {
  const white = await plain(4, 8, '#fff').png().toBuffer();
  const mask = plain(8, 8, '#000').composite([{ input: white, left: 0, top: 0 }]);
  const order = {
    prompt: 'a fox',
    n: 1,
    image: [await dataUri(plain(40, 20, '#35a')), await dataUri(plain(9, 9, '#fff'))],
    mask: await dataUri(mask),
  };
  const form = await editForm(order, fitEditMask);
  assert.deepEqual([form.get('prompt'), form.get('n'), form.getAll('image[]').length], ['a fox', '1', 2]);
  const sent = form.get('mask');
  assert.ok(sent instanceof File);
  const { data, info } = await sharp(await sent.arrayBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height, info.channels], [40, 20, 4]);
  const alphaAt = (x: number) => data[(10 * 40 + x) * 4 + 3];
  assert.deepEqual([alphaAt(2), alphaAt(37)], [0, 255]);
});
