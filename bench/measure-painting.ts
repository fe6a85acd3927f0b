import type { Installation } from './installation.ts';
import { type MadeTask, makeTask } from './make-task.ts';
import { median } from './table.ts';

const PICTURES = 40;
const AT_ONCE = 8;
const FILMS = 4;
const SUBJECTS = [
  'a red fox in the snow',
  'a lighthouse in a storm at night',
  'a city street in the rain',
  'whales under the ice',
];

/** Orders pictures and films over the interface and waits for them; the first picture also starts the painter. */
export async function measurePainting({ url, painter }: Installation): Promise<[string, string][]> {
  const picture = (place: number, more: object = {}) =>
    makeTask(url, painter.key, '/v1/images', { model_id: 'sketch', prompt: subject(place), seed: place, ...more });
  const film = (place: number) =>
    makeTask(url, painter.key, '/v1/videos', {
      model_id: 'sketch-motion',
      prompt: subject(place),
      seed: place,
      resolution: '720p',
      duration: 4,
    });
  const small = { size: '512x512' };
  const cold = await timed(() => picture(0, small));
  const warm = await inTurn(10, (place) => picture(place, small));
  const alone = await inTurn(12, (place) => picture(place));
  const large = await inTurn(3, (place) => picture(place, { size: '4096x4096' }));
  const pictures = await together(PICTURES, picture);
  const films = await together(FILMS, film);
  const filmSeconds = films.tasks.reduce((sum, task) => sum + (task.outputs[0]?.duration_seconds ?? 0), 0);
  return [
    ['512 × 512 picture, create to succeeded, the first one (starts the painter)', `${Math.round(cold)} ms`],
    ['512 × 512 picture, create to succeeded, median of 10 in turn', `${Math.round(median(warm))} ms`],
    ['1024 × 1024 picture, create to succeeded, median of 12 in turn', `${Math.round(median(alone))} ms`],
    ['4096 × 4096 picture, create to succeeded, median of 3 in turn', `${Math.round(median(large))} ms`],
    [
      `1024 × 1024 pictures, ${PICTURES} ordered ${AT_ONCE} at a time`,
      `${(PICTURES / pictures.seconds).toFixed(1)} a second, ${Math.round((pictures.seconds / PICTURES) * 1000)} ms each`,
    ],
    [
      `film seconds at 720p, ${FILMS} films of 4 s ordered together`,
      `${(filmSeconds / films.seconds).toFixed(2)} a second`,
    ],
  ];
}

function subject(place: number): string {
  return SUBJECTS[place % SUBJECTS.length]!;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds that each took, one after the other. */
async function inTurn(count: number, make: (place: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let place = 0; place < count; place++) times.push(await timed(() => make(place)));
  return times;
}

async function together(
  count: number,
  make: (place: number) => Promise<MadeTask>,
): Promise<{ readonly seconds: number; readonly tasks: readonly MadeTask[] }> {
  const tasks: MadeTask[] = [];
  let next = 0;
  const start = performance.now();
  const work = async () => {
    while (next < count) tasks.push(await make(next++));
  };
  await Promise.all(Array.from({ length: Math.min(count, AT_ONCE) }, work));
  return { seconds: (performance.now() - start) / 1000, tasks };
}
