import type { Selectable } from 'kysely';
import type { FileOwner } from '../../accounts/stored-bytes.ts';
import type { Database, Transaction } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';
import { eraseFileRow, insertFile, type NewFile } from '../../order-files/new-file.ts';
import { selectFile, uploadKey } from '../../order-files/own-files.ts';

/** Input files of customers: their rows. */
export interface Inputs {
  /**
   * Returns the row of a file of a key, also of an erased one; undefined = the key never had it.
   * @example const file = await kernel.inputs.find(key.id, 'file_1');
   */
  find(keyId: string, fileId: string): Promise<Selectable<Schema['files']> | undefined>;
  /**
   * Returns the key of a file in the storage.
   * @example await kernel.files.storage.remove(kernel.inputs.storageKey('file_1'));
   */
  storageKey(fileId: string): string;
  /**
   * Inserts the row of a stored file. Its bytes are counted apart: see `files.count`.
   * @example
   * const times = { now: kernel.clock.now(), expiresAt: kernel.clock.now() + kernel.settings.retentionMs };
   * await kernel.inputs.insert(trx, file, kernel.files.storer(key), times);
   */
  insert(
    trx: Transaction,
    file: NewFile,
    owner: FileOwner,
    times: { readonly now: number; readonly expiresAt: number },
  ): Promise<void>;
  /**
   * Marks a file as erased, and counts its bytes no longer.
   * @example await kernel.inputs.erase(trx, { id: 'file_1', keyId: key.id, now: kernel.clock.now() });
   */
  erase(trx: Transaction, file: { readonly id: string; readonly keyId: string; readonly now: number }): Promise<void>;
}

/** Opens the input files for additions. */
export function openInputs({ read }: Pick<Database, 'read'>): Inputs {
  return {
    find: (keyId, fileId) => read.first(selectFile, { id: fileId, key: keyId }),
    storageKey: uploadKey,
    insert: insertFile,
    erase: eraseFileRow,
  };
}
