import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { MediaLimits } from '../media-limits.ts';
import { CPU_LIMIT, GUARDING, MEMORY_LIMIT, PARENT, SLOT_COUNT, TICK } from './guard-state.ts';

interface Guard {
  /** Watches the limits until `rest` is called. */
  watch(limits: Pick<MediaLimits, 'cpuMs' | 'memoryBytes'>): void;
  rest(): void;
}

/**
 * Starts a thread that ends this process when a job exceeds its memory or processor time.
 * V8's flags limit neither: pixels are outside its heap, and a loop in a decoder lets no timer run.
 */
export async function startGuard(): Promise<Guard> {
  const state = new Int32Array(new SharedArrayBuffer(SLOT_COUNT * Int32Array.BYTES_PER_ELEMENT));
  Atomics.store(state, PARENT, process.ppid);
  const thread = new Worker(new URL('./guard-thread.ts', import.meta.url), { workerData: state.buffer });
  const failed = once(thread, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => undefined);
  const started = Atomics.waitAsync(state, TICK, 0);
  await Promise.race([started.value, failed]);
  // Without the guard, the process would have no limits.
  thread.once('exit', () => process.kill(process.pid, 'SIGKILL'));
  thread.unref();
  return {
    watch({ cpuMs, memoryBytes }) {
      const { user, system } = process.cpuUsage();
      Atomics.store(state, CPU_LIMIT, Math.ceil((user + system) / 1000 + cpuMs));
      Atomics.store(state, MEMORY_LIMIT, Math.ceil(memoryBytes / 2 ** 20));
      Atomics.store(state, GUARDING, 1);
      Atomics.notify(state, GUARDING);
    },
    rest() {
      Atomics.store(state, GUARDING, 0);
    },
  };
}
