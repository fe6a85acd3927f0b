import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeFrame } from '@darkroom-service/media/decoding';
import sharp, { type Sharp } from 'sharp';
import { startTestService, type TaskAnswer, type TestService } from '../../test/helpers/service.ts';

/** Orders the pictures of the README. Each order is complete, so that everyone gets the same pictures. */
const STILLS = [
  { prompt: 'a lighthouse by the sea at dusk', seed: 2 },
  { prompt: 'a red fox in the snow at dawn', seed: 3 },
  { prompt: 'a pagoda by a lake in autumn, watercolour', seed: 11 },
  { prompt: 'three hot air balloons over mountains at sunset, low poly', seed: 2 },
  { prompt: 'a steam train in autumn hills, ink', seed: 9 },
  { prompt: 'an astronaut on the moon, the earth above', seed: 11 },
];

const FILMS = [
  { prompt: 'a sailing boat at sunset, the camera pans left', seed: 4 },
  { prompt: 'a rocket rising over the desert at night, stars', seed: 6 },
  { prompt: 'a whale underwater with jellyfish', seed: 8 },
];

const COLUMNS = 3;
const TILE = { width: 400, height: 266 };
const FRAME_AT = [0.2, 3.8];
const GAP = 8;
const PAPER = '#f6f3ec';

const closers: (() => Promise<void>)[] = [];
const keepCloser = { after: (close: () => Promise<void>) => void closers.push(close) };
const service = await startTestService(keepCloser as Parameters<typeof startTestService>[0]);
try {
  const stills: Sharp[] = [];
  for (const still of STILLS) {
    const task = await order(service, '/v1/images', { model_id: 'sketch', aspect_ratio: '3:2', ...still });
    stills.push(sharp(await fetchFile(service, task)));
  }
  await writeSheet('contact-sheet.png', stills);
  const frames: Sharp[] = [];
  for (const film of FILMS) {
    const body = { model_id: 'sketch-motion', duration: 4, resolution: '480p', ...film };
    frames.push(...(await framesOf(await fetchFile(service, await order(service, '/v1/videos', body)))));
  }
  await writeSheet(
    'film-strip.png',
    FRAME_AT.flatMap((_, row) => FILMS.map((_, film) => frames[film * FRAME_AT.length + row]!)),
  );
} finally {
  for (const close of closers) await close();
}

async function order({ make, keys }: TestService, path: string, body: object): Promise<TaskAnswer> {
  const task = await make(keys.test, path, body);
  if (task.status !== 'succeeded') throw new Error(`${path} answered ${JSON.stringify(task)}`);
  return task;
}

async function fetchFile({ keys }: TestService, task: TaskAnswer): Promise<Buffer> {
  const response = await fetch(task.outputs[0].content_url, { headers: { authorization: `Bearer ${keys.test}` } });
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

async function framesOf(film: Buffer): Promise<Sharp[]> {
  const path = join(service.config.dataDirectory, 'film.mp4');
  await writeFile(path, film);
  const frames = await Promise.all(FRAME_AT.map((time) => decodeFrame(path, 'video/mp4', time)));
  return frames.map((frame) => {
    if (frame === null) throw new Error('no frame: the codecs of @mediabunny/server are needed');
    return frame;
  });
}

/** Lays out tiles in rows, with as few colours as still look smooth. */
async function writeSheet(name: string, pictures: readonly Sharp[]): Promise<void> {
  const { width, height } = TILE;
  const tiles = await Promise.all(
    pictures.map(async (picture, place) => ({
      input: await picture.resize(width, height).png().toBuffer(),
      left: GAP + (place % COLUMNS) * (width + GAP),
      top: GAP + Math.floor(place / COLUMNS) * (height + GAP),
    })),
  );
  const rows = Math.ceil(pictures.length / COLUMNS);
  const sheet = {
    width: GAP + COLUMNS * (width + GAP),
    height: GAP + rows * (height + GAP),
    channels: 3,
    background: PAPER,
  } as const;
  const png = await sharp({ create: sheet })
    .composite(tiles)
    .png({ palette: true, colours: 256, dither: 1, effort: 10 })
    .toBuffer();
  await writeFile(join(import.meta.dirname, name), png);
  process.stdout.write(`${name}: ${sheet.width} x ${sheet.height}, ${png.length} bytes\n`);
}
