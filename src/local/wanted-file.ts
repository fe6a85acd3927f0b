import { createHash } from 'node:crypto';
import { basename } from 'node:path/posix';
import type { EngineBuild, HubFile } from './manifest.ts';

/** One file of a model or its engine, with the facts that are known before anything is asked of the hub. */
export interface WantedFile {
  /** Stable over time, and the same for each model that uses the file. */
  readonly id: string;
  readonly role: string;
  readonly source:
    | { readonly kind: 'hub'; readonly repository: string; readonly path: string | null }
    | { readonly kind: 'release'; readonly repository: string; readonly tag: string; readonly asset: string };
  /** A commit; always null for releases, whose tag is part of the address. */
  readonly revision: string | null;
  readonly bytes: number | null;
  /** Also a digest of which only the ends are known. */
  readonly sha256: string | null;
}

export function wantedHubFile(file: HubFile): WantedFile {
  const { role, repository, path, revision, bytes, sha256 } = file;
  const id = `hub:${repository}:${path ?? sha256}`;
  return { id, role, source: { kind: 'hub', repository, path }, revision, bytes, sha256 };
}

export function wantedBuild(build: EngineBuild): WantedFile {
  const { repository, tag, asset, bytes, sha256 } = build;
  const id = `release:${repository}:${tag}:${asset}`;
  return { id, role: 'engine', source: { kind: 'release', repository, tag, asset }, revision: null, bytes, sha256 };
}

/** Returns the file's name without folders; null if it is known only by its digest. */
export function fileNameOf({ source }: WantedFile): string | null {
  if (source.kind === 'release') return source.asset;
  return source.path === null ? null : basename(source.path);
}

export function describeFile(file: WantedFile): string {
  return fileNameOf(file) ?? `${file.role} of ${file.source.repository}`;
}

export function isWholeDigest(digest: string | null): digest is string {
  return digest !== null && !digest.includes('…');
}

/** Whether a whole digest is, or may be, the expected one. Null = nothing is expected. */
export function fitsDigest(digest: string, expected: string | null): boolean {
  const [begin = '', end = ''] = (expected ?? '').split('…');
  return digest.startsWith(begin) && digest.endsWith(end);
}

/** Returns the beginning of the names of all unfinished downloads of a file. */
export function partPrefix(file: Pick<WantedFile, 'id'>): string {
  return createHash('sha256').update(file.id).digest('hex').slice(0, 16);
}
