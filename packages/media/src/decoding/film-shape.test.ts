import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeFilm } from '@darkroom-service/illustrator/painting';
import sharp from 'sharp';
import { makePreview } from './preview.ts';
import { probeFile } from './probe-file.ts';
import { makeThumbnail } from './thumbnail.ts';

const folder = await mkdtemp(join(tmpdir(), 'film-shape-'));
after(() => rm(folder, { recursive: true }));

const [WIDTH, HEIGHT] = [160, 90];
/** Left half red, right half blue. */
const pixels = new Uint8Array(4 * WIDTH * HEIGHT);
for (let at = 0; at < WIDTH * HEIGHT; at++)
  pixels.set(at % WIDTH < WIDTH / 2 ? [255, 0, 0, 255] : [0, 0, 255, 255], at * 4);
const plain = join(folder, 'plain.mp4');
await writeFilm(
  { format: 'mp4', codec: 'avc', fps: 4, sound: null, path: plain, width: WIDTH, height: HEIGHT, durationSeconds: 1 },
  async () => pixels.slice(),
  () => {},
);
const film = await readFile(plain);

/** Says in its tables that its pixels have another shape. The pictures come after them, and move. */
function stretched(bytes: Buffer, [across, down]: readonly [number, number]): Buffer {
  const box = Buffer.from('....pasp........');
  for (const [index, value] of [box.length, 0, across, down].entries())
    if (index !== 1) box.writeUInt32BE(value, index * 4);
  const changed = Buffer.from(bytes);
  let end = 0;
  let inner = 0;
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'avc1']) {
    // A brand of the file has the same name as the last one.
    const at = changed.indexOf(type, inner) - 4;
    inner = at;
    const size = changed.readUInt32BE(at);
    end = at + size;
    changed.writeUInt32BE(size + box.length, at);
  }
  const places = changed.indexOf('stco') + 8;
  for (let left = changed.readUInt32BE(places), at = places + 4; left > 0; left--, at += 4)
    changed.writeUInt32BE(changed.readUInt32BE(at) + box.length, at);
  return Buffer.concat([changed.subarray(0, end), box, changed.subarray(end)]);
}

/** Says in its tables that it is shown turned by a quarter to the right. */
function turned(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const matrix = changed.indexOf('tkhd') + 4 + 40;
  for (const [index, value] of [0, 0x10000, 0, -0x10000, 0, 0].entries())
    changed.writeInt32BE(value, matrix + index * 4);
  return changed;
}

for (const [name, bytes, shape] of [
  ['whose pixels are square', film, [160, 90]],
  ['whose pixels are twice as wide', stretched(film, [2, 1]), [320, 90]],
  ['whose pixels are narrow', stretched(film, [1, 2]), [160, 180]],
  ['that is turned', turned(film), [90, 160]],
  ['whose pixels are wide and that is turned', turned(stretched(film, [4, 3])), [90, 213]],
] as const)
  test(`the thumbnail and the preview of a film ${name} have its shape`, async () => {
    const path = join(folder, `${name}.mp4`);
    await writeFile(path, bytes);
    const probe = await probeFile(path);
    assert.deepEqual([probe.width, probe.height], shape);
    for (const [what, picture] of [
      ['thumbnail', await makeThumbnail(path, probe)],
      ['preview', await makePreview(path, probe)],
    ] as const) {
      assert.ok(picture !== null, what);
      const { width, height, pageHeight = height } = await sharp(picture, { animated: true }).metadata();
      assert.deepEqual([width, pageHeight], shape, what);
      const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const colourAt = (x: number, y: number) =>
        data[(Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3]! > 128;
      const isTurned = name.includes('turned');
      assert.deepEqual([colourAt(0.2, 0.2), colourAt(isTurned ? 0.2 : 0.8, isTurned ? 0.8 : 0.2)], [true, false], what);
    }
  });

test('a film whose first frame has too few bytes for its size is not complete', async () => {
  const changed = Buffer.from(film);
  const entry = changed.indexOf('avc1', changed.indexOf('stsd')) + 4;
  changed.writeUInt16BE(8_000, entry + 24);
  changed.writeUInt16BE(8_000, entry + 26);
  const path = join(folder, 'few bytes.mp4');
  await writeFile(path, changed);
  await assert.rejects(probeFile(path), /first frame cannot hold the size that its header tells/);
});
