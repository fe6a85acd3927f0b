import { paintPlan } from '../src/engines/sketch/paint-plan.ts';
import { createPainter } from '../src/engines/sketch/paint-scene.ts';
import { planPicture } from '../src/engines/sketch/plan.ts';
import { STYLES, type StyleName } from '../src/engines/sketch/scene.ts';
import { median } from './table.ts';

/** How long the illustrator paints, without encoding: `node bench/sketch.ts`. Processor time stands beside the clock's, as it hardly depends on what else the machine does. */
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
  const still = typical(PROMPTS.map((prompt) => paintStill(prompt, style, 1024)));
  const large = style === 'illustration' || style === 'watercolour' ? told(paintStill(PROMPTS[1]!, style, 4096)) : '';
  const frame = typical(PROMPTS.slice(0, 2).map((prompt) => paintFrames(prompt, style)));
  printRow([style, told(still), large, told(frame), ((frame.processor * FILM.fps) / 1000).toFixed(2)]);
}
process.stdout.write(
  '\nMilliseconds by the clock (and of processor time), medians; one process. The share is of processor time.\n',
);

function printRow(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function paintStill(prompt: string, style: StyleName, side: number): Spent {
  const plan = planPicture({ prompt, style, seed: 1, tiles: null });
  return timed(() => paintPlan(plan, { width: side, height: side }).data());
}

/** Of one frame, after the first. */
function paintFrames(prompt: string, style: StyleName): Spent {
  const scene = planPicture({ prompt, style, seed: 1, tiles: null }).scenes[0]!;
  const painter = createPainter(scene, { width: FILM.width, height: FILM.height, duration: FILM.frames / FILM.fps });
  painter.paint(0).data();
  const spent = timed(() => {
    for (let frame = 1; frame < FILM.frames; frame++) painter.paint(frame / FILM.fps).data();
  });
  return { clock: spent.clock / (FILM.frames - 1), processor: spent.processor / (FILM.frames - 1) };
}

function timed(work: () => unknown): Spent {
  const before = process.cpuUsage();
  const start = performance.now();
  work();
  const { user, system } = process.cpuUsage(before);
  return { clock: performance.now() - start, processor: (user + system) / 1000 };
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
