import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Thread that copies the write-ahead log into the database file, off the event loop. Started by `checkpoints.ts`. */
const { path } = workerData as { readonly path: string };
const database = new DatabaseSync(path);
database.exec('pragma synchronous = normal; pragma cache_size = -128');
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', (message: 'pass' | 'end') => {
  if (message === 'pass') {
    pass();
    parentPort?.postMessage('done');
  } else {
    database.close();
    parentPort?.close();
  }
});

function pass(): void {
  try {
    checkpoint.get();
  } catch {
    // The disk is full or fails. The pages stay in the log, and commits to it tell of the fault.
  }
}
