import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { digestFile } from './digest.ts';
import { LocalFault } from './local-fault.ts';
import { type PlannedFile, partPath, planStored, usableLock } from './plan-pull.ts';
import type { LocalStore } from './store.ts';
import { describeFile, fileNameOf, fitsDigest, fitsName, isWholeDigest, type WantedFile } from './wanted-file.ts';

interface Candidate {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

/** Maximum number of files whose digests are computed. */
const MAX_FILES = 200;

/**
 * Finds each file in a folder: by its digest, or by its name if no digest is known. Does not contact a hub.
 * @throws LocalFault naming every file that is missing.
 */
export async function planImport(
  files: readonly WantedFile[],
  folder: string,
  { store, signal }: { readonly store: LocalStore; readonly signal: AbortSignal },
): Promise<PlannedFile[]> {
  const candidates = await listFolder(folder);
  const locked = await store.lockedFacts();
  const digests = new Map<string, string>();
  const digestOf = async (path: string) => {
    const digest = digests.get(path) ?? (await digestFile(path, signal));
    digests.set(path, digest);
    return digest;
  };
  const planned: PlannedFile[] = [];
  const missing: string[] = [];
  for (const file of files) {
    const lock = usableLock(file, locked[file.id]);
    const stored = await planStored(file, lock, store);
    const expected = isWholeDigest(file.sha256) ? file.sha256 : (lock?.sha256 ?? file.sha256);
    const found = stored === null ? await findCandidate(file, expected, candidates, digestOf) : null;
    if (stored !== null) planned.push(stored);
    else if (found === null) missing.push(`  ${describeFile(file)}: ${expected ?? 'no digest is known'}`);
    else {
      const facts = {
        path: lock?.path ?? pathOf(file, found.name),
        revision: file.revision ?? lock?.revision ?? null,
        bytes: found.bytes,
        sha256: await digestOf(found.path),
        digest_from: isWholeDigest(file.sha256) ? ('manifest' as const) : (lock?.digest_from ?? ('nobody' as const)),
      };
      planned.push({
        wanted: file,
        name: fileNameOf(file) ?? found.name,
        facts,
        unverified: isWholeDigest(expected) ? [] : ['sha256'],
        source: { kind: 'folder', path: found.path },
        part: partPath(store, file, facts.sha256),
        missingBytes: found.bytes,
      });
    }
  }
  if (missing.length === 0) return planned;
  throw new LocalFault(`${folder} lacks these files, or has them with other content:\n${missing.join('\n')}`);
}

async function findCandidate(
  file: WantedFile,
  expected: string | null,
  candidates: readonly Candidate[],
  digestOf: (path: string) => Promise<string>,
): Promise<Candidate | null> {
  const fitting = candidates
    .filter(({ bytes }) => file.bytes === null || bytes === file.bytes)
    .filter((one) => expected !== null || fitsName(file, one.name))
    // The file of the right name is most likely the right one, so the others need not be read.
    .toSorted((a, b) => Number(fitsName(file, b.name)) - Number(fitsName(file, a.name)));
  for (const candidate of fitting) {
    if (fitsDigest(await digestOf(candidate.path), expected)) return candidate;
  }
  return null;
}

/** Returns the path to lock: that in the repository, or the name that a pattern matched. */
function pathOf(file: WantedFile, name: string): string | null {
  if (file.source.kind === 'hub') return file.source.path;
  return fileNameOf(file) === null && fitsName(file, name) ? name : null;
}

async function listFolder(folder: string): Promise<Candidate[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new LocalFault(`${folder} cannot be read (${error.code}). Expected a folder with the model's files.`);
  });
  if (names.length > MAX_FILES)
    throw new LocalFault(`${folder} has ${names.length} entries. Expected a folder with the model's files only.`);
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const entry = await stat(path).catch(() => null);
      return entry?.isFile() === true && entry.size > 0 ? [{ name, path, bytes: entry.size }] : [];
    }),
  );
  return found.flat();
}
