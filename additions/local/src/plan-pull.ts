import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { basename } from 'node:path/posix';
import { isPattern } from './asset-pattern.ts';
import { addressOf, findByDigest, type Hubs, transportOf } from './hub.ts';
import { LocalFault } from './local-fault.ts';
import { bytesInPart } from './part-file.ts';
import { findAsset, type ListedAsset } from './release-list.ts';
import { openRemoteFile, type RemoteFile } from './remote-file.ts';
import { withRetries } from './retry.ts';
import type { LocalStore, LockedFacts } from './store.ts';
import type { OnWait } from './transport.ts';
import { describeFile, fileNameOf, fitsDigest, isWholeDigest, partPrefix, type WantedFile } from './wanted-file.ts';

/** A file with all the facts that the hub reports. */
export interface PlannedFile {
  readonly wanted: WantedFile;
  readonly name: string;
  readonly facts: LockedFacts;
  /** Facts that neither the manifest nor an earlier pull names. A person should agree to them. */
  readonly unverified: readonly string[];
  readonly source:
    | { readonly kind: 'stored' }
    | { readonly kind: 'folder'; readonly path: string }
    | { readonly kind: 'hub'; readonly remote: RemoteFile };
  readonly part: string;
  /** Bytes that must still be written to disk. */
  readonly missingBytes: number;
}

interface PlanOptions {
  readonly store: LocalStore;
  readonly hubs: Hubs;
  readonly signal: AbortSignal;
  /** The first pause after a failed connection. */
  readonly pauseMs: number;
  readonly onWait?: OnWait | undefined;
}

/** Asks the hub for each file that is not stored. @throws LocalFault if the hub contradicts the manifest. */
export async function planPull(files: readonly WantedFile[], options: PlanOptions): Promise<PlannedFile[]> {
  const { store } = options;
  const locked = await store.lockedFacts();
  const planned: PlannedFile[] = [];
  for (const file of files) {
    const lock = usableLock(file, locked[file.id]);
    planned.push((await planStored(file, lock, store)) ?? (await planRemote(file, lock, options)));
  }
  return planned;
}

/** Plans a file that is in the store. @returns null if it is not. */
export async function planStored(
  wanted: WantedFile,
  lock: LockedFacts | null,
  store: LocalStore,
): Promise<PlannedFile | null> {
  const sha256 = isWholeDigest(wanted.sha256) ? wanted.sha256 : (lock?.sha256 ?? null);
  if (lock === null || sha256 === null || !(await store.hasBlob(sha256, lock.bytes))) return null;
  return {
    wanted,
    name: fileNameOf(wanted) ?? basename(lock.path ?? wanted.role),
    facts: { ...lock, sha256, digest_from: isWholeDigest(wanted.sha256) ? 'manifest' : lock.digest_from },
    unverified: [],
    source: { kind: 'stored' },
    part: '',
    missingBytes: 0,
  };
}

/** Returns facts of an earlier pull as far as the manifest does not contradict them. */
export function usableLock(file: WantedFile, lock: LockedFacts | undefined): LockedFacts | null {
  if (lock === undefined) return null;
  const contradicts =
    (file.bytes !== null && file.bytes !== lock.bytes) ||
    (file.revision !== null && file.revision !== lock.revision) ||
    (lock.sha256 !== null && !fitsDigest(lock.sha256, file.sha256));
  return contradicts ? null : lock;
}

export function partPath(store: LocalStore, file: WantedFile, version: string): string {
  const suffix = createHash('sha256').update(version).digest('hex').slice(0, 16);
  return join(store.parts, `${partPrefix(file)}-${suffix}.part`);
}

async function planRemote(file: WantedFile, lock: LockedFacts | null, options: PlanOptions): Promise<PlannedFile> {
  const { store, hubs, signal } = options;
  const known: WantedFile = { ...file, revision: file.revision ?? lock?.revision ?? null };
  const { path, listed } = await findFile(known, lock, options);
  const remote = await withRetries({ ...options, name: describeFile(file) }, () =>
    openRemoteFile(transportOf(file, hubs), addressOf(known, path, hubs), signal),
  );
  const told = { ...remote.facts, sha256: remote.facts.sha256 ?? listed?.sha256 ?? null };
  const name = fileNameOf(file) ?? basename(decodeURIComponent(path ?? file.role));
  if (listed !== null && told.bytes !== listed.bytes)
    throw new LocalFault(
      `${name}: the list of the release tells ${listed.bytes} bytes, the hub has ${told.bytes}. Nothing was downloaded.`,
    );
  const expectedBytes = file.bytes ?? lock?.bytes ?? null;
  if (expectedBytes !== null && told.bytes !== expectedBytes)
    throw new LocalFault(
      `${name}: expected ${expectedBytes} bytes, the hub has ${told.bytes}. Nothing was downloaded.`,
    );
  const expected = isWholeDigest(file.sha256) ? file.sha256 : (lock?.sha256 ?? file.sha256);
  if (told.sha256 !== null && !fitsDigest(told.sha256, expected))
    throw new LocalFault(
      `${name}: expected the digest ${expected}, the hub has ${told.sha256}. Nothing was downloaded.`,
    );
  const sha256 = isWholeDigest(expected) ? expected : told.sha256;
  const facts: LockedFacts = {
    path,
    revision: known.revision ?? told.revision,
    bytes: told.bytes,
    sha256,
    digest_from: digestFrom(file, lock, sha256),
  };
  const isNew = {
    name: listed !== null && path !== null,
    revision: file.source.kind === 'hub' && known.revision === null,
    bytes: expectedBytes === null,
    sha256: !isWholeDigest(expected),
  };
  const part = partPath(store, file, sha256 ?? `${told.version} ${told.bytes}`);
  return {
    wanted: file,
    name,
    facts,
    unverified: Object.entries(isNew).flatMap(([fact, unknown]) => (unknown ? [fact] : [])),
    source: { kind: 'hub', remote },
    part,
    missingBytes: told.bytes - (await bytesInPart(part, told.bytes)),
  };
}

/** Asks the lists of the hub for a path, a name or a digest that neither the manifest nor an earlier pull knows. */
async function findFile(
  file: WantedFile,
  lock: LockedFacts | null,
  options: PlanOptions,
): Promise<{ readonly path: string | null; readonly listed: ListedAsset | null }> {
  const { source } = file;
  const { hubs, signal } = options;
  const retried = { ...options, name: describeFile(file) };
  const known = lock?.path ?? null;
  if (source.kind === 'hub') {
    const path = source.path ?? known ?? (await withRetries(retried, () => findByDigest(file, hubs, signal)));
    return { path, listed: null };
  }
  const lacksName = isPattern(source.asset) && known === null;
  const lacksDigest = !isWholeDigest(file.sha256) && (lock?.sha256 ?? null) === null;
  const listed = lacksName || lacksDigest ? await withRetries(retried, () => findAsset(source, hubs, signal)) : null;
  return { path: isPattern(source.asset) ? (listed?.name ?? known) : null, listed };
}

function digestFrom(file: WantedFile, lock: LockedFacts | null, sha256: string | null): LockedFacts['digest_from'] {
  if (isWholeDigest(file.sha256)) return 'manifest';
  if (lock !== null && lock.sha256 !== null) return lock.digest_from;
  return sha256 === null ? 'nobody' : 'hub';
}
