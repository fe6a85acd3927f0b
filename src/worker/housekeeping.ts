import { world } from '@darkroom-service/contract';
import { advanceCheckpoints } from '../accounts/balance-checkpoints.ts';
import { closeDays } from '../accounts/closed-days.ts';
import { dropUnused } from '../accounts/stored-bytes.ts';
import { taskDays } from '../accounts/task-days.ts';
import { trimAudit } from '../accounts/trim-audit.ts';
import { dropRemovedQuarters, usageQuarters } from '../accounts/usage-quarters.ts';
import { deleteOldRequests } from '../database/deeds.ts';
import { claimChore } from '../database/work.ts';
import { type Chore, type CreateChores, DAILY_MS } from '../erasure/chore.ts';
import { eraseInGroups, eraseTask } from '../erasure/erase-task.ts';
import { eraseFileRow } from '../order-files/new-file.ts';
import { costDays } from '../record/cost-days.ts';
import { isAwaited } from '../tasks/parent-gate.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { dropOldChecks } from './last-checks.ts';
import { removeOldTasks } from './remove-tasks.ts';
import { sweepOrphans } from './sweep-orphans.ts';

/**
 * Periodic chores, run by one process at a time: retention, expired uploads, ledger checkpoints,
 * sums by day, removal of old tasks, orphaned files, and the chores of additions.
 */
export interface Housekeeping {
  /** Runs all chores now, also if another process has its turn. */
  runOnce(): Promise<void>;
  stop(): Promise<void>;
}

const EVERY_MS = 60_000;
const BATCH = 200;
const DAY_SUMS_EVERY_MS = 10 * 60_000;

interface HousekeepingOptions {
  /** Chores of all additions. */
  readonly chores?: readonly CreateChores[];
  /** Whether the installation is suspended. Then no chore runs: a copy must not delete data of its original. */
  readonly isSuspended?: () => boolean;
}

export function startHousekeeping(
  services: Pick<
    TaskServices,
    'clock' | 'database' | 'hooks' | 'log' | 'parentGate' | 'settings' | 'storage' | 'wakeWork'
  >,
  { chores: added = [], isSuspended = () => false }: HousekeepingOptions = {},
): Housekeeping {
  /** Chores run independently, so a long one does not delay the others. */
  const running = new Map<string, Promise<void>>();
  /** A stopped chore is due again at the next turn. */
  const stopping = new AbortController();
  const { signal } = stopping;
  const chores: readonly Chore[] = [
    { name: 'retention', everyMs: EVERY_MS, run: eraseExpiredTasks },
    { name: 'uploads', everyMs: EVERY_MS, run: eraseExpiredFiles },
    { name: 'balances', everyMs: EVERY_MS, run: () => advanceCheckpoints(services.database, signal) },
    { name: 'audit log', everyMs: DAY_SUMS_EVERY_MS, run: trimAuditLog },
    {
      name: 'repeated requests',
      everyMs: EVERY_MS,
      run: () => deleteOldRequests(services.database, services.clock.now()),
    },
    {
      name: 'last checks',
      everyMs: DAY_SUMS_EVERY_MS,
      run: () => dropOldChecks(services.database, services.clock.now()),
    },
    { name: 'day sums', everyMs: DAY_SUMS_EVERY_MS, run: sumPastDays },
    { name: 'old tasks', everyMs: DAY_SUMS_EVERY_MS, run: () => removeOldTasks(services, signal) },
    { name: 'stored bytes', everyMs: DAILY_MS, run: () => dropUnused(services.database) },
    { name: 'sweep', everyMs: DAILY_MS, run: () => sweepOrphans(services, signal) },
    ...added.flatMap((create) => create(signal)),
  ];
  const timer = world.setInterval(() => {
    for (const chore of chores) {
      if (running.has(chore.name)) continue;
      running.set(
        chore.name,
        takeItsTurn(chore).finally(() => running.delete(chore.name)),
      );
    }
  }, EVERY_MS);
  timer.unref();

  async function takeItsTurn({ name, everyMs, run }: Chore): Promise<void> {
    try {
      if (!signal.aborted && !isSuspended() && (await claimChore(services.database, name, everyMs))) await run();
    } catch (error) {
      services.log.error({ err: error, chore: name }, 'housekeeping task failed; retrying at its next run');
    }
  }

  async function eraseExpiredTasks(): Promise<void> {
    const { read } = services.database;
    for (;;) {
      const due = await read.all(
        read.builder
          .selectFrom('tasks')
          .select('id')
          .where('expires_at', '<=', services.clock.now())
          .where('erased_at', 'is', null)
          .where('completed_at', 'is not', null)
          .where('step', '=', 'final')
          .where(({ not }) => not(isAwaited(services)))
          .orderBy('expires_at')
          .limit(BATCH),
      );
      await eraseInGroups(due, signal, ({ id }) => eraseTask(services, id, { deletedAt: null }));
      if (due.length < BATCH || signal.aborted) return;
    }
  }

  async function eraseExpiredFiles(): Promise<void> {
    const { read } = services.database;
    for (;;) {
      const due = await read.all(
        read.builder
          .selectFrom('files')
          .select(['id', 'api_key_id', 'storage_key'])
          .where('expires_at', '<=', services.clock.now())
          .where('erased_at', 'is', null)
          .limit(BATCH),
      );
      await eraseInGroups(due, signal, eraseFile);
      if (due.length < BATCH || signal.aborted) return;
    }
  }

  async function eraseFile(file: { id: string; api_key_id: string; storage_key: string }): Promise<void> {
    const erased = { id: file.id, keyId: file.api_key_id, now: services.clock.now() };
    await services.database.write('erase_file', (trx) => eraseFileRow(trx, erased));
    await services.storage.remove(file.storage_key);
  }

  async function trimAuditLog(): Promise<void> {
    await trimAudit(services.database, { before: services.clock.now() - services.settings.auditMs, signal });
  }

  async function sumPastDays(): Promise<void> {
    await closeDays(services.database, taskDays, services.clock.now(), signal);
    await closeDays(services.database, costDays, services.clock.now(), signal);
    await closeDays(services.database, usageQuarters, services.clock.now(), signal);
    await dropRemovedQuarters(services.database, signal);
  }

  return {
    async runOnce() {
      for (const { run } of chores) if (!isSuspended()) await run();
    },
    async stop() {
      stopping.abort();
      world.clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}
