import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';

/**
 * Makes each thread that starts from now on load a module before its program, so that the module can replace calls of
 * Node there too. Threads get data for it by `setEnvironmentData`.
 * @returns a function that ends this for threads that start later
 */
export function preloadInThreads(module: URL): () => void {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(program: string | URL, options: WorkerOptions = {}) {
      super(program, { ...options, execArgv: [...(options.execArgv ?? []), '--import', module.href] });
    }
  };
  syncBuiltinESMExports();
  return () => {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  };
}
