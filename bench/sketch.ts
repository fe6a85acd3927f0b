import { setImmediate } from 'node:timers/promises';
import { STYLES, type StyleName } from '@darkroom-service/illustrator';
import { createSceneRenderer, paintPlan, planPicture, releasePixels } from '@darkroom-service/illustrator/painting';
import { median } from './table.ts';

/**
 * How long the illustrator paints, without encoding: `node bench/sketch.ts`. Processor time stands beside the clock's,
 * as it hardly depends on what else the machine does.
 */
const PROMPTS = [
  'a red fox in the forest',
  'a lighthouse by the sea at dusk',
  'a city street at night in the rain',
  'a cup of coffee on a table by the window',
];
const FILM = { width: 1280, height: 720, fps: 24, frames: 12 };

interface Spent {
  /** Milliseconds. */
  readonly clock: number;
  readonly processor: number;
}

const HEADING = ['style', '1024 x 1024', '4096 x 4096', 'frame at 720p', 'share of its time at 24 frames a second'];
printRow(HEADING);
printRow(HEADING.map(() => '---'));
for (const style of STYLES) {
  const still = typical(await inTurn(PROMPTS, (prompt) => paintStill(prompt, style, 1024)));
  const large = await paintStill(PROMPTS[1]!, style, 4096);
  const frame = typical(await inTurn(PROMPTS, (prompt) => paintFrames(prompt, style)));
  printRow([style, told(still), told(large), told(frame), ((frame.processor * FILM.fps) / 1000).toFixed(2)]);
}
process.stdout.write(
  '\nMilliseconds by the clock (and of processor time), medians; one process. The share is of processor time.\n',
);

function printRow(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

async function paintStill(prompt: string, style: StyleName, side: number): Promise<Spent> {
  const plan = planPicture({ prompt, style, seed: 1, tiles: null });
  return timed(() => paintPlan(plan, { width: side, height: side }).data());
}

/** Of one frame, after the first. */
async function paintFrames(prompt: string, style: StyleName): Promise<Spent> {
  const scene = planPicture({ prompt, style, seed: 1, tiles: null }).scenes[0]!;
  const painter = createSceneRenderer(scene, {
    width: FILM.width,
    height: FILM.height,
    duration: FILM.frames / FILM.fps,
  });
  const times = Array.from({ length: FILM.frames }, (_, frame) => frame / FILM.fps);
  const [, ...frames] = await inTurn(times, (time) => timed(() => painter.paint(time).data()));
  return typical(frames);
}

async function inTurn<T, R>(many: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of many) results.push(await work(one));
  return results;
}

async function timed(paint: () => Uint8Array): Promise<Spent> {
  const before = process.cpuUsage();
  const start = performance.now();
  const pixels = paint();
  const { user, system } = process.cpuUsage(before);
  const spent = { clock: performance.now() - start, processor: (user + system) / 1000 };
  releasePixels(pixels);
  // Memory is given back between two pictures, as it is in a film.
  await setImmediate();
  return spent;
}

function typical(many: readonly Spent[]): Spent {
  return {
    clock: median(many.map((each) => each.clock)),
    processor: median(many.map((each) => each.processor)),
  };
}

function told({ clock, processor }: Spent): string {
  return `${clock.toFixed(0)} (${processor.toFixed(0)})`;
}
