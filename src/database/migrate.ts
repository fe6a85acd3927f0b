import { type Compilable, sql } from 'kysely';
import type { Session } from './database.ts';
import { initial } from './migrations/0001-initial.ts';
import { webhooks } from './migrations/0002-webhooks.ts';
import { sharedWork } from './migrations/0003-shared-work.ts';
import { circuits } from './migrations/0004-circuits.ts';
import { upstreamJobs } from './migrations/0005-upstream-jobs.ts';
import { findDeliveries } from './migrations/0006-find-deliveries.ts';
import { webhookModes } from './migrations/0007-webhook-modes.ts';
import { fetchReferences } from './migrations/0008-fetch-references.ts';
import { engineLoad } from './migrations/0009-engine-load.ts';
import { processes } from './migrations/0010-processes.ts';
import { storedBytes } from './migrations/0011-stored-bytes.ts';
import { deferredOrders } from './migrations/0012-deferred-orders.ts';
import { approveOver } from './migrations/0013-approve-over.ts';
import { openaiCalls } from './migrations/0014-openai-calls.ts';
import { endUsers } from './migrations/0015-end-users.ts';
import { chains } from './migrations/0016-chains.ts';
import { fileEndUsers } from './migrations/0017-file-end-users.ts';
import { batches } from './migrations/0018-batches.ts';
import { taskCosts } from './migrations/0019-task-costs.ts';
import { shares } from './migrations/0020-shares.ts';
import { alerts } from './migrations/0021-alerts.ts';
import { engineHistory } from './migrations/0022-engine-history.ts';
import { upstreamKeys } from './migrations/0023-upstream-keys.ts';
import { taskTags } from './migrations/0024-task-tags.ts';
import { alertsBalancesCollections } from './migrations/0025-alerts-balances-collections.ts';
import { daySums } from './migrations/0026-day-sums.ts';
import { keysOfAccount } from './migrations/0027-keys-of-account.ts';
import { requestLog } from './migrations/0028-request-log.ts';
import { archives } from './migrations/0029-archives.ts';
import { toldProgress } from './migrations/0030-told-progress.ts';
import { shortRows } from './migrations/0031-short-rows.ts';
import { expiringTasks } from './migrations/0032-expiring-tasks.ts';
import type { DatabaseKind, Migration } from './migrations/statements.ts';

const MIGRATIONS: readonly Migration[] = [
  initial,
  webhooks,
  sharedWork,
  circuits,
  upstreamJobs,
  findDeliveries,
  webhookModes,
  fetchReferences,
  engineLoad,
  processes,
  storedBytes,
  deferredOrders,
  approveOver,
  openaiCalls,
  endUsers,
  chains,
  fileEndUsers,
  batches,
  taskCosts,
  shares,
  alerts,
  engineHistory,
  upstreamKeys,
  taskTags,
  alertsBalancesCollections,
  daySums,
  keysOfAccount,
  requestLog,
  archives,
  toldProgress,
  shortRows,
  expiringTasks,
];

/** The schema version that this code requires. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Migrates the schema to the current version in one transaction: if a step fails, the old schema stays complete.
 * @throws Error when the database was created by a newer version.
 */
export async function runMigrations(
  kind: DatabaseKind,
  transaction: (work: (session: Session) => Promise<void>) => Promise<void>,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await transaction(async (session) => {
    await session.run(
      session.builder.schema
        .createTable('schema_migrations')
        .ifNotExists()
        .addColumn('version', 'integer', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('applied_at', 'bigint', (column) => column.notNull()) as Compilable<unknown>,
    );
    const row = await session.first(
      session.builder
        .selectFrom('schema_migrations')
        .select((expression) => expression.fn.max('version').as('version')),
    );
    const current = row?.version ?? 0;
    if (current > migrations.length) {
      throw new Error(
        `The database has schema version ${current}, this program knows ${migrations.length}. Start the version of Darkroom that wrote it, or a newer one.`,
      );
    }
    for (const migration of migrations.slice(current)) {
      await session.run(
        session.builder
          .insertInto('schema_migrations')
          .values({ version: migration.version, name: migration.name, applied_at: sql<number>`${session.now}` }),
      );
      for (const statement of migration.statements(session.builder, kind)) await session.run(statement);
    }
  });
}
