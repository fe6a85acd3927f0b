import type { ChildProcess } from 'node:child_process';

const KEPT_CHARACTERS = 2000;

/** Sets whether a child process with an IPC channel keeps its parent process alive. */
export function setKeepsParentAlive(child: ChildProcess, keepsAlive: boolean): void {
  const method = keepsAlive ? 'ref' : 'unref';
  child[method]();
  child.channel?.[method]();
}

/**
 * Records the last 2,000 characters that a child writes to standard error.
 * @returns a function that returns the text as an Error, or undefined if nothing was written.
 */
export function recordStderrTail(child: ChildProcess): () => Error | undefined {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-KEPT_CHARACTERS);
  });
  (child.stderr as unknown as { unref?: () => void } | null)?.unref?.();
  return () => (text === '' ? undefined : new Error(text.trim()));
}
