import { advanceCheckpoints } from '../accounts/balance-checkpoints.ts';
import { closeDays } from '../accounts/closed-days.ts';
import { dropUnused } from '../accounts/stored-bytes.ts';
import { taskDays } from '../accounts/task-days.ts';
import { dropRemovedQuarters, usageQuarters } from '../accounts/usage-quarters.ts';
import { deleteOldRequests } from '../database/deeds.ts';
import { type Chore, DAILY_MS } from '../erasure/chore.ts';
import { eraseInGroups, eraseTask } from '../erasure/erase-task.ts';
import { eraseFileRow } from '../order-files/new-file.ts';
import { costDays } from '../record/cost-days.ts';
import { isAwaited } from '../tasks/parent-gate.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { dropOldChecks } from './last-checks.ts';
import { removeOldTasks } from './remove-tasks.ts';
import { sweepOrphans } from './sweep-orphans.ts';
import { trimAudit } from './trim-audit.ts';

export type HousekeepingServices = Pick<
  TaskServices,
  'clock' | 'database' | 'hooks' | 'log' | 'parentGate' | 'settings' | 'storage' | 'wakeWork'
>;

const EVERY_MS = 60_000;
const DAY_SUMS_EVERY_MS = 10 * 60_000;
const BATCH = 200;

/** Returns the chores that every installation has. */
export function serviceChores(services: HousekeepingServices, signal: AbortSignal): readonly Chore[] {
  const { database, clock, settings } = services;
  return [
    { name: 'retention', everyMs: EVERY_MS, run: () => eraseExpiredTasks(services, signal) },
    { name: 'uploads', everyMs: EVERY_MS, run: () => eraseExpiredFiles(services, signal) },
    { name: 'balances', everyMs: EVERY_MS, run: () => advanceCheckpoints(database, signal) },
    {
      name: 'audit log',
      everyMs: DAY_SUMS_EVERY_MS,
      run: () => trimAudit(database, { before: clock.now() - settings.auditMs, signal }),
    },
    { name: 'repeated requests', everyMs: EVERY_MS, run: () => deleteOldRequests(database, clock.now()) },
    { name: 'last checks', everyMs: DAY_SUMS_EVERY_MS, run: () => dropOldChecks(database, clock.now()) },
    { name: 'day sums', everyMs: DAY_SUMS_EVERY_MS, run: () => sumPastDays(services, signal) },
    { name: 'old tasks', everyMs: DAY_SUMS_EVERY_MS, run: () => removeOldTasks(services, signal) },
    { name: 'stored bytes', everyMs: DAILY_MS, run: () => dropUnused(database) },
    { name: 'sweep', everyMs: DAILY_MS, run: () => sweepOrphans(services, signal) },
  ];
}

async function eraseExpiredTasks(services: HousekeepingServices, signal: AbortSignal): Promise<void> {
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

async function eraseExpiredFiles(services: HousekeepingServices, signal: AbortSignal): Promise<void> {
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
    await eraseInGroups(due, signal, (file) => eraseFile(services, file));
    if (due.length < BATCH || signal.aborted) return;
  }
}

async function eraseFile(
  services: HousekeepingServices,
  file: { id: string; api_key_id: string; storage_key: string },
): Promise<void> {
  const erased = { id: file.id, keyId: file.api_key_id, now: services.clock.now() };
  await services.database.write('erase_file', (trx) => eraseFileRow(trx, erased));
  await services.storage.remove(file.storage_key);
}

async function sumPastDays({ database, clock }: HousekeepingServices, signal: AbortSignal): Promise<void> {
  await closeDays(database, taskDays, clock.now(), signal);
  await closeDays(database, costDays, clock.now(), signal);
  await closeDays(database, usageQuarters, clock.now(), signal);
  await dropRemovedQuarters(database, signal);
}
