import { createHash } from 'node:crypto';
import { basename } from 'node:path/posix';
import { assetPattern, isPattern } from './asset-pattern.ts';
import type { EngineBuild, HubFile } from './manifest.ts';

/** A file of a release. The name may be a pattern. */
export interface ReleaseSource {
  readonly kind: 'release';
  readonly repository: string;
  readonly tag: string;
  readonly asset: string;
}

/** A file of a model or its engine, with the facts that are known before the hub is asked. */
export interface WantedFile {
  /** Stable id, equal for each model that uses the file. */
  readonly id: string;
  readonly role: string;
  readonly source: { readonly kind: 'hub'; readonly repository: string; readonly path: string | null } | ReleaseSource;
  /** Commit; always null for releases, whose tag is part of the address. */
  readonly revision: string | null;
  readonly bytes: number | null;
  /** Digest, perhaps one of which only the ends are known. */
  readonly sha256: string | null;
}

export function wantedHubFile(file: HubFile): WantedFile {
  const { role, repository, path, revision, bytes, sha256 } = file;
  const id = `hub:${repository}:${path ?? sha256}`;
  return { id, role, source: { kind: 'hub', repository, path }, revision, bytes, sha256 };
}

/** Returns the archives of a build: first the one with its program. */
export function wantedBuild(build: EngineBuild): WantedFile[] {
  const { repository, tag, with: further = [] } = build;
  return [build, ...further].map(({ asset, bytes, sha256 }) => ({
    id: `release:${repository}:${tag}:${asset}`,
    role: 'engine',
    source: { kind: 'release', repository, tag, asset },
    revision: null,
    bytes,
    sha256,
  }));
}

/** Returns the file's name without folders; null if it is known only by its digest, or by a pattern. */
export function fileNameOf({ source }: WantedFile): string | null {
  if (source.kind === 'release') return isPattern(source.asset) ? null : source.asset;
  return source.path === null ? null : basename(source.path);
}

/** Whether the file may have the name. */
export function fitsName({ source }: WantedFile, name: string): boolean {
  if (source.kind === 'release') return assetPattern(source.asset).test(name);
  return source.path !== null && basename(source.path) === name;
}

export function describeFile({ source, role }: WantedFile): string {
  if (source.kind === 'release') return source.asset;
  return source.path === null ? `${role} of ${source.repository}` : basename(source.path);
}

export function isWholeDigest(digest: string | null): digest is string {
  return digest !== null && !digest.includes('…');
}

/** Whether a whole digest is, or may be, the expected one. Null = nothing is expected. */
export function fitsDigest(digest: string, expected: string | null): boolean {
  const [begin = '', end = ''] = (expected ?? '').split('…');
  return digest.startsWith(begin) && digest.endsWith(end);
}

/** Returns the prefix of the names of all unfinished downloads of a file. */
export function partPrefix(file: Pick<WantedFile, 'id'>): string {
  return createHash('sha256').update(file.id).digest('hex').slice(0, 16);
}
