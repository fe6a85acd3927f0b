import { statfs } from 'node:fs/promises';
import type { ProcessView } from '@darkroom-service/contract';
import { choreAgeMs } from '@darkroom-service/store';
import type { Session } from '../../database/database.ts';
import { readFacts } from '../../database/process-facts.ts';
import { type Check, failed, type Observation, ok, warning } from '../check.ts';
import type { Config } from '../config/config.ts';
import { listProcesses } from '../operations/processes.ts';
import { describeStandbys, type Standby } from '../operations/standbys.ts';
import { listStandbys } from './diagnose-postgres.ts';
import { type Expectation, judgeExpectation } from './expectation.ts';
import { nearestDirectory } from './nearest-directory.ts';
import { openDoctorSession } from './open-session.ts';
import { diagnosePublicAddress } from './public-address.ts';

/** Chore that is marked when a backup is complete. */
export const BACKUP_CHORE = 'backup';

const HOUR_MS = 60 * 60_000;
/** A daily backup may begin late and take a while. */
const BACKUP_MS = 26 * HOUR_MS;
const LEAST_FREE = 0.1;
const PAGE = 'docs/production.md';

/** Compares the installation with what production expects. Each line is independent of the others. */
export async function* judgeProduction(config: Config, now: number): AsyncGenerator<Check> {
  await using closers = new AsyncDisposableStack();
  const session = await openDoctorSession(config, closers).catch(() => null);
  for (const expectation of expectationsOf(config, session?.read ?? null, now)) yield judgeExpectation(expectation);
}

function expectationsOf(config: Config, session: Session | null, now: number): Expectation[] {
  const { databaseUrl, publicUrl } = config;
  const read = async <T>(look: (read: Session) => Promise<T>): Promise<T> => {
    if (session === null) throw new Error('not asked, since the database is away or has no schema yet');
    return await look(session);
  };
  return [
    {
      name: 'database',
      expected: 'PostgreSQL, which several machines can share',
      look: async () => (databaseUrl === null ? alone() : ok('PostgreSQL')),
    },
    {
      name: 'standbys',
      expected: 'two standbys, at least one of them synchronous',
      look: async () => (databaseUrl === null ? alone() : judgeStandbys(await listStandbys(databaseUrl))),
    },
    {
      name: 'processes',
      expected: 'two processes that answer requests and two that work on orders, on two machines, of one version',
      look: () => read(async (reader) => judgeProcesses(await listProcesses(reader))),
    },
    {
      name: 'storage',
      expected: 'an S3 bucket that every process has reached',
      look: () => (config.storageUrl === null ? local() : read(judgeReach)),
    },
    {
      name: 'address',
      expected: 'a public https address that answers, with a valid certificate',
      look: () => diagnosePublicAddress(publicUrl, now),
    },
    { name: 'proxy', expected: 'the addresses of the proxy', look: async () => judgeProxy(config) },
    { name: 'metrics', expected: 'a port for metrics', look: async () => judgeMetrics(config) },
    { name: 'backup', expected: 'a backup of the last 26 hours', look: () => read(judgeBackup) },
    { name: 'disk', expected: 'at least 10 % free', look: () => judgeDisk(config.dataDirectory) },
  ];
}

function alone(): Observation {
  return failed(
    'SQLite: one machine, whose loss stops the service until a backup is restored',
    `Set up PostgreSQL and move with darkroom migrate: ${PAGE}, "Database".`,
  );
}

async function local(): Promise<Observation> {
  return failed('files on the disk of one machine', `Set DARKROOM_STORAGE_URL to a bucket: ${PAGE}, "Bucket".`);
}

function judgeStandbys(standbys: readonly Standby[]): Observation {
  const found = describeStandbys(standbys);
  if (!standbys.some(({ is_synchronous: is }) => is))
    return failed(
      found,
      'Make one synchronous: docs/high-availability.md. If a managed service replicates below the commit, add --accept standbys.',
    );
  if (standbys.length > 1) return ok(found);
  return warning(found, 'Add a second one: the restart of the only one stops all writes.');
}

