import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { StorageError } from '@darkroom-service/media';
import { storageConformance } from '../conformance/storage-conformance.ts';
import { openFileStorage } from './file-storage.ts';

const OPTIONS = { contentType: 'image/png', maxBytes: 1000 };
const HOUR = 60 * 60 * 1000;

storageConformance('a directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'storage-'));
  return { storage: await openFileStorage(directory), cleanup: () => rm(directory, { recursive: true }) };
});

async function makeDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'storage-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

describe('a directory that holds files', () => {
  it('is made, keeps files under their keys, and finds them again', async (t) => {
    const directory = join(await makeDirectory(t), 'new', 'files');
    const storage = await openFileStorage(directory);
    await storage.put('outputs/fox.png', Buffer.from('fox'), OPTIONS);
    assert.equal(await readFile(join(directory, 'outputs', 'fox.png'), 'utf8'), 'fox');
    assert.deepEqual(await (await openFileStorage(directory)).stat('outputs/fox.png'), { bytes: 3 });
    assert.equal(
      await storage.address('outputs/fox.png', { expiresAt: 0, contentType: 'image/png', fileName: null }),
      null,
    );
  });

  it('loses its temporary files that are older than an hour, and only those', async (t) => {
    const directory = await makeDirectory(t);
    await openFileStorage(directory);
    const now = Date.now();
    for (const [name, age] of [
      ['old', 1.1 * HOUR],
      ['young', 0.9 * HOUR],
    ] as const) {
      const path = join(directory, '.tmp', name);
      await writeFile(path, 'half');
      await utimes(path, (now - age) / 1000, (now - age) / 1000);
    }
    await openFileStorage(directory, { now: () => now });
    assert.deepEqual(await readdir(join(directory, '.tmp')), ['young']);
  });

  it('leaves no temporary file and no empty folder after a put, successful or not', async (t) => {
    const directory = await makeDirectory(t);
    const storage = await openFileStorage(directory);
    await storage.put('a/b/fox', Buffer.from('fox'), OPTIONS);
    await assert.rejects(storage.put('a/c/fox', Buffer.alloc(2000), OPTIONS));
    await assert.rejects(storage.put('a/d/fox', Readable.from([Symbol('no bytes')]), OPTIONS));
    await storage.remove('a/b/fox');
    assert.deepEqual(await readdir(directory), ['.tmp']);
    assert.deepEqual(await readdir(join(directory, '.tmp')), []);
  });

  it('reports that it is full, and keeps nothing of the file that did not fit', async (t) => {
    const directory = await makeDirectory(t);
    const storage = await openFileStorage(directory);
    failing(t, 'write', 'ENOSPC');
    await assert.rejects(storage.put('fox', Buffer.from('fox'), OPTIONS), kind('full'));
    assert.equal(await storage.stat('fox'), null);
    assert.deepEqual(await readdir(join(directory, '.tmp')), []);
  });

  it('keeps no file that could not be synced', async (t) => {
    const directory = await makeDirectory(t);
    const storage = await openFileStorage(directory);
    failing(t, 'fdatasync', 'EIO');
    await assert.rejects(storage.put('fox', Buffer.from('fox'), OPTIONS), kind('unavailable'));
    assert.equal(await storage.stat('fox'), null);
    await assert.rejects(storage.check(), kind('unavailable'));
  });

  it('keeps files that come together to a directory that comes and goes', async (t) => {
    const directory = await makeDirectory(t);
    const [one, other] = [await openFileStorage(directory), await openFileStorage(directory)];
    for (let round = 0; round < 5; round++) {
      const keys = Array.from({ length: 40 }, (_, number) => `a/${number % 3}/${number}`);
      await Promise.all(
        keys.map(async (key, number) => {
          await (number % 2 === 0 ? one : other).put(key, Buffer.from(key), OPTIONS);
          if (number % 4 === 0) await other.remove(key);
        }),
      );
      for (const [number, key] of keys.entries())
        assert.deepEqual(await one.stat(key), number % 4 === 0 ? null : { bytes: key.length }, key);
      for (const key of keys) await one.remove(key);
      assert.deepEqual(await readdir(directory), ['.tmp']);
    }
  });

  it('reports that it cannot be used, and releases the source', async (t) => {
    const directory = await makeDirectory(t);
    const storage = await openFileStorage(directory);
    await rm(join(directory, '.tmp'), { recursive: true });
    const source = Readable.from([Buffer.from('fox')]);
    await assert.rejects(storage.put('fox', source, OPTIONS), kind('unavailable'));
    assert.equal(source.destroyed, true);
    await writeFile(join(directory, 'file'), '');
    await assert.rejects(openFileStorage(join(directory, 'file')), kind('unavailable'));
  });
});

/** Has every open file fail at one operation, as a disk does. */
function failing(t: TestContext, method: 'write' | 'fdatasync', code: string): void {
  t.mock.method(fs, method, (...given: unknown[]) => {
    const done = given.at(-1) as (error: Error) => void;
    done(Object.assign(new Error(code), { code }));
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}

function kind(expected: StorageError['kind']) {
  return (error: unknown) => {
    assert.ok(error instanceof StorageError, String(error));
    assert.equal(error.kind, expected);
    return true;
  };
}
