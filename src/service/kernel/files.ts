import type { MediaTools, References, Storage, TrustedFetch } from '@darkroom-service/media';
import type { OrderingKey } from '../../accounts/api-key.ts';
import {
  assertRoomToStore,
  countStored,
  lockStored,
  roomToStore,
  type Storer,
  storerOf,
} from '../../accounts/stored-bytes.ts';
import type { Transaction } from '../../database/database.ts';
import { discardFiles, storageFault } from '../../order-files/new-file.ts';
import { storerOfMedia } from '../../record/task-json.ts';
import type { FileSigner } from '../../tasks/file-signer.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

/** Files in the storage of the installation, and those of other servers. */
export interface Files {
  /**
   * Files by their keys.
   * @example await kernel.files.storage.remove('uploads/none');
   */
  readonly storage: Storage;
  /**
   * Signed URLs of files.
   * @example const { url, expiresAt } = kernel.files.signer.sign('uploads/none');
   */
  readonly signer: FileSigner;
  /**
   * Tools that measure and edit media in processes of their own.
   * @example const { kind } = await kernel.files.media.probe('/tmp/picture.png', { owner: key.id });
   */
  readonly media: MediaTools;
  /**
   * Stores the files that orders name, from URLs and data.
   * @example
   * const source = { url: 'https://example.com/a.png', kind: 'image' } as const;
   * const { bytes } = await kernel.files.references.collect(source, { key: 'inputs/none', owner: key.id });
   */
  readonly references: References;
  /**
   * Calls other servers. Refuses private addresses that the operator does not allow.
   * @example
   * const limits = { maxBytes: 1_000, timeoutMs: 1_000 };
   * const { status } = await kernel.files.fetch('https://example.com/', { signal, ...limits });
   */
  readonly fetch: TrustedFetch;
  /**
   * Names the owner of a caller's files, and whether the share of its end user limits them.
   * @example const storer = kernel.files.storer(key);
   */
  storer(key: OrderingKey, endUser?: string | null): Storer;
  /**
   * Names the owner of the media of an order, and whether the share of its end user limits them.
   * @example const storer = kernel.files.storerOf(row, []);
   */
  storerOf: typeof storerOfMedia;
  /**
   * Returns the number of further bytes that may be stored.
   * @param needed refuses if fewer are left
   * @throws ServiceError `storage_limit_reached`
   * @example await kernel.files.room(kernel.files.storer(key), 1_000);
   */
  room(storer: Storer, needed?: number): Promise<number>;
  /**
   * Locks the stored bytes of a key until the unit ends: before slots and rows of orders.
   * @example await kernel.files.lock(trx, key.id);
   */
  lock(trx: Transaction, keyId: string): Promise<void>;
  /**
   * Counts bytes that are stored by this unit.
   * @throws ServiceError `storage_limit_reached`
   * @example await kernel.files.count(trx, kernel.files.storer(key), 1_000);
   */
  count(trx: Transaction, storer: Storer, bytes: number): Promise<void>;
  /**
   * Removes files whose row was not written; not if that is unknown. Failures are logged.
   * @param refusal the reason why the row was not written
   * @example await kernel.files.discard(['uploads/none'], null);
   */
  discard(keys: readonly string[], refusal: unknown): Promise<void>;
  /**
   * Returns an error of the storage or of this machine as the caller sees it: ServiceError `storage_full` or
   * `service_unavailable`; other errors as they are.
   * @example throw kernel.files.faultOf(new Error('the disk is full'));
   */
  faultOf(error: unknown): unknown;
}

/** Opens the files for additions. */
export function openFiles(services: TaskServices, fetch: TrustedFetch): Files {
  const { database, settings, storage, media, references, signer } = services;
  const limits = settings.storageLimits;
  return {
    storage,
    signer,
    media,
    references,
    fetch,
    storer: storerOf,
    storerOf: storerOfMedia,
    async room(storer, needed = 0) {
      const room = await roomToStore(database.read, storer, limits);
      if (needed > room) await assertRoomToStore(database.read, storer, needed, limits);
      return room;
    },
    lock: lockStored,
    count: (trx, storer, bytes) => countStored(trx, storer, bytes, limits),
    discard: (keys, refusal) => discardFiles(services, keys, refusal),
    faultOf: storageFault,
  };
}
