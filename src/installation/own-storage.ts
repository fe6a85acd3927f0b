import type { Storage } from '@darkroom-service/media';
import type { Session } from '../database/database.ts';
import { isCopy, readInstallation, suspensionOf } from './suspension.ts';

/** Wraps the storage as the installation of a database uses it, for a command beside the service. */
export async function ownStorageOf(read: Session, storage: Storage): Promise<Storage> {
  const row = await readInstallation(read);
  const suspension = suspensionOf(row);
  const mayRemove = suspension === null || !isCopy(suspension);
  return ownStorage(storage, () => ({ prefix: row?.prefix ?? null, mayRemove }));
}

/**
 * Wraps the storage of an installation. A copy beside its original writes below a prefix of its own, reads there first
 * and else the original's files, and removes only its own. While it may be a copy, it removes nothing.
 */
export function ownStorage(
  storage: Storage,
  own: () => { readonly prefix: string | null; readonly mayRemove: boolean },
): Storage {
  const at = (key: string) => {
    const { prefix } = own();
    return prefix === null ? key : `${prefix}/${key}`;
  };
  /** Returns the key under which a file exists: its own, or that of the original. */
  const find = async (key: string) => (own().prefix === null || (await storage.stat(at(key))) !== null ? at(key) : key);
  return {
    isLocal: storage.isLocal,
    put: async (key, source, options) => ({ ...(await storage.put(at(key), source, options)), key }),
    stat: async (key) => await storage.stat(await find(key)),
    open: async (key, range) => await storage.open(await find(key), range),
    address: async (key, options) => await storage.address(await find(key), options),
    async remove(key) {
      if (own().mayRemove) await storage.remove(at(key));
    },
    check: () => storage.check(),
    provesBytes: () => storage.provesBytes(),
    keepsVersions: () => storage.keepsVersions(),
    close: () => storage.close(),
    async *list(prefix, isSkipped) {
      const { prefix: added } = own();
      const skipped = added === null ? 0 : added.length + 1;
      for await (const file of storage.list(at(prefix), isSkipped)) yield { ...file, key: file.key.slice(skipped) };
    },
  };
}
