import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Thread that copies the write-ahead log into the database file, off the event loop. Started by `checkpoints.ts`. */
const { path } = workerData as { readonly path: string };
// No busy timeout: while waiting to empty the log, this connection would block writers.
const database = new DatabaseSync(path, { timeout: 0 });
database.exec('pragma synchronous = normal; pragma cache_size = -128');
const steps = {
  pass: database.prepare('pragma wal_checkpoint(passive)'),
  empty: database.prepare('pragma wal_checkpoint(truncate)'),
};

parentPort?.on('message', (message: 'pass' | 'empty' | 'end') => {
  if (message !== 'end') {
    parentPort?.postMessage(isDone(message));
  } else {
    database.close();
    parentPort?.close();
  }
});

/** Runs a checkpoint. @returns whether no reader or writer was in the way */
function isDone(step: 'pass' | 'empty'): boolean {
  try {
    return steps[step].get()?.busy === 0;
  } catch {
    // The disk is full or fails. The pages stay in the log, and commits to it report the fault.
    return false;
  }
}
