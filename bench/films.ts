import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PaintJob, STYLES, startPainterProcess } from '@darkroom-service/illustrator';
import { printTable } from './table.ts';

/**
 * Whether a painter holds more and more memory: `node bench/films.ts` has one process paint 200 short films, every
 * other one with sound, in all styles.
 */
const FILMS = 200;
const TOLD = new Set([1, 10, 50, 100, 150, FILMS]);
const LIMIT_MS = 600_000;
const SUBJECTS = [
  'a red fox in the snow',
  'a lighthouse in a storm at night',
  'a city street in the rain',
  'whales under the ice',
  'day turning to night over a lake',
];

const directory = await mkdtemp(join(tmpdir(), 'darkroom-films-'));
const painter = startPainterProcess();
const rows: [string, string][] = [];
const started = performance.now();
try {
  for (let film = 1; film <= FILMS; film++) {
    await painter.run(jobOf(film), LIMIT_MS, () => undefined);
    if (TOLD.has(film)) rows.push([`${film}`, `${Math.round(painter.memory / 2 ** 20)}`]);
  }
} finally {
  painter.kill();
  await painter.ended;
  await rm(directory, { recursive: true, force: true });
}
printTable(
  `A painter's resident memory, in ${Math.round((performance.now() - started) / 1000)} s`,
  ['films', 'MB'],
  rows,
);

function jobOf(film: number): PaintJob {
  const values = { prompt: SUBJECTS[film % SUBJECTS.length]!, style: STYLES[film % STYLES.length]! };
  return {
    path: join(directory, 'film.mp4'),
    output: {
      format: 'mp4',
      width: 480,
      height: 270,
      durationSeconds: 0.5,
      fps: 24,
      audio: film % 2 === 0,
      tiles: null,
    },
    seed: film,
    action: null,
    values,
    media: [],
    parent: null,
    testMark: false,
  };
}
