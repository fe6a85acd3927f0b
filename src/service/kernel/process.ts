import type { Heartbeat } from '@darkroom-service/store';
import type { StartRefresh } from '../../database/refresh.ts';
import type { Config } from '../config/config.ts';
import type { Readiness } from '../readiness.ts';

/** A process of the installation: its id and files, reads that it repeats, and dependencies that it cannot reach. */
export interface OwnProcess {
  /**
   * Id of this process, as in the orders that it has claimed.
   * @example const isOurs = row.worker === kernel.process.id;
   */
  readonly id: string;
  /**
   * Calls a listener after each heartbeat, with the processes that are silent. Returns the function that ends that.
   * @example const end = kernel.process.onHeartbeat(({ kind }) => kernel.log.debug({ kind }));
   */
  onHeartbeat: Heartbeat['onReport'];
  /**
   * Reads something now and periodically until the process ends, so that a change by one process applies in all. While
   * reads fail, the last state stays in use.
   * @param name as in logs and metrics
   * @returns the function that reads now
   * @throws the error of the first read
   * @example
   * let now = 0;
   * await kernel.process.refresh('brands', 2_000, async () => {
   *   now = await kernel.store.now(session);
   * });
   */
  refresh(name: string, everyMs: number, read: () => Promise<void>): Promise<() => Promise<void>>;
  /**
   * Directory of the data of this process.
   * @example const isElsewhere = kernel.process.storage.directory !== `${kernel.process.dataDirectory}/files`;
   */
  readonly dataDirectory: string;
  /**
   * Place of stored files: the URL of a bucket, which all processes share, or else a directory of this machine.
   * @example const isShared = kernel.process.storage.url !== null;
   */
  readonly storage: { readonly url: string | null; readonly directory: string };
  /**
   * Returns the current outages of dependencies.
   * @example const [first] = kernel.process.outages();
   */
  outages(): ReturnType<Readiness['outages']>;
  /**
   * Returns the last outage of each dependency that has ended since the start.
   * @example const ended = kernel.process.endedOutages().map(({ name }) => name);
   */
  endedOutages(): ReturnType<Readiness['endedOutages']>;
}

/** Opens the parts of this process that additions see. */
export function openOwnProcess(
  {
    config: { dataDirectory, storageUrl, filesDirectory },
    process: { id, heartbeat },
    readiness,
    startRefresh,
  }: {
    readonly config: Pick<Config, 'dataDirectory' | 'storageUrl' | 'filesDirectory'>;
    readonly process: { readonly id: string; readonly heartbeat: Pick<Heartbeat, 'onReport'> };
    readonly readiness: Pick<Readiness, 'outages' | 'endedOutages'>;
    readonly startRefresh: StartRefresh;
  },
  closers: Pick<AsyncDisposableStack, 'defer'>,
): OwnProcess {
  return {
    id,
    onHeartbeat: (listener) => heartbeat.onReport(listener),
    async refresh(name, everyMs, read) {
      const refresh = await startRefresh(name, everyMs, read);
      closers.defer(() => refresh.stop());
      return () => refresh.now();
    },
    dataDirectory,
    storage: { url: storageUrl, directory: filesDirectory },
    outages: () => readiness.outages(),
    endedOutages: () => readiness.endedOutages(),
  };
}
