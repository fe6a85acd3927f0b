import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutputPlan } from '@darkroom-service/contract/catalog';
import { writeFilm } from '@darkroom-service/illustrator/painting';

const FRAMES_PER_SECOND = 4;
const films = new Map<string, Promise<Buffer>>();

/**
 * Makes a silent MP4 film of one colour, of the ordered size and length. It contains `name` in a free box, so that two
 * films differ in their bytes. Each size and length is encoded once in a process.
 */
export async function plainFilm(
  { width, height, durationSeconds }: Pick<OutputPlan, 'width' | 'height' | 'durationSeconds'>,
  name: string,
): Promise<Buffer> {
  const key = `${width}x${height} ${durationSeconds}`;
  const film = films.get(key) ?? encode(width, height, durationSeconds ?? 1);
  films.set(key, film);
  return Buffer.concat([await film, freeBox(name)]);
}

function freeBox(text: string): Buffer {
  const box = Buffer.from(`....free${text}`, 'latin1');
  box.writeUInt32BE(box.length);
  return box;
}

async function encode(width: number, height: number, durationSeconds: number): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-film-'));
  const path = join(folder, 'film.mp4');
  const format = { format: 'mp4', codec: 'avc', fps: FRAMES_PER_SECOND, sound: null } as const;
  try {
    await writeFilm(
      { ...format, path, width, height, durationSeconds },
      async () => new Uint8Array(4 * width * height).fill(85),
      () => {},
    );
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
