import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep, world } from '@darkroom-service/contract';
import { Gauge, type Registry } from 'prom-client';
import { answerKeyOf } from './answer.ts';
import { DAMAGED, KEPT } from './answer-spool.ts';

/**
 * Kind of a stored answer. `unstored`: answers of running and ended processes. `late`: they came too late. `damaged`:
 * they cannot be read.
 */
type AnswerKind = 'unstored' | 'late' | 'damaged';

interface SpoolFolder {
  /** The folder's name: a process, or a folder of the spool itself. */
  readonly name: string;
  readonly kind: AnswerKind;
  readonly answers: number;
  /** Size in bytes; incomplete answers count too. */
  readonly bytes: number;
}

/** Cache time of a walk: a scrape needs two gauges of one walk, and several scrapers may ask at once. */
const FRESH_MS = 1_000;
/** Timeout of a scrape's walk through the disk. */
const PATIENCE_MS = 1_000;

/** Counts the answers on this disk, by folder. @throws the file system's error */
export async function readSpool(directory: string): Promise<SpoolFolder[]> {
  const folders: SpoolFolder[] = [];
  for (const name of await namesIn(directory)) {
    // A file with a dot in front shows whether the disk accepts writes.
    if (name.startsWith('.')) continue;
    const kind = name === KEPT ? 'late' : name === DAMAGED ? 'damaged' : 'unstored';
    let [answers, bytes] = [0, 0];
    for (const answer of await namesIn(join(directory, name))) {
      if (kind === 'damaged' || answerKeyOf(answer) !== null) answers++;
      bytes += await bytesIn(join(directory, name, answer));
    }
    folders.push({ name, kind, answers, bytes });
  }
  return folders;
}

/** Registers the number and the size of engines' answers on this disk. */
export function measureSpool(registry: Registry, directory: string): void {
  let walk: Promise<SpoolFolder[] | null> | null = null;
  let freshUntil = 0;
  /** Starts a walk; while a disk hangs, no second one. */
  const read = () => {
    if (walk === null || world.monotonic() > freshUntil) {
      freshUntil = Number.POSITIVE_INFINITY;
      walk = readSpool(directory)
        .catch(() => null)
        .finally(() => {
          freshUntil = world.monotonic() + FRESH_MS;
        });
    }
    return walk;
  };
  const gauge = (name: string, help: string, measure: (folder: SpoolFolder) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'] as const,
      registers: [registry],
      async collect() {
        const folders = await Promise.race([read(), sleep(PATIENCE_MS, { ref: false })]);
        this.reset();
        // `darkroom_spool_up` tells of a disk that does not answer.
        if (folders === null) return;
        for (const kind of ['unstored', 'late', 'damaged'] as const) {
          const found = folders.filter((folder) => folder.kind === kind);
          this.set(
            { kind },
            found.reduce((sum, folder) => sum + measure(folder), 0),
          );
        }
      },
    });
  gauge('darkroom_spool_answers', 'Answers of engines on the disk of this process.', ({ answers }) => answers);
  gauge('darkroom_spool_bytes', 'The size of these answers.', ({ bytes }) => bytes);
}

async function bytesIn(path: string): Promise<number> {
  const found = await stat(path).catch(ignoreMissing);
  if (found?.isDirectory() !== true) return found?.size ?? 0;
  let bytes = 0;
  for (const name of await namesIn(path)) bytes += (await stat(join(path, name)).catch(ignoreMissing))?.size ?? 0;
  return bytes;
}

/** Answers are stored and removed during a walk. */
async function namesIn(directory: string): Promise<string[]> {
  return (await readdir(directory).catch(ignoreMissing)) ?? [];
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
