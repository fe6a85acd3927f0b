import { after, type TestContext } from 'node:test';

const CLOSES_WITHIN_MS = 60_000;

const closers: (() => unknown)[] = [];
const lastClosers: (() => unknown)[] = [];
let isShared = false;

/**
 * Stands for the whole file where its tests share a service, a folder, or another thing that is closed after the last
 * of them.
 */
export const wholeFile: Pick<TestContext, 'after'> = {
  after(close?: unknown) {
    closers.push(close as () => unknown);
  },
};

/** Stands for the whole process where the files that share it also share a thing that is costly to open. */
export const wholeProcess: Pick<TestContext, 'after'> = {
  after(close?: unknown) {
    lastClosers.push(close as () => unknown);
  },
};

after(async () => {
  // In a shared process this may run between two files.
  if (isShared) return;
  await endFile();
  await endProcess();
});

/** Makes this process run several files one after the other: what each of them opened is closed by `endFile`. */
export function shareProcess(): void {
  isShared = true;
}

/** Closes what the tests of a file shared. */
export async function endFile(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

/**
 * Closes what the files of this process shared. Ends the process even if a failed test left something open, such as a
 * service: a run must come to its end.
 */
export async function endProcess(): Promise<void> {
  setTimeout(() => {
    console.error('Something is still open a minute after the last test; the process is ended.');
    process.exit();
  }, CLOSES_WITHIN_MS).unref();
  for (const close of lastClosers.splice(0)) await close();
}
