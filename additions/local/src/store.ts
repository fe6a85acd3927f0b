import { rmSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireProcessLock, lockState, type ProcessLock, processLockPath } from '@darkroom-service/store';
import { LocalFault } from './local-fault.ts';
import { partPrefix, type WantedFile } from './wanted-file.ts';
import { readJson, renameDurably, writeJson } from './write-json.ts';

/** A stored file of a pulled model. */
export interface StoredFile {
  readonly role: string;
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly revision: string | null;
  /** Source of the digest; `nobody`: it was computed from the first download. */
  readonly digest_from: 'manifest' | 'hub' | 'nobody';
}

/** A pulled model. It exists only after each of its files was checked. */
export interface ModelRecord {
  readonly name: string;
  readonly title: string;
  readonly type: 'image' | 'video';
  readonly engine: string;
  /** The engine's build; null = pulled without an engine. */
  readonly build: string | null;
  readonly licence: string;
  readonly parameters: Readonly<Record<string, number>>;
  /** Options of the server. */
  readonly arguments: readonly string[];
  /** Whether the model can start from a picture. */
  readonly edits: boolean;
  readonly memory_bytes: number | null;
  readonly pulled_at: string;
  /** Price in US dollars of one picture, grid or second of video, set by the operator; absent = free. */
  readonly price?: string;
  readonly files: readonly StoredFile[];
}

/** Facts about a file that the manifest lacks, fixed at the first pull. */
export interface LockedFacts {
  readonly path: string | null;
  readonly revision: string | null;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly digest_from: StoredFile['digest_from'];
}

/** The directory of local models: `models` (records), `blobs` (files, named by digest), `parts` (unfinished files). */
export interface LocalStore {
  readonly directory: string;
  readonly models: string;
  readonly parts: string;
  /** The file with the progress of the pull that changes the directory. */
  readonly status: string;
  blobPath(sha256: string): string;
  hasBlob(sha256: string, bytes: number | null): Promise<boolean>;
  /** Moves a checked file to its place. */
  keepBlob(part: string, sha256: string): Promise<void>;
  record(name: string): Promise<ModelRecord | null>;
  records(): Promise<ModelRecord[]>;
  /** Replaces the model's record at once, then removes files that no model needs any more. Its price stays. */
  writeRecord(record: ModelRecord): Promise<void>;
  /** Removes a model, its unfinished downloads and the files that no other model needs. @returns bytes freed. */
  remove(name: string, files: readonly WantedFile[]): Promise<number>;
  lockedFacts(): Promise<Readonly<Record<string, LockedFacts>>>;
  lockFacts(facts: Readonly<Record<string, LockedFacts>>): Promise<void>;
  isAccepted(model: string, licence: string): Promise<boolean>;
  recordAcceptance(model: string, licence: string, at: string): Promise<void>;
  /** Keeps other processes from changing the directory. @throws LocalFault if one already does. */
  lock(): ProcessLock;
}

interface Acceptance {
  readonly model: string;
  readonly licence: string;
  readonly accepted_at: string;
}

export function openStore(directory: string): LocalStore {
  const [models, blobs, parts] = ['models', 'blobs', 'parts'].map((name) => join(directory, name)) as [
    ...[string, string, string],
  ];
  const lockFile = join(directory, 'lock.json');
  const acceptances = join(directory, 'acceptances.json');
  const status = join(directory, 'pull.json');
  const recordPath = (name: string) => join(models, `${name}.json`);
  const blobPath = (sha256: string) => join(blobs, `sha256-${sha256}`);

  async function records(): Promise<ModelRecord[]> {
    const names = await readdir(models).catch(() => []);
    const found = names.filter((name) => name.endsWith('.json')).sort();
    const read = await Promise.all(found.map((name) => readJson(join(models, name))));
    return read.filter((one): one is ModelRecord => one !== null);
  }

  async function removeUnused(digests: Iterable<string>): Promise<number> {
    const used = new Set((await records()).flatMap(({ files }) => files.map(({ sha256 }) => sha256)));
    let freed = 0;
    for (const sha256 of new Set(digests)) {
      if (!used.has(sha256)) freed += await removeFile(blobPath(sha256));
    }
    return freed;
  }

  const store: LocalStore = {
    directory,
    models,
    parts,
    status,
    blobPath,
    records,
    async hasBlob(sha256, bytes) {
      const found = await stat(blobPath(sha256)).catch(() => null);
      return found?.isFile() === true && (bytes === null || found.size === bytes);
    },
    async keepBlob(part, sha256) {
      await mkdir(blobs, { recursive: true, mode: 0o700 });
      await renameDurably(part, blobPath(sha256));
    },
    record: async (name) => (await readJson(recordPath(name))) as ModelRecord | null,
    async writeRecord(record) {
      const before = await store.record(record.name);
      const kept = before?.price === undefined ? {} : { price: before.price };
      await writeJson(recordPath(record.name), { ...kept, ...record });
      await removeUnused((before?.files ?? []).map(({ sha256 }) => sha256));
    },
    async remove(name, files) {
      const record = await store.record(name);
      const locked = await store.lockedFacts();
      await rm(recordPath(name), { force: true });
      const known = files.map(({ id, sha256 }) => locked[id]?.sha256 ?? sha256).filter((one) => one !== null);
      let freed = await removeUnused([...known, ...(record?.files ?? []).map(({ sha256 }) => sha256)]);
      const prefixes = [...files, ...(record?.files ?? [])].map(partPrefix);
      for (const part of await readdir(parts).catch(() => [])) {
        if (prefixes.some((prefix) => part.startsWith(prefix))) freed += await removeFile(join(parts, part));
      }
      return freed;
    },
    lockedFacts: async () => ((await readJson(lockFile)) ?? {}) as Record<string, LockedFacts>,
    async lockFacts(facts) {
      await writeJson(lockFile, { ...(await store.lockedFacts()), ...facts });
    },
    async isAccepted(model, licence) {
      const all = ((await readJson(acceptances)) ?? []) as Acceptance[];
      return all.some((one) => one.model === model && one.licence === licence);
    },
    async recordAcceptance(model, licence, at) {
      const all = ((await readJson(acceptances)) ?? []) as Acceptance[];
      await writeJson(acceptances, [...all, { model, licence, accepted_at: at }]);
    },
    lock() {
      try {
        const lock = acquireProcessLock(directory, 'pull');
        // A killed pull leaves it, and this command may not be a pull.
        rmSync(status, { force: true });
        return lock;
      } catch (error) {
        if (lockState(processLockPath(directory, 'pull')) !== 'held') throw error;
        throw new LocalFault(`Another darkroom command is changing ${directory}. Wait for it, then try again.`);
      }
    },
  };
  return store;
}

/** @returns the bytes that the file used; 0 if there is none. */
async function removeFile(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  await rm(path, { force: true });
  // A partly written file uses less than its length. Windows reports no blocks.
  return found === null ? 0 : Math.min(found.size, (found.blocks ?? Number.POSITIVE_INFINITY) * 512);
}
