import fs from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { BroadcastChannel, setEnvironmentData } from 'node:worker_threads';
import { preloadInThreads } from '@darkroom-service/testing';
import { FLUSHES, identityOf, type ThreadFlush } from './flushed-files.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A disk on which a power cut leaves what was flushed, and nothing else. */
export interface SimulatedDisk {
  /** Copies what a power cut at this moment would leave of the directory. @returns the path of the copy */
  cutPower(): Promise<string>;
}

/** What a file or a directory held when it was last flushed. */
type Flushed = Buffer | ReadonlyMap<string, string>;

/**
 * Watches every flush below a directory, by whichever call of Node, also in threads that start later. What the
 * directory has now counts as flushed.
 */
export async function simulateDisk(t: TestContext, directory: string): Promise<SimulatedDisk> {
  const flushed = new Map<string, Flushed>();

  /** Keeps what the paths hold, with everything below them. */
  async function keepAll(path: string): Promise<void> {
    await keep(path);
    for (const name of await namesIn(path)) await keepAll(join(path, name));
  }

  async function keep(path: string): Promise<void> {
    const found = await lstat(path, { bigint: true });
    if (!found.isDirectory()) return void flushed.set(identityOf(found), await readFile(path));
    const entries = new Map<string, string>();
    for (const name of await namesIn(path))
      entries.set(name, identityOf(await lstat(join(path, name), { bigint: true })));
    flushed.set(identityOf(found), entries);
  }

  async function flush(identity: string): Promise<void> {
    const path = await pathOf(identity, directory);
    if (path !== null) await keep(path);
  }

  const handle = await open(directory, 'r');
  const handles = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  for (const name of ['sync', 'datasync'] as const) {
    const original = handles[name];
    t.mock.method(handles, name, async function (this: FileHandle) {
      await flush(identityOf(await this.stat({ bigint: true })));
      await original.call(this);
    });
  }
  for (const name of ['fsync', 'fdatasync'] as const) {
    const original = fs[name];
    t.mock.method(fs, name, (file: number, done: fs.NoParamCallback) => {
      fs.fstat(file, { bigint: true }, (error, found) => {
        if (error !== null) return done(error);
        flush(identityOf(found)).then(() => original(file, done), done);
      });
    });
  }
  syncBuiltinESMExports();
  const flushes = `${FLUSHES}: ${directory}`;
  setEnvironmentData(FLUSHES, flushes);
  const channel = new BroadcastChannel(flushes);
  channel.onmessage = async ({ data }) => {
    const { identity, gate } = data as ThreadFlush;
    await flush(identity).finally(() => {
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
    });
  };
  const endPreloading = preloadInThreads(new URL('./simulated-disk-thread.ts', import.meta.url));
  t.after(() => {
    endPreloading();
    channel.close();
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  await keepAll(directory);

  async function restore(identity: string, to: string): Promise<void> {
    const found = flushed.get(identity);
    // Its entry is on disk, and its bytes are not.
    if (found === undefined || Buffer.isBuffer(found)) return await writeFile(to, found ?? '');
    await mkdir(to, { recursive: true });
    for (const [name, child] of found) await restore(child, join(to, name));
  }

  return {
    async cutPower() {
      const left = await temporaryDirectory('power-cut-');
      await restore(identityOf(await stat(directory, { bigint: true })), left);
      return left;
    },
  };
}

async function pathOf(identity: string, path: string): Promise<string | null> {
  const found = await lstat(path, { bigint: true }).catch(() => null);
  if (found !== null && identityOf(found) === identity) return path;
  for (const name of await namesIn(path)) {
    const below = await pathOf(identity, join(path, name));
    if (below !== null) return below;
  }
  return null;
}

async function namesIn(path: string): Promise<string[]> {
  return await readdir(path).catch(() => []);
}
