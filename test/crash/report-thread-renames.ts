import fs, { type PathLike } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { BroadcastChannel } from 'node:worker_threads';
import { RENAMES, type ThreadRename } from './thread-renames.ts';

/** Loaded first by the threads of a service that is to be killed where a file of a task becomes visible. */
const channel = new BroadcastChannel(RENAMES);
channel.unref();
const { renameSync } = fs;
Reflect.set(fs, 'renameSync', (from: PathLike, to: PathLike) => {
  const isOfTask = `${to}`.includes('/files/tasks/');
  if (isOfTask) report('before');
  renameSync(from, to);
  if (isOfTask) report('after');
});
syncBuiltinESMExports();

function report(moment: ThreadRename['moment']): void {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  channel.postMessage({ moment, gate } satisfies ThreadRename);
  Atomics.wait(gate, 0, 0);
}
