import assert from 'node:assert/strict';
import type { Storage } from '@darkroom-service/media';
import type { Session } from '../../src/database/database.ts';
import { auditDaySums } from '../../src/service/doctor/audit-day-sums.ts';
import { auditEndUsers } from '../../src/service/doctor/audit-end-users.ts';
import { auditFiles } from '../../src/service/doctor/audit-files.ts';
import { auditBalances, auditSettlements, MAX_FAULTS } from '../../src/service/doctor/audit-ledger.ts';
import { auditSpending } from '../../src/service/doctor/audit-spending.ts';
import { AUDITS, HOOKS } from '../additions.ts';

const EVERY_TASK = 100_000;

/** Asks the audits of `darkroom doctor --audit`: they recount the rows, and must find all as promised. */
export async function auditAll(read: Session, storage: Storage, now: number): Promise<void> {
  const reports = [
    auditBalances(read),
    auditSettlements(read),
    auditSpending(read, HOOKS, now),
    auditEndUsers(read, now),
    auditDaySums(read),
    auditFiles(read, storage, EVERY_TASK),
    ...AUDITS.map(({ look }) => look(read, MAX_FAULTS)),
  ];
  assert.deepEqual(
    (await Promise.all(reports)).flatMap(({ faults }) => faults),
    [],
    'what the doctor finds',
  );
}
