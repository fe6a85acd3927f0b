import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { StorageError } from '@darkroom-service/media';
import { preloadInThreads } from '@darkroom-service/testing';
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

  it('fails only those of many files for which the disk refuses a call', async (t) => {
    const directory = await makeDirectory(t);
    const storage = await openFileStorage(directory);
    await storage.put('a/file', Buffer.from('fox'), OPTIONS);
    const keys = ['a/1', 'a/file/2', 'b/3', 'a/file/4', 'c/5'];
    const puts = await Promise.allSettled(keys.map((key) => storage.put(key, Buffer.from(key), OPTIONS)));
    for (const [index, key] of keys.entries()) {
      const put = puts[index]!;
      if (key.startsWith('a/file/')) assert.ok(put.status === 'rejected' && kind('unavailable')(put.reason), key);
      else assert.ok(put.status === 'fulfilled' && (await storage.stat(key))?.bytes === key.length, key);
    }
    assert.deepEqual(await readdir(join(directory, '.tmp')), []);
  });

  it('writes small files off this thread, and stores them also when the thread holds as much as it may', async (t) => {
    const directory = await makeDirectory(t);
    const storage = await openFileStorage(directory);
    const bytesHere: number[] = [];
    const { write } = fs;
    t.mock.method(fs, 'write', (...given: Parameters<typeof write>) => {
      bytesHere.push((given[1] as unknown as Uint8Array).byteLength);
      write(...given);
    });
    syncBuiltinESMExports();
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    await Promise.all(
      Array.from({ length: 40 }, (_, number) => storage.put(`a/${number}`, Buffer.from('fox'), OPTIONS)),
    );
    assert.deepEqual(bytesHere, []);
    const large = Array.from({ length: 12 }, (_, number) => Buffer.alloc(1_000_000, `fox ${number} `));
    const options = { ...OPTIONS, maxBytes: 1_000_000 };
    await Promise.all(large.map((data, number) => storage.put(`b/${number}`, data, options)));
    assert.ok(bytesHere.length > 0);
    for (const [number, data] of large.entries())
      assert.ok(data.equals(await readFile(join(directory, 'b', String(number)))), `b/${number}`);
  });

  it('reports files as not stored when the thread that writes them dies, and stores the next ones', async (t) => {
    const directory = await makeDirectory(t);
    const storage = await openFileStorage(directory);
    const restore = replaceInThreads('fs.writeSync = () => process.exit()');
    t.after(restore);
    const puts = await Promise.allSettled(['a/1', 'a/2'].map((key) => storage.put(key, Buffer.from(key), OPTIONS)));
    for (const put of puts) assert.ok(put.status === 'rejected' && kind('unavailable')(put.reason));
    restore();
    await storage.put('a/3', Buffer.from('fox'), OPTIONS);
    assert.equal(await readFile(join(directory, 'a', '3'), 'utf8'), 'fox');
    assert.equal(await storage.stat('a/1'), null);
  });

  it('is closed once the files that come before are stored', async (t) => {
    const directory = await makeDirectory(t);
    const storage = await openFileStorage(directory);
    const put = storage.put('a/fox', Buffer.from('fox'), OPTIONS);
    await Promise.all([put, setImmediate().then(() => storage.close())]);
    assert.deepEqual(await storage.stat('a/fox'), { bytes: 3 });
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

/** Makes a call fail in this thread and in those that start later, as a disk does. */
function failing(t: TestContext, method: 'write' | 'fdatasync', code: string): void {
  const restore = replaceInThreads(`
    fs.${method}Sync = () => { throw Object.assign(new Error('${code}'), { code: '${code}' }); };
    fs.${method} = (...given) => given.at(-1)(Object.assign(new Error('${code}'), { code: '${code}' }));`);
  t.mock.method(fs, method, (...given: unknown[]) => {
    const done = given.at(-1) as (error: Error) => void;
    done(Object.assign(new Error(code), { code }));
  });
  syncBuiltinESMExports();
  t.after(() => {
    restore();
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}

/** Makes threads that start later run a script, which replaces calls of `fs`. @returns a function that ends this */
function replaceInThreads(script: string): () => void {
  const program = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    ${script}; syncBuiltinESMExports();`;
  return preloadInThreads(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
}

function kind(expected: StorageError['kind']) {
  return (error: unknown) => {
    assert.ok(error instanceof StorageError, String(error));
    assert.equal(error.kind, expected);
    return true;
  };
}
