import { existsSync } from 'node:fs';
import { formatMicros } from '@darkroom-service/contract';
import { BATCH_VENDORS, BATCH_WINDOW_MS, batchEngineOf } from '@darkroom-service/engines';
import { openStorage } from '@darkroom-service/files';
import { sql } from 'kysely';
import { compilable } from '../../database/compilable.ts';
import type { Database, Session } from '../../database/database.ts';
import { inspectPostgres } from '../../database/inspect-postgres.ts';
import { inspectSqlite } from '../../database/inspect-sqlite.ts';
import { SCHEMA_VERSION } from '../../database/migrate.ts';
import { openDatabase } from '../../database/open-database.ts';
import { ownStorageOf } from '../../installation/own-storage.ts';
import type { TaskHooks } from '../../tasks/task-hooks.ts';
import type { Audit, AuditReport, Check } from '../check.ts';
import type { Config } from '../config/config.ts';
import { type Amount, readBacklog } from '../operations/backlog.ts';
import { auditDaySums } from './audit-day-sums.ts';
import { auditEndUsers } from './audit-end-users.ts';
import { auditFiles } from './audit-files.ts';
import { auditBalances, auditSettlements } from './audit-ledger.ts';
import { auditSpending } from './audit-spending.ts';
import { auditZones } from './audit-zones.ts';

/** Time past an order's deadline, or since its owner fell silent, until the order is reported. */
const OVERDUE_MS = 5 * 60_000;
/** Maximum number of faults shown of an audit: enough to act on. All are counted. */
const FAULTS_SHOWN = 100;
/** Duration of the audit per task, on one core of a small server, with the task's ledger entries and sums. */
const MICROSECONDS_A_TASK = 70;

/**
 * Checks the service's promises against the stored data: ledger, settlements, spend windows, files, stuck orders, money
 * at risk. Reads in slices and changes no row, so it can run beside a busy service.
 * @param options.files number of newest tasks of each type whose files are looked up in storage
 * @param options.tables the statements that create the tables of additions, which may be newer than the last start
 * @param options.added the audits of additions
 * @param options.hooks the hooks of all additions
 */
export async function* audit(
  config: Config,
  now: number,
  options: {
    readonly files: number;
    readonly tables: readonly string[];
    readonly added: readonly Audit[];
    readonly hooks: readonly TaskHooks[];
  },
): AsyncGenerator<Check> {
  const schema = await schemaVersionOf(config);
  if (schema === null) return yield { name: 'audit', status: 'ok', found: 'there is no database yet', advice: null };
  if (schema !== SCHEMA_VERSION) {
    const found = `schema version ${schema}, this program audits ${SCHEMA_VERSION}`;
    return yield { name: 'audit', status: 'failed', found, advice: 'Audit with the version of Darkroom that runs.' };
  }
  const database = await openDatabase({
    url: config.databaseUrl,
    path: config.databasePath,
    listen: false,
    added: options.tables,
  });
  try {
    const { read } = database;
    // The pages of a large file that are read by mapping count as memory of this program.
    if (database.kind === 'sqlite') await read.all(compilable(read, sql`pragma mmap_size = 0`));
    yield await announce(read);
    yield judge('audit balances', 'checkpoints and ledger entries', await auditBalances(read));
    yield judge('audit settlements', 'tasks', await auditSettlements(read));
    yield judge('audit spend limits', 'spend windows of keys', await auditSpending(read, options.hooks, now));
    yield judge('audit end users', 'end users', await auditEndUsers(read, now));
    yield judge('audit time zones', 'spend windows of time zones', await auditZones(read, options.hooks));
    yield judge('audit sums by day', 'closed days', await auditDaySums(read));
    for (const { what, run } of options.added) yield judge(`audit ${what}`, what, await run(read));
    yield* await auditStorage(config, database, options.files);
    yield await auditStuck(database, now);
    yield* await auditMoney(config, database, now);
  } finally {
    await database.close();
  }
}

/** Announces before the long reads how long they take. */
async function announce(session: Session): Promise<Check> {
  const counted = session.builder.selectFrom('tasks').select(({ fn }) => fn.countAll<number>().as('tasks'));
  const tasks = Number((await session.first(counted))?.tasks ?? 0);
  const seconds = Math.max(1, Math.ceil((tasks * MICROSECONDS_A_TASK) / 1_000_000));
  const time = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  const found = `reads ${tasks.toLocaleString('en')} tasks with their ledger entries and sums: about ${time}`;
  return { name: 'audit', status: 'ok', found, advice: null };
}

