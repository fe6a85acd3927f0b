import assert from 'node:assert/strict';
import { cp, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { solidPng } from '@darkroom-service/testing';
import { loadPart } from '../load-part.ts';
import { machineFaultOf } from '../machine-fault.ts';
import { MediaUnavailable } from '../media-fault.ts';
import { UNTRUSTED_LIMITS } from '../media-limits.ts';
import { MediaPool } from './media-pool.ts';

/** Files of the program that are missing for a while, as during an upgrade by hand. */

const PACKAGE = join(import.meta.dirname, '..', '..');

test('a file of a customer is not blamed for a part that the media process cannot load, and is read once it is back', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-parts-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  for (const name of ['src', 'package.json']) await cp(join(PACKAGE, name), join(directory, name), { recursive: true });
  await symlink(join(PACKAGE, '..', '..', 'node_modules'), join(directory, 'node_modules'));
  const part = join(directory, 'src', 'decoding', 'probe-file.ts');
  const program = pathToFileURL(join(directory, 'src', 'process', 'media-program.ts'));
  const pool = new MediaPool({ size: 1, program });
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

test('whatever is wrong with a part, its loading is a fault of the machine and names no path', async () => {
  for (const load of [
    () => import(pathToFileURL(join(PACKAGE, 'none.ts')).href),
    () => Promise.reject(new Error(`Could not load the "sharp" module in ${PACKAGE}`)),
  ])
    await assert.rejects(loadPart(load), (error) => isWithoutPath(error, PACKAGE) && machineFaultOf(error) !== null);
});

function isWithoutPath(error: unknown, path: string): boolean {
  return !String(error).includes(path);
}