function judgeProcesses(all: readonly ProcessView[]): Observation {
  const running = all.filter(({ state }) => state === 'running');
  const serving = running.filter(({ role }) => role !== 'worker').length;
  const working = running.filter(({ role }) => role !== 'api').length;
  const hosts = new Set(running.map(({ host }) => host)).size;
  const versions = [...new Set(running.map(({ version }) => version))].toSorted();
  const found = `${serving} that answer requests, ${working} that work on orders, on ${hosts} ${hosts === 1 ? 'machine' : 'machines'}, of version ${versions.join(' and ') || 'none'}`;
  if (serving < 2 || working < 2)
    return failed(found, `Start two with DARKROOM_ROLE=api and two with DARKROOM_ROLE=worker: ${PAGE}, "Processes".`);
  if (hosts < 2) return warning(found, 'Start them on two machines, so that the loss of one stops no orders.');
  return versions.length === 1 ? ok(found) : warning(found, 'Finish the upgrade, or take it back.');
}

/** Finds running processes that have never reached the storage since their start. */
async function judgeReach(read: Session): Promise<Observation> {
  const running = (await listProcesses(read))
    .filter(({ state }) => state === 'running')
    .map(({ process_id: id }) => id);
  if (running.length === 0) return failed('no process runs', `Start them: ${PAGE}, "Processes".`);
  const rows = await read.all(
    read.builder.selectFrom('processes').select(['id', 'role', 'host', 'facts']).where('id', 'in', running),
  );
  const apart = rows.filter(({ facts }) => readFacts(facts)?.hasStored !== true);
  if (apart.length === 0) return ok(`all ${rows.length} running processes have reached the bucket`);
  return failed(
    `not reached by ${apart.map(({ role, host, id }) => `${role} at ${host} (${id})`).join(', ')}`,
    `Give it the same DARKROOM_STORAGE_URL and rights as the others: ${PAGE}, "Bucket".`,
  );
}

function judgeProxy({ trustProxy }: Config): Observation {
  const advice = 'Set DARKROOM_TRUST_PROXY to the addresses of the proxy.';
  if (trustProxy === false)
    return failed('DARKROOM_TRUST_PROXY is not set: limits and logs take the proxy for the caller', advice);
  if (trustProxy === true) return warning('every address is trusted: callers can state any address', advice);
  return ok(typeof trustProxy === 'number' ? `${trustProxy} proxies` : trustProxy.join(', '));
}

function judgeMetrics({ metricsPort }: Config): Observation {
  if (metricsPort !== null) return ok(`${metricsPort}, which Prometheus reads in every role`);
  return failed(
    'DARKROOM_METRICS_PORT is not set: workers have no port for metrics and health',
    `Set it, and scrape every process: ${PAGE}, "Metrics and alerts".`,
  );
}

async function judgeBackup(read: Session): Promise<Observation> {
  const ageMs = await choreAgeMs(read, BACKUP_CHORE);
  const advice = `Run a daily job: ${PAGE}, "Backup job". Its last step is darkroom backup --record.`;
  if (ageMs === null) return failed('none is recorded', advice);
  const found = `the last one was recorded ${Math.floor(ageMs / HOUR_MS)} hours ago`;
  return ageMs <= BACKUP_MS ? ok(found) : failed(found, `See why the job failed. ${advice}`);
}

async function judgeDisk(dataDirectory: string): Promise<Observation> {
  const directory = nearestDirectory(dataDirectory);
  const { bavail, blocks } = await statfs(directory);
  const found = `${Math.floor((100 * bavail) / blocks)} % free at ${directory}`;
  if (bavail / blocks >= LEAST_FREE) return ok(found);
  return failed(found, 'Free some room or enlarge the disk: answers of engines wait here while the database is away.');
}
