import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { describeOpenPath, makeDataPrivate } from '../base/private-path.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { openClock } from './open-clock.ts';
import { closeProcess, heartbeatTempo, type OwnProcess, openProcess } from './open-process.ts';
import type { ServiceOptions } from './service-options.ts';

/** The stored data, and what a process needs to write it beside others. */
export interface ServiceData {
  readonly database: Database;
  readonly process: OwnProcess;
  readonly clock: Clock;
  readonly storage: Storage;
}

/** Opens the database, this process's lock and heartbeats, the clock and the storage. */
export async function openData(
  config: Config,
  options: ServiceOptions,
  log: Log,
  closers: AsyncDisposableStack,
): Promise<ServiceData> {
  const database = await openDatabase({
    url: config.databaseUrl,
    listenUrl: config.databaseListenUrl,
    replicaUrl: config.databaseReplicaUrl,
    path: config.databasePath,
    clock: options.clock,
    commitHook: options.commitHook,
    onFault: (error, what) => log.warn({ err: error }, what),
  });
  closers.defer(() => database.close());
  const ownProcess = openProcess(config, heartbeatTempo(options.tempo), log);
  closers.defer(() => closeProcess(ownProcess, database));
  const clock = await openClock(database, options, log, closers);
  const opened = await openStorage({ url: config.storageUrl, directory: config.filesDirectory, s3: config.s3 });
  const storage = options.wrapStorage?.(opened) ?? opened;
  closers.defer(() => storage.close());
  const { dataDirectory: directory, databasePath, filesDirectory } = config;
  for (const open of await makeDataPrivate({ directory, databasePath, filesDirectory })) {
    log.warn(open, describeOpenPath(open));
  }
  return { database, process: ownProcess, clock, storage };
}
