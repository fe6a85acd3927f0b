import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { systemClock } from '@darkroom-service/contract';
import { KEPT_VERSIONS_ADVICE, openStorage, readFreeSpace } from '@darkroom-service/files';
import { sentenceOfFault } from '@darkroom-service/media/process';
import { DATABASE_LOST, wordsOf } from '../../base/system-fault.ts';
import { loadCatalog } from '../../catalog/catalog.ts';
import type { Session } from '../../database/database.ts';
import { inspectPostgres } from '../../database/inspect-postgres.ts';
import { type Inspection, inspectSqlite } from '../../database/inspect-sqlite.ts';
import { SCHEMA_VERSION } from '../../database/migrate.ts';
import type { ValveRow } from '../../routing/stored-valves.ts';
import { answeredWithin, runAddedCheck } from '../added-checks.ts';
import type { Addition } from '../addition.ts';
import { type Check, failed, forWeek, type Observation, ok, type Question, warning } from '../check.ts';
import type { Config } from '../config/config.ts';
import { findForeignPaths } from '../config/own-paths.ts';
import { COMMITTED, STORED } from '../dependency-checks.ts';
import { enabledAdditions } from '../enabled-additions.ts';
import { diagnoseGates } from '../orders-at-gates.ts';
import { missingPublicUrl } from '../public-url.ts';
import { diagnoseCodecs } from './diagnose-codecs.ts';
import { diagnoseEngines } from './diagnose-engines.ts';
import { describeServer, diagnoseReplica, diagnoseStandbys } from './diagnose-postgres.ts';
import { diagnoseSketch } from './diagnose-sketch.ts';
import { diagnoseSpool } from './diagnose-spool.ts';
import { diagnoseHold, diagnoseProcesses } from './diagnose-work.ts';
import { nearestDirectory } from './nearest-directory.ts';
import { openDoctorSession } from './open-session.ts';

const MEGABYTE = 1024 * 1024;
const LITTLE_SPACE = 2048 * MEGABYTE;
const NO_SPACE = 200 * MEGABYTE;
const CLOCK_TOLERANCE_MS = 5_000;
const AGAIN = 'See what the message says, then run darkroom doctor again.';

/** Timeout of a check: a dependency that hangs delays the other lines no longer than this. */
const CHECK_MS = 10_000;
/** Timeout of one call within a check, so that the check can report the call's own reason. */
const ANSWER_MS = 4_000;

/** The options of `darkroom doctor`, and the additions whose checks it runs. */
type Asked = Partial<Pick<Question, 'options' | 'production'>> & { readonly additions?: readonly Addition[] };

/**
 * Checks everything the service depends on. Changes nothing but a row that shows whether commits work. Yields each
 * finding when it is known.
 */
