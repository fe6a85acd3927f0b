import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/database/database.ts';
import type { TaskRow } from '../../src/record/task.ts';
import { type Claimer, createClaimer } from '../../src/worker/claim-tasks.ts';
import type { ClaimableQueue } from '../../src/worker/claimable-queue.ts';

interface Process {
  readonly claimer: Claimer;
  last: Promise<unknown>;
}

const processes = new WeakMap<Database, Map<string, Process>>();

/**
 * Claims once as the runner of a process does, which looks again while others are claiming. The claims of a process
 * follow one another.
 */
export async function claimTasks(
  database: Database,
  { worker, ...wish }: { readonly worker: string; readonly queues: readonly ClaimableQueue[]; readonly limit: number },
): Promise<TaskRow[]> {
  const known = processes.get(database) ?? new Map<string, Process>();
  processes.set(database, known);
  const process = known.get(worker) ?? { claimer: createClaimer(database, worker), last: Promise.resolve() };
  known.set(worker, process);
  const claimed = process.last.then(async () => {
    for (;;) {
      const { tasks, isBusy } = await process.claimer.claim(wish);
      if (tasks.length > 0 || !isBusy) return [...tasks];
      await delay(5);
    }
  });
  process.last = claimed.catch(() => {});
  return await claimed;
}
