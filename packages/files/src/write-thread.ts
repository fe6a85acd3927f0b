import { hash } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { fileFaultCode } from './fault-code.ts';
import { flushData } from './file-calls.ts';
import { createFolderFlush } from './flush-folder.ts';
import { ATTEMPTS_TO_MOVE } from './publish.ts';
import type { FileToWrite, WriteOutcome } from './write-messages.ts';

/**
 * Thread that writes small files, off the event loop. Started by `file-writer.ts`. Its calls are synchronous, which
 * costs a fraction of a trip over the thread pool. Only the flushes run at the same time, since a file system commits
 * those that come together at once.
 */
const { directory } = workerData as { readonly directory: string };
const flushFolder = createFolderFlush(directory);

parentPort?.on('message', async (files: readonly FileToWrite[]) => {
  parentPort?.postMessage(await writeAll(files));
});

/** Writes files together. Each directory is flushed once, after the last file was moved into it. */
async function writeAll(files: readonly FileToWrite[]): Promise<WriteOutcome[]> {
  const flushes = new Map<string, Promise<void>>();
  const flushOnce = (folder: string) => {
    const flush = flushes.get(folder) ?? flushFolder(folder);
    flushes.set(folder, flush);
    return flush;
  };
  const moved = await Promise.allSettled(files.map(writeAndMove));
  return await Promise.all(
    files.map(async ({ number, aside, key, data }, index) => {
      try {
        const move = moved[index]!;
        if (move.status === 'rejected') throw move.reason;
        await flushOnce(dirname(key));
        return { number, sha256: hash('sha256', data) };
      } catch (error) {
        remove(aside);
        return { number, code: fileFaultCode(error), message: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}

async function writeAndMove({ aside, key, data }: FileToWrite): Promise<void> {
  const file = openSync(aside, 'wx');
  try {
    for (let written = 0; written < data.byteLength; ) written += writeSync(file, data, written);
    await flushData(file);
    const { size } = fstatSync(file);
    if (size !== data.byteLength)
      throw new Error(`the directory that holds the files has ${size} of ${data.byteLength} written bytes`);
  } finally {
    closeSync(file);
  }
  move(aside, join(directory, key));
}

function move(aside: string, target: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(aside, target);
      return;
    } catch (error) {
      if (fileFaultCode(error) !== 'ENOENT' || attempt === ATTEMPTS_TO_MOVE) throw error;
      mkdirSync(dirname(target), { recursive: true });
    }
  }
}

/** Removes a file that failed. One that stays is temporary, and a later start removes it. */
function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {}
}
