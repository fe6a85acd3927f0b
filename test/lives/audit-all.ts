import assert from 'node:assert/strict';
import { taskOfFileKey } from '../../src/record/task.ts';
import { auditDaySums } from '../../src/service/doctor/audit-day-sums.ts';
import { auditEndUsers } from '../../src/service/doctor/audit-end-users.ts';
import { auditFiles } from '../../src/service/doctor/audit-files.ts';
import { auditBalances, auditSettlements } from '../../src/service/doctor/audit-ledger.ts';
import { auditSpending } from '../../src/service/doctor/audit-spending.ts';
import { AUDITS, HOOKS } from '../helpers/additions.ts';
import type { SimulatedDisk } from './disk.ts';
import type { MemoryStorage } from './memory-storage.ts';
import { readUsage, readWholeOrder } from './read-facts.ts';

const EVERY_TASK = 100_000;

/** Asks the audits of `darkroom doctor --audit`: they recount the rows, and must find all as promised. */
export async function auditAll(disk: SimulatedDisk, storage: MemoryStorage, now: number): Promise<void> {
  const read = disk.session;
  const reports = [
    auditBalances(read),
    auditSettlements(read),
    auditSpending(read, HOOKS, now),
    auditEndUsers(read, now),
    auditDaySums(read),
    auditFiles(read, storage, EVERY_TASK),
    ...AUDITS.map(({ run }) => run(read)),
  ];
  const { rows, sums } = readUsage(disk);
  assert.deepEqual(sums, rows, 'the sums of closed days');
  const tasks = storage.keys().filter((key) => key.startsWith('tasks/'));
  const orphans = tasks.filter((key) => !readWholeOrder(disk, taskOfFileKey(key)!).includes(key));
  assert.deepEqual(orphans, [], 'files without an order');
  assert.deepEqual(
    (await Promise.all(reports)).flatMap(({ faults }) => faults),
    [],
    'what the doctor finds',
  );
}
