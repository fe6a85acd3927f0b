import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { startTestService } from '../../test/helpers/service.ts';

/**
 * The pictures of the prompts that an empty Studio offers, as the illustrator paints them:
 * `node docs/pictures/console-examples.ts`.
 */
const EXAMPLES = [
  { name: 'lighthouse', seed: 2, prompt: 'A lighthouse on a cliff at dusk, waves below' },
  { name: 'mountains', seed: 5, prompt: 'Snowy mountains above a lake at sunset, a red house' },
  { name: 'city', seed: 5, prompt: 'A city at night in the rain, neon lights' },
];
const DIRECTORY = join(import.meta.dirname, '../../console/src/pages/make/examples');
const SIZE = { width: 432, height: 288 };

const closers: (() => Promise<void>)[] = [];
const keepCloser = { after: (close: () => Promise<void>) => void closers.push(close) };
const { make, keys } = await startTestService(keepCloser as Parameters<typeof startTestService>[0]);
try {
  await mkdir(DIRECTORY, { recursive: true });
  for (const { name, ...example } of EXAMPLES) {
    const task = await make(keys.test, '/v1/images', { model_id: 'sketch', aspect_ratio: '3:2', ...example });
    const response = await fetch(task.outputs[0].url);
    if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
    const webp = await sharp(Buffer.from(await response.arrayBuffer()))
      .resize(SIZE.width, SIZE.height)
      .webp({ quality: 58, effort: 6 })
      .toBuffer();
    await writeFile(join(DIRECTORY, `${name}.webp`), webp);
    process.stdout.write(`${name}.webp: ${webp.length} bytes\n`);
  }
} finally {
  for (const close of closers) await close();
}