async function schemaVersionOf(config: Config): Promise<number | null> {
  if (config.databaseUrl !== null) {
    const { schemaVersion } = await inspectPostgres(config.databaseUrl);
    return schemaVersion === 0 ? null : schemaVersion;
  }
  return existsSync(config.databasePath) ? inspectSqlite(config.databasePath).schemaVersion : null;
}

function judge(name: string, what: string, { looked, faults }: AuditReport): Check {
  if (faults.length === 0) return { name, status: 'ok', found: `${looked} ${what}, all as promised`, advice: null };
  const shown = faults.slice(0, FAULTS_SHOWN);
  const more = faults.length > shown.length ? [`and ${faults.length - shown.length} more`] : [];
  const found = [`${faults.length} of ${looked} ${what} are wrong:`, ...shown, ...more].join('\n');
  return {
    name,
    status: 'failed',
    found,
    advice: 'Keep a backup of the database as it is, then compare with an earlier one.',
  };
}

async function auditStorage(config: Config, database: Database, most: number): Promise<Check[]> {
  const opened = await openStorage({ url: config.storageUrl, directory: config.filesDirectory, s3: config.s3 });
  const storage = await ownStorageOf(database.read, opened);
  try {
    return [judge('audit files', 'files of tasks', await auditFiles(database.read, storage, most))];
  } finally {
    await storage.close();
  }
}

/**
 * Finds orders past their hard deadline, and those whose owner's lease has expired: a running worker leaves neither.
 */
async function auditStuck({ read }: Database, now: number): Promise<Check> {
  const name = 'audit stuck orders';
  const stuck = read.builder
    .selectFrom('tasks')
    .where('next_at', 'is not', null)
    .where('next_at', '<=', now - OVERDUE_MS)
    .where('step', '!=', 'final');
  const rows = await read.all(
    stuck.select(['id', 'step', 'worker', 'deadline_at']).orderBy('next_at').limit(FAULTS_SHOWN),
  );
  if (rows.length === 0) return { name, status: 'ok', found: 'none', advice: null };
  const all = await read.first(stuck.select(({ fn }) => fn.countAll<number>().as('orders')));
  const shown = rows.map(({ id, step, worker, deadline_at: deadline }) => {
    const why =
      deadline <= now - OVERDUE_MS
        ? 'past its deadline'
        : worker === null
          ? 'nobody takes it up'
          : `${worker} is silent`;
    return `task ${id} (${step}): ${why}`;
  });
  const found = [`${Number(all?.orders ?? 0)} orders wait for nobody:`, ...shown].join('\n');
  return {
    name,
    status: 'failed',
    found,
    advice: 'Is a process with the role worker or all running? Its log says why it does not go on.',
  };
}

async function auditMoney(config: Config, database: Database, now: number): Promise<Check[]> {
  const { overdue, unknown } = await readBacklog(database.read, { ...config, windowOf: windowsOf(config), now });
  return [
    findingOf(
      'audit money at risk',
      overdue,
      'are with an engine past the soft deadline',
      'Look them up in its own records.',
    ),
    findingOf(
      'audit unknown outcomes',
      unknown,
      'are of unknown outcome',
      'GET /admin/v1/reconciliation lists them; resolve each with what was found.',
    ),
  ];
}

/**
 * Returns the time windows of engines with batch interfaces, which are known by their names: nothing is connected here.
 */
function windowsOf({ engineInstances }: Config): (engine: string) => number {
  const isBatch = (kind: string) => BATCH_VENDORS.some((vendor) => vendor === kind);
  const instances = engineInstances.flatMap(({ name, settings }) => (isBatch(settings.kind) ? [name] : []));
  const engines = new Set<string>([...BATCH_VENDORS, ...instances].map((name) => batchEngineOf(name)));
  return (engine) => (engines.has(engine) ? BATCH_WINDOW_MS : 0);
}

function findingOf(name: string, amounts: ReadonlyMap<string, Amount>, what: string, advice: string): Check {
  if (amounts.size === 0) return { name, status: 'ok', found: 'none', advice: null };
  const parts = [...amounts].map(
    ([engine, { count, money }]) => `${engine}: ${count} live orders (${formatMicros(money)} USD) ${what}`,
  );
  return { name, status: 'warning', found: parts.join('\n'), advice };
}
