import { copyFile, mkdir, open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { digestFile } from './digest.ts';
import { download } from './download.ts';
import { LocalFault } from './local-fault.ts';
import { removePart, removePartState } from './part-file.ts';
import type { PlannedFile } from './plan-pull.ts';
import type { LocalStore, StoredFile } from './store.ts';
import type { OnWait } from './transport.ts';
import { fitsDigest, partPrefix } from './wanted-file.ts';

interface ExecuteOptions {
  readonly store: LocalStore;
  readonly connections: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: PullProgress) => void;
  /** First pause after a failed connection, in milliseconds. */
  readonly pauseMs: number;
  readonly onWait?: OnWait;
}

export interface PullProgress {
  readonly name: string;
  readonly work: 'downloading' | 'copying' | 'checking';
  /** Bytes of this step since the last call; negative if they must be loaded again. */
  readonly bytes: number;
}

/** Loads and checks each file. A file of another digest is deleted. @throws LocalFault */
export async function executePull(files: readonly PlannedFile[], options: ExecuteOptions): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  for (const file of files) stored.push(await loadFile(file, options));
  return stored;
}

async function loadFile(file: PlannedFile, options: ExecuteOptions): Promise<StoredFile> {
  const { store, signal, onProgress } = options;
  const { name, facts, source, wanted, part } = file;
  const report = (work: PullProgress['work']) => (bytes: number) => onProgress({ name, work, bytes });
  const path = source.kind === 'stored' ? store.blobPath(facts.sha256 ?? '') : part;
  if (source.kind !== 'stored') await removeOtherParts(file, store);
  if (source.kind === 'hub')
    await download({ ...options, remote: source.remote, name, part, onBytes: report('downloading') });
  if (source.kind === 'folder') {
    report('copying')(0);
    await mkdir(dirname(part), { recursive: true, mode: 0o700 });
    await copyFile(source.path, part);
    report('copying')(facts.bytes);
  }
  const sha256 = await digestFile(path, signal, report('checking'));
  if (sha256 !== facts.sha256 && (facts.sha256 !== null || !fitsDigest(sha256, wanted.sha256))) {
    await removePart(path);
    throw new LocalFault(
      `${name} has the digest ${sha256}, expected ${facts.sha256 ?? wanted.sha256}. The file was deleted. Run the command again; if it happens again, the source is wrong.`,
    );
  }
  if (source.kind !== 'stored') {
    await syncFile(part);
    await store.keepBlob(part, sha256);
    await removePartState(part);
    await store.lockFacts({ [wanted.id]: { ...facts, sha256 } });
  }
  return {
    role: wanted.role,
    id: wanted.id,
    name,
    bytes: facts.bytes,
    sha256,
    revision: facts.revision,
    digest_from: facts.digest_from,
  };
}

/** Removes unfinished downloads of earlier versions of the file, which are useless. */
async function removeOtherParts({ wanted, part }: PlannedFile, store: LocalStore): Promise<void> {
  for (const name of await readdir(store.parts).catch(() => [])) {
    if (name.endsWith('.part') && name.startsWith(partPrefix(wanted)) && name !== basename(part))
      await removePart(join(store.parts, name));
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
