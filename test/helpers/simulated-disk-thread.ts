import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { BroadcastChannel, getEnvironmentData } from 'node:worker_threads';
import { FLUSHES, identityOf, type ThreadFlush } from './flushed-files.ts';

const PATIENCE_MS = 30_000;

/** Loaded first by the threads of a test with a simulated disk: each flush waits until the disk has kept the bytes. */
const channel = new BroadcastChannel(String(getEnvironmentData(FLUSHES)));
channel.unref();

for (const name of ['fsync', 'fdatasync'] as const) {
  const original = fs[name];
  const replacement = (file: number, done: fs.NoParamCallback) => {
    keep(file);
    original(file, done);
  };
  Reflect.set(fs, name, replacement);
}
for (const name of ['fsyncSync', 'fdatasyncSync'] as const) {
  const original = fs[name];
  Reflect.set(fs, name, (file: number) => {
    keep(file);
    original(file);
  });
}
syncBuiltinESMExports();

function keep(file: number): void {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const identity = identityOf(fs.fstatSync(file, { bigint: true }));
  channel.postMessage({ identity, gate } satisfies ThreadFlush);
  if (Atomics.wait(gate, 0, 0, PATIENCE_MS) === 'timed-out') throw new Error('the test with the disk has ended');
}
