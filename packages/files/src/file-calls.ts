import { close, fdatasync, fstat, fsync, open, rename, type Stats, write } from 'node:fs';

type Done<Result> = (error: Error | null, result?: Result) => void;

/**
 * Calls of `node:fs` on descriptors, for operations that every picture needs: the handles of `node:fs/promises` cost
 * the event loop more than the calls themselves.
 */
export const openFile = (path: string, flags: string) => called<number>((done) => open(path, flags, done));
export const closeFile = (file: number) => called<void>((done) => close(file, done));
export const flushData = (file: number) => called<void>((done) => fdatasync(file, done));
export const flushFile = (file: number) => called<void>((done) => fsync(file, done));
export const statFile = (file: number) => called<Stats>((done) => fstat(file, done));
export const renameFile = (from: string, to: string) => called<void>((done) => rename(from, to, done));

export async function writeWhole(file: number, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.byteLength; )
    written += await called<number>((done) => write(file, chunk, written, done));
}

function called<Result>(call: (done: Done<Result>) => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    call((error, result) => (error === null ? resolve(result as Result) : reject(error)));
  });
}
