import type { Config } from '../config/config.ts';
import type { Readiness } from '../readiness.ts';

/** Files of a process, and the dependencies that it cannot reach. */
export interface OwnProcess {
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
   * @example const ended = kernel.process.endedOutages().map(({ check }) => check);
   */
  endedOutages(): ReturnType<Readiness['endedOutages']>;
  /**
   * Adds a check that `/readyz` reports. It does not affect readiness.
   * @example kernel.process.addCheck(() => ({ name: 'brands', ok: true, detail: 'loaded' }));
   */
  addCheck(read: Parameters<Readiness['addCheck']>[0]): void;
}

/** Opens the parts of this process that additions see. */
export function openOwnProcess(
  { dataDirectory, storageUrl, filesDirectory }: Pick<Config, 'dataDirectory' | 'storageUrl' | 'filesDirectory'>,
  readiness: Pick<Readiness, 'outages' | 'endedOutages' | 'addCheck'>,
): OwnProcess {
  return {
    dataDirectory,
    storage: { url: storageUrl, directory: filesDirectory },
    outages: () => readiness.outages(),
    endedOutages: () => readiness.endedOutages(),
    addCheck: (read) => readiness.addCheck(read),
  };
}