export async function* diagnose(
  config: Config,
  now: number,
  { additions = [], options = {}, production = false }: Asked = {},
): AsyncGenerator<Check> {
  const enabled = enabledAdditions(additions, config.without);
  let inspection: Inspection | null = null;
  let serverAheadMs: number | null = null;
  let valves: readonly ValveRow[] = [];
  let schemaVersion = 0;
  const database = await run('database', async () => {
    if (config.databaseUrl !== null) {
      const askedAt = systemClock.now();
      const server = await inspectPostgres(config.databaseUrl);
      serverAheadMs = server.clockAt - now - (systemClock.now() - askedAt) / 2;
      valves = server.valves;
      schemaVersion = server.schemaVersion;
      if (server.isReadOnly)
        return failed(
          'PostgreSQL answers, but takes no writes: it is a standby, or its transactions are read-only',
          'Name the primary server in DARKROOM_DATABASE_URL, or set default_transaction_read_only to off.',
        );
      const description = await describeServer(
        server.traits,
        config,
        enabled.some(({ openNoticeTransport }) => openNoticeTransport?.(config) != null),
      );
      if (server.schemaVersion === 0) return ok(`${description}, without a schema: the first start makes it`);
      return judgeSchema(description, server.schemaVersion);
    }
    if (!existsSync(config.databasePath)) return ok(`none yet at ${config.databasePath}: the first start makes it`);
    inspection = inspectSqlite(config.databasePath);
    valves = inspection.valves;
    schemaVersion = inspection.schemaVersion;
    return judgeDatabase(config.databasePath, inspection);
  });
  yield database;
  await using closers = new AsyncDisposableStack();
  let read: Session | null = null;
  const inDatabase: [name: string, work: () => Promise<Observation>][] = [];
  if (database.status === 'ok' && schemaVersion === SCHEMA_VERSION) {
    const session = await openDoctorSession(config, closers).catch((error: Error) => error);
    inDatabase.push([
      'database writes',
      async () => {
        if (session instanceof Error) throw session;
        await session.tryCommit(ANSWER_MS);
        return ok(COMMITTED);
      },
    ]);
    if (!(session instanceof Error)) {
      read = session.read;
      inDatabase.push(
        ['processes', () => diagnoseProcesses(session.read)],
        ['hold', () => diagnoseHold(session.read, config)],
      );
    }
  }
  const { databaseUrl, databaseReplicaUrl: replicaUrl } = config;
  if (databaseUrl !== null && database.status === 'ok')
    inDatabase.push(['database standbys', () => diagnoseStandbys(databaseUrl)]);
  let isAway = false;
  for (const [name, work] of inDatabase) {
    const finding: Check = isAway ? notAsked(name) : await run(name, work);
    isAway ||= finding.found === DATABASE_LOST;
    yield finding;
  }
  if (isAway) read = null;
  if (replicaUrl !== null) yield await run('database replica', () => diagnoseReplica(replicaUrl));
  yield await run('storage', () => checkStorage(config));
  yield await run('catalog', () => checkCatalog(config));
  yield await run('engine sketch', diagnoseSketch);
  yield await run('films', () => diagnoseCodecs());
  yield* await diagnoseEngines(config, valves, now);
  yield await run('engine answers', () => diagnoseSpool(config));
  const noPublicUrl = missingPublicUrl(config);
  if (noPublicUrl !== null) yield { name: 'public URL', ...forWeek(noPublicUrl, null) };
  yield await run('data directory', () => checkDataDirectory(config));
  yield await run('disk', () => checkDisk(config));
  const rows = read;
  if (rows !== null) yield await run('gates', () => diagnoseGates(rows, additions));
  const question = { now, config, process: null, options, production, read };
  for (const check of enabled.flatMap(({ checks = [] }) => checks))
    yield* await runAddedCheck(check, question).catch((error: unknown) => [failureOf(check.name, error)]);
  yield await run('clock', async () => judgeClock(inspection, serverAheadMs, now));
}

/** Returns the finding of a check that needs the database, which has a finding of its own. */
function notAsked(name: string): Check {
  return { name, status: 'warning', found: 'not asked, since the database is away', advice: null };
}

async function run(name: string, work: () => Promise<Observation>): Promise<Check> {
  try {
    return { name, ...(await answeredWithin(CHECK_MS, work())) };
  } catch (error) {
    return failureOf(name, error);
  }
}

function failureOf(name: string, error: unknown): Check {
  // An error of ours says more than the driver's that caused it.
  const isOurs = error instanceof Error && error.cause !== undefined && sentenceOfFault(error) === null;
  return { name, ...failed(isOurs ? error.message : wordsOf(error), AGAIN) };
}

function judgeDatabase(databasePath: string, { schemaVersion, damage }: Inspection): Observation {
  if (damage.length > 0) {
    return failed(`${databasePath} is damaged: ${damage.join('; ')}`, 'Stop the service and restore the last backup.');
  }
  return judgeSchema(`${databasePath} is whole`, schemaVersion);
}

function judgeSchema(found: string, schemaVersion: number): Observation {
  if (schemaVersion > SCHEMA_VERSION) {
    return failed(
      `schema version ${schemaVersion}, this program knows ${SCHEMA_VERSION}`,
      'Start the version of Darkroom that wrote it, or a newer one.',
    );
  }
  const step = schemaVersion < SCHEMA_VERSION ? `, brought to ${SCHEMA_VERSION} at the next start` : '';
  return ok(`${found}, schema version ${schemaVersion}${step}`);
}

