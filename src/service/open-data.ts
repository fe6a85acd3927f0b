import { rm } from 'node:fs/promises';
import { type Clock, createIdFactory, systemClock } from '@darkroom-service/contract';
import { KEPT_VERSIONS_ADVICE, openStorage } from '@darkroom-service/files';
import type { Storage } from '@darkroom-service/media';
import type { Log } from '../base/log.ts';
import { describeOpenPath, makeDataPrivate } from '../base/private-path.ts';
import type { Database } from '../database/database.ts';
import { openDatabaseClock } from '../database/database-clock.ts';
import { openDatabase } from '../database/open-database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import { Installation } from '../installation/installation.ts';
import { tablesOf } from './addition.ts';
import type { Config } from './config/config.ts';
import { enabledAdditions } from './enabled-additions.ts';
import { closeProcess, heartbeatTempo, type OwnProcess, openProcess } from './open-process.ts';
import type { ServiceOptions } from './service-options.ts';
import { openTemporaryDirectory } from './temporary-directory.ts';

/** The stored data, and what a process needs to write it beside others. */
export interface ServiceData {
  readonly database: Database;
  readonly process: OwnProcess;
  /** The directory of this process's temporary files. */
  readonly temporaryDirectory: string;
  readonly clock: Clock;
  /** The storage as this installation uses it. */
  readonly storage: Storage;
  readonly installation: Installation;
}

/** Opens the database, this process's lock and heartbeats, the clock and the storage. */
export async function openData(
  processId: string,
  config: Config,
  options: ServiceOptions,
  log: Log,
  startRefresh: StartRefresh,
  closers: AsyncDisposableStack,
): Promise<ServiceData> {
  const [openNoticeTransport] = enabledAdditions(options.additions ?? [], config.without).flatMap(
    (addition) => addition.openNoticeTransport?.(config) ?? [],
  );
  const database = await openDatabase({
    url: config.databaseUrl,
    listenUrl: config.databaseListenUrl,
    openNoticeTransport,
    replicaUrl: config.databaseReplicaUrl,
    path: config.databasePath,
    clock: options.clock,
    commitHook: options.commitHook,
    added: tablesOf(options.additions),
    onFault: (error, what) => log.warn({ err: error }, what),
  });
  closers.defer(() => database.close());
  const ownProcess = openProcess(processId, config, heartbeatTempo(options.tempo), log);
  closers.defer(() => closeProcess(ownProcess, database));
  const temporaryDirectory = await openTemporaryDirectory(config.dataDirectory, processId, log);
  closers.defer(() => rm(temporaryDirectory, { recursive: true, force: true }));
  const clock = await openClock(database, options, log, startRefresh, closers);
  const opened = await openStorage({ url: config.storageUrl, directory: config.filesDirectory, s3: config.s3 });
  const storage = options.wrapStorage?.(opened) ?? opened;
  closers.defer(() => storage.close());
  // The service starts while the storage is down.
  storage.keepsVersions().then(
    (keeps) => keeps && log.warn(`the bucket keeps older versions of removed files. ${KEPT_VERSIONS_ADVICE}`),
    (error) => log.debug({ err: error }, 'could not find out whether the bucket keeps versions'),
  );
  const { dataDirectory: directory, databasePath, filesDirectory } = config;
  for (const open of await makeDataPrivate({ directory, databasePath, filesDirectory })) {
    log.warn(open, describeOpenPath(open));
  }
  const installation = await Installation.open({
    database,
    storage,
    log,
    isSuspendedBySetting: config.hold,
    now: () => clock.now(),
    createId: createIdFactory(() => clock.now(), config.cell),
    ...options.tempo?.installation,
  });
  closers.defer(() => installation.stop());
  return { database, process: ownProcess, temporaryDirectory, clock, storage: installation.storage, installation };
}

/**
 * Opens the service's clock: the machine's with the embedded database, otherwise one that follows the database
 * server's.
 */
async function openClock(
  database: Database,
  { clock, processClock = systemClock }: { readonly clock?: Clock; readonly processClock?: Clock },
  log: Log,
  startRefresh: StartRefresh,
  closers: AsyncDisposableStack,
): Promise<Clock> {
  if (clock !== undefined) return clock;
  if (database.kind === 'sqlite') return processClock;
  const followed = await openDatabaseClock({
    database,
    own: processClock,
    startRefresh,
    onSkew(aheadMs) {
      if (aheadMs === 0) log.info('clock matches the database again');
      else
        log.warn(
          { ahead_ms: Math.round(aheadMs) },
          'clock differs from the database; using the time of the database. Synchronize the clock of this machine, for example with NTP',
        );
    },
  });
  closers.defer(() => followed.stop());
  return followed;
}
