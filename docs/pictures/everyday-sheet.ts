import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSceneRenderer, paintPlan, planPicture } from '@darkroom-service/illustrator/painting';
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { EVERYDAY_FILMS, EVERYDAY_PROMPTS, MORE_PROMPTS } from './everyday-prompts.ts';

/**
 * Writes a sheet of every everyday prompt, one of sixty more, and one of eight frames of every everyday film:
 * `node docs/pictures/everyday-sheet.ts`.
 */
const COLUMNS = 10;
const TILE = { width: 160, height: 120 };
const FRAME = { width: 192, height: 108 };
const FRAMES = 8;
const SECONDS = 5;
const GAP = 3;

const MOVING = { film: 11, fps: 10, width: 480, height: 270 };

const name = process.argv[2] ?? 'everyday-last';
await writeSheet(`${name}.webp`, EVERYDAY_PROMPTS.length, COLUMNS, TILE, (place) =>
  paintTile(EVERYDAY_PROMPTS[place] ?? '', place),
);
await writeSheet(`${name}-more.webp`, MORE_PROMPTS.length, COLUMNS, TILE, (place) =>
  paintTile(MORE_PROMPTS[place] ?? '', place),
);
const films = EVERYDAY_FILMS.map((prompt, film) => {
  const scene = planPicture({ prompt, seed: film + 1, tiles: null }).scenes[0]!;
  return createSceneRenderer(scene, { width: FRAME.width * 2, height: FRAME.height * 2, duration: SECONDS });
});
await writeSheet(`${name}-films.webp`, films.length * FRAMES, FRAMES, FRAME, (place) =>
  films[Math.floor(place / FRAMES)]!.paint(((place % FRAMES) * SECONDS) / FRAMES),
);

await writeFilm('film.webp');

function paintTile(prompt: string, place: number): Canvas {
  const plan = planPicture({ prompt, seed: place + 1, tiles: null });
  return paintPlan(plan, { width: TILE.width * 2, height: TILE.height * 2 });
}

/** An animated picture that every browser shows in a page. */
async function writeFilm(file: string): Promise<void> {
  const { width, height, fps, film } = MOVING;
  const scene = planPicture({ prompt: EVERYDAY_FILMS[film] ?? '', seed: film + 1, tiles: null }).scenes[0]!;
  const painter = createSceneRenderer(scene, { width, height, duration: SECONDS });
  const frames: Buffer[] = [];
  for (let frame = 0; frame < SECONDS * fps; frame++) frames.push(await painter.paint(frame / fps).encode('png'));
  const webp = await sharp(frames, { join: { animated: true } })
    .webp({ quality: 80, effort: 4, minSize: true, delay: frames.map(() => 1000 / fps), loop: 0 })
    .toBuffer();
  await writeFile(join(import.meta.dirname, file), webp);
  process.stdout.write(`${file}: ${frames.length} frames, ${webp.length} bytes\n`);
}

async function writeSheet(
  file: string,
  count: number,
  columns: number,
  tile: { width: number; height: number },
  paint: (place: number) => Canvas,
): Promise<void> {
  const rows = Math.ceil(count / columns);
  const sheet = createCanvas(columns * (tile.width + GAP) - GAP, rows * (tile.height + GAP) - GAP);
  const brush = sheet.getContext('2d');
  brush.imageSmoothingQuality = 'high';
  for (let place = 0; place < count; place++) {
    const left = (place % columns) * (tile.width + GAP);
    const top = Math.floor(place / columns) * (tile.height + GAP);
    brush.drawImage(paint(place), left, top, tile.width, tile.height);
  }
  const webp = await sharp(await sheet.encode('png'))
    .webp({ quality: 72, effort: 6 })
    .toBuffer();
  await writeFile(join(import.meta.dirname, file), webp);
  process.stdout.write(`${file}: ${sheet.width} x ${sheet.height}, ${webp.length} bytes\n`);
}
