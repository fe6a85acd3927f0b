import { workerData } from 'node:worker_threads';
import { CPU_LIMIT, GUARDING, MEMORY_LIMIT, PARENT, TICK } from './guard-state.ts';
import { GUARD_SIGNALS } from './media-message.ts';

/**
 * The guard thread's program: checks memory and processor time of its process while a job runs, and ends the process if
 * it exceeds them. It never returns to an event loop, so other threads cannot block it.
 */
const state = new Int32Array(workerData as SharedArrayBuffer);
const CHECK_EVERY_MS = 50;
const MEBIBYTE = 2 ** 20;

Atomics.store(state, TICK, 1);
Atomics.notify(state, TICK);
for (;;) {
  Atomics.wait(state, GUARDING, 0);
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1000 > Atomics.load(state, CPU_LIMIT)) process.kill(process.pid, GUARD_SIGNALS.cpu);
  if (process.memoryUsage.rss() / MEBIBYTE > Atomics.load(state, MEMORY_LIMIT))
    process.kill(process.pid, GUARD_SIGNALS.memory);
  if (process.ppid !== Atomics.load(state, PARENT)) process.kill(process.pid, 'SIGKILL');
  Atomics.wait(state, TICK, 1, CHECK_EVERY_MS);
}
