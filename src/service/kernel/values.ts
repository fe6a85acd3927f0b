import type { TaskServices } from '../../tasks/task-services.ts';
import type { Config } from '../config/config.ts';

/** Settings of the installation. */
export interface Values {
  /**
   * Returns the settings of the addition, as `read` of its variables has made them.
   * @example const brands = kernel.settings.of(SETTINGS);
   */
  readonly of: Config['of'];
  /** Role of this process: whether it answers requests (`api`), works on orders (`worker`), or both (`all`). */
  readonly role: Config['role'];
  /** Names of disabled additions. */
  readonly without: readonly string[];
  /** Address that the service listens on. */
  readonly host: string;
  /** Public URL without a slash at the end; in `http.linked`, that of the request. */
  readonly publicUrl: string;
  /**
   * Public URL without a slash at the end, whatever host a request names; null if it is only a guess, since the service
   * listens on all addresses and has no URL set.
   */
  readonly knownUrl: string | null;
  /** Vault that seals and opens customers' secrets; null = the operator has set no key. */
  readonly vault: TaskServices['settings']['vault'];
  /** Time after its end for which the files of an order are kept, in milliseconds. */
  readonly retentionMs: number;
  /** Private address ranges that the service may call. */
  readonly allowedAddresses: readonly string[];
  /** Directory of temporary files. */
  readonly temporaryDirectory: string;
  /** Settings of outgoing requests, for a fetch of the addition's own, which no trace shows. */
  readonly outgoing: Config['outgoing'];
  /** Maximum sizes in bytes: of an uploaded file, and of a file that is sent as a data URI. */
  readonly maxBytes: { readonly upload: number; readonly dataUri: number };
}

/** Opens the settings for additions. */
export function openValues(config: Config, { settings }: Pick<TaskServices, 'settings'>): Values {
  const { of, role, without, host, allowedAddresses, maxUploadBytes, outgoing } = config;
  const { publicUrl, knownUrl, maxDataUriBytes, vault, retentionMs, temporaryDirectory } = settings;
  return {
    of,
    role,
    without,
    host,
    knownUrl,
    allowedAddresses,
    maxBytes: { upload: maxUploadBytes, dataUri: maxDataUriBytes },
    publicUrl,
    vault,
    retentionMs,
    temporaryDirectory,
    outgoing,
  };
}