async function checkStorage({ filesDirectory, storageUrl, s3 }: Config): Promise<Observation> {
  if (storageUrl !== null) {
    const quick = { ...s3, attempts: 1, connectTimeoutMs: ANSWER_MS, requestTimeoutMs: ANSWER_MS };
    let proven = '';
    const storage = await openStorage({ url: storageUrl, directory: filesDirectory, s3: quick });
    try {
      await storage.check();
      if (!(await storage.provesBytes()))
        proven =
          '. It tells no digest of what it has: that later files are there is proven with their length, not their bytes';
      if (await storage.keepsVersions())
        return warning(`S3: ${STORED}, but the bucket keeps an older version of it${proven}`, KEPT_VERSIONS_ADVICE);
    } finally {
      await storage.close();
    }
    return ok(`S3: ${STORED}${proven}`);
  }
  if (!existsSync(filesDirectory)) {
    const parent = nearestDirectory(filesDirectory);
    try {
      await access(parent, constants.W_OK);
    } catch {
      return failed(
        `${filesDirectory} cannot be made: ${parent} is not writable`,
        'Set DARKROOM_DATA_DIR, or give the user of the service the right to write there.',
      );
    }
    return ok(`none yet at ${filesDirectory}: the first start makes it`);
  }
  const storage = await openStorage({ url: null, directory: filesDirectory });
  try {
    await storage.check();
  } finally {
    await storage.close();
  }
  return ok(`${filesDirectory}: ${STORED}`);
}

async function checkDataDirectory({ dataDirectory }: Config): Promise<Observation> {
  const foreign = await findForeignPaths(dataDirectory);
  if (foreign.length === 0) return ok(`${dataDirectory} can be read and written`);
  return failed(foreign.join('. '), 'Run the commands that stand behind the paths, as root.');
}

async function checkCatalog(config: Config): Promise<Observation> {
  const { models } = await loadCatalog({ directories: config.catalogDirectories });
  const images = models.filter((model) => model.type === 'image').length;
  return ok(`${images} image models and ${models.length - images} video models`);
}

/** Checks the free disk space, also of the files' directory, which may be on a disk of its own. */
async function checkDisk({ dataDirectory, filesDirectory, storageUrl }: Config): Promise<Observation> {
  const directories = [dataDirectory, ...(storageUrl === null ? [filesDirectory] : [])].map(nearestDirectory);
  const disks = await Promise.all(
    directories.map(async (directory) => ({ directory, free: await readFreeSpace(directory) })),
  );
  const { directory, free } = disks.reduce((least, disk) => (disk.free < least.free ? disk : least));
  const found = `${Math.floor(free / MEGABYTE)} MB free at ${directory}`;
  const advice = 'Free some room, or erase older orders: darkroom retention apply --days 7 shows what it would erase.';
  if (free < NO_SPACE) return failed(found, advice);
  return free < LITTLE_SPACE ? warning(found, advice) : ok(found);
}

/**
 * Judges the clock, on which rates, deadlines and signatures depend. A clock that was set back is earlier than the
 * latest stored time.
 */
function judgeClock(inspection: Inspection | null, serverAheadMs: number | null, now: number): Observation {
  const lastActAt = inspection?.lastActAt ?? null;
  const found = new Date(now).toISOString();
  if (serverAheadMs !== null) {
    if (Math.abs(serverAheadMs) <= CLOCK_TOLERANCE_MS) return ok(`${found}, as on the database server`);
    const seconds = Math.round(Math.abs(serverAheadMs) / 1000);
    return failed(
      `${found}, ${seconds} s ${serverAheadMs > 0 ? 'behind' : 'ahead of'} the database server`,
      'Set the clocks of both machines, best by NTP.',
    );
  }
  if (lastActAt === null || lastActAt <= now + CLOCK_TOLERANCE_MS) return ok(found);
  return failed(
    `${found}, but the database knows of ${new Date(lastActAt).toISOString()}`,
    'Set the clock of this machine, best by NTP.',
  );
}
