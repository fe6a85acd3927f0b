import assert from 'node:assert/strict';
import { cp, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { MediaUnavailable, UNTRUSTED_LIMITS } from '@darkroom-service/media';
import { loadPart, machineFaultOf } from '@darkroom-service/media/process';
import { solidPng } from '@darkroom-service/testing';
import { createPainterPool } from '../packages/illustrator/src/jobs/painter-pool.ts';
import { createMediaPool } from '../packages/media/src/process/media-pool.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Files of the program that are missing for a while, as during an upgrade by hand. */

const ROOT = join(import.meta.dirname, '..');

/** Copies the sources of a package to where files may be missing. */
async function copyOf(name: string): Promise<string> {
  const directory = await temporaryDirectory('darkroom-parts-');
  await cp(join(ROOT, 'packages', name, 'src'), join(directory, 'src'), { recursive: true });
  await cp(join(ROOT, 'packages', name, 'package.json'), join(directory, 'package.json'));
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

test('a file of a customer is not blamed for a part that the media process cannot load, and is read once it is back', async (t) => {
  const directory = await copyOf('media');
  const part = join(directory, 'src', 'decoding', 'probe-file.ts');
  const pool = createMediaPool({
    size: 1,
    program: pathToFileURL(join(directory, 'src', 'process', 'media-program.ts')),
  });
  t.after(() => pool.close());
  const path = join(directory, 'fox.png');
  await writeFile(path, solidPng({ width: 8, height: 8, value: 1 }));
  const read = () => pool.run({ task: 'probe', path, limits: UNTRUSTED_LIMITS }, { owner: 'key', lane: 'untrusted' });
  await rename(part, `${part}.away`);
  await assert.rejects(read(), (error) => isWithoutPath(error, directory) && error instanceof MediaUnavailable);
  await writeFile(part, 'export const probeFile = ;');
  await assert.rejects(read(), MediaUnavailable);
  await rename(`${part}.away`, part);
  assert.equal(((await read()) as { readonly width: number }).width, 8);
});

test('an order is not blamed for a part that the painter cannot load', async (t) => {
  const directory = await copyOf('illustrator');
  const part = join(directory, 'src', 'jobs', 'paint-picture.ts');
  const pool = painters(t, directory);
  const job = {
    output: {
      format: 'png',
      width: 8,
      height: 8,
      durationSeconds: null,
      fps: null,
      audio: false,
      tiles: null,
    } as const,
    seed: 1,
    action: null,
    values: { prompt: 'a tree' },
    media: [],
    parent: null,
    testMark: false,
    path: join(directory, 'tree.png'),
  };
  const paint = () => pool.paint(job as never, { signal: new AbortController().signal, onProgress: () => undefined });
  await rename(part, `${part}.away`);
  await assert.rejects(paint(), (error) => isWithoutPath(error, directory) && machineFaultOf(error) !== null);
  await rename(`${part}.away`, part);
  await paint();
});

test('whatever is wrong with a part, its loading is a fault of the machine and names no path', async () => {
  for (const load of [
    () => import(pathToFileURL(join(ROOT, 'none.ts')).href),
    () => Promise.reject(new Error(`Could not load the "sharp" module in ${ROOT}`)),
  ])
    await assert.rejects(loadPart(load), (error) => isWithoutPath(error, ROOT) && machineFaultOf(error) !== null);
});

function painters(t: TestContext, directory: string) {
  const pool = createPainterPool({ size: 1, program: pathToFileURL(join(directory, 'src', 'jobs', 'painter.ts')) });
  t.after(() => pool.close());
  return pool;
}

function isWithoutPath(error: unknown, path: string): boolean {
  return !String(error).includes(path);
}
