import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Storage, StorageError } from '@darkroom-service/media';
import type { Faults } from './faults.ts';

/** A storage in memory, which keeps what processes put there when they die. It may be away or full for a call. */
export interface MemoryStorage extends Storage {
  /** Every file that is there. */
  readonly keys: () => readonly string[];
  /** Takes a backup, without the mark of the installation. @returns what restores it */
  readonly backup: () => () => void;
}

export function createMemoryStorage(now: () => number, faults: Faults, meet: (cell: string) => void): MemoryStorage {
  const refusal = (kind: StorageError['kind'], key: string) => {
    meet(`storage: ${kind}`);
    return new StorageError(kind, key);
  };
  const files = new Map<string, { readonly bytes: Buffer; readonly changedAt: number }>();
  const find = (key: string) => {
    const file = files.get(key);
    if (file === undefined) throw refusal('not_found', key);
    return file.bytes;
  };
  return {
    keys: () => [...files.keys()],
    backup() {
      const kept = [...files].filter(([key]) => key !== 'installation.json');
      return () => {
        files.clear();
        for (const [key, file] of kept) files.set(key, file);
      };
    },
    isLocal: true,
    async put(key, source, { check, maxBytes }) {
      if (faults.happens('storageFaults', 'a put that is refused')) throw refusal('full', key);
      const bytes = source instanceof Readable ? await buffer(source) : Buffer.from(source);
      if (bytes.length > maxBytes) throw refusal('too_large', key);
      await check?.add(bytes);
      check?.end();
      files.set(key, { bytes, changedAt: now() });
      if (faults.happens('storageFaults', 'a put without an answer')) throw refusal('unavailable', key);
      return { key, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
    async stat(key) {
      if (faults.happens('storageFaults', 'a stat')) throw refusal('unavailable', key);
      const file = files.get(key);
      return file === undefined ? null : { bytes: file.bytes.length };
    },
    open: async (key, range) => Readable.from([find(key).subarray(range?.start, range && range.end + 1)]),
    address: async () => null,
    async remove(key) {
      if (faults.happens('storageFaults', 'a removal')) throw refusal('unavailable', key);
      files.delete(key);
    },
    keepsVersions: async () => false,
    async *list(prefix) {
      for (const [key, { bytes, changedAt }] of files)
        if (key.startsWith(prefix)) yield { key, bytes: bytes.length, changedAt };
    },
    check: async () => {},
    provesBytes: async () => true,
    close: async () => {},
  };
}
