import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { describeOpenPath, makePrivate } from '../base/private-path.ts';
import { CommandFault } from './command-fault.ts';
import { print } from './print.ts';

/**
 * The format of a backup: a directory with `darkroom.db`, the files under `files/`, `checksums.txt` (as `sha256sum
 * --check` expects) and `manifest.json`, which is written last. A backup without a manifest is incomplete.
 */
export const BACKUP_DATABASE = 'darkroom.db';
export const BACKUP_FILES = 'files';
export const CHECKSUMS = 'checksums.txt';
const MANIFEST = 'manifest.json';

const ManifestSchema = Type.Object({
  format: Type.Literal(1),
  created_at: Type.String(),
  schema_version: Type.Integer({ minimum: 1 }),
  files: Type.Integer({ minimum: 0 }),
  /** Size of all files and the database, in bytes. */
  bytes: Type.Integer({ minimum: 0 }),
  /** SHA-256 (hex) of checksums.txt. */
  checksums_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type Manifest = Static<typeof ManifestSchema>;

/** Entry of checksums.txt, one per line. */
interface Checksum {
  /** Relative to the backup, separated by `/`. */
  readonly path: string;
  readonly sha256: string;
}

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const file = await open(join(directory, MANIFEST), 'wx');
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Reads and checks the manifest of a backup.
 * @throws CommandFault when the directory has no complete backup that this program can read.
 */
export async function readManifest(directory: string): Promise<Manifest> {
  const path = join(directory, MANIFEST);
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new CommandFault(`${directory} has no complete backup: cannot read ${path} (${(error as Error).message}).`);
  }
  if (Value.Check(ManifestSchema, manifest)) return manifest;
  throw new CommandFault(`This version of Darkroom cannot read the manifest ${path}.`);
}

/** Verifies checksums.txt as a whole, then yields its lines. @throws CommandFault */
export async function* readChecksums(directory: string, manifest: Manifest): AsyncGenerator<Checksum> {
  const path = join(directory, CHECKSUMS);
  if ((await hashFile(path)) !== manifest.checksums_sha256) {
    throw new CommandFault(`${path} was changed or damaged after the backup.`);
  }
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const match = /^([0-9a-f]{64}) {2}(.+)$/.exec(line);
    const file = match?.[2] ?? '';
    if (match === null || !isSafe(file)) throw new CommandFault(`${path} has an invalid line: ${line}`);
    yield { sha256: match[1]!, path: file };
  }
}

/** Computes the SHA-256 (hex) of a file. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

/** Creates the directory, or uses an empty one, and makes it private. @throws CommandFault */
export async function prepareEmptyDirectory(directory: string, ignored: readonly string[] = []): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' && error.code !== 'ENOTDIR') throw error;
    throw new CommandFault(`${directory} is a file, or inside one. Name an empty or a new directory.`);
  });
  const found = (await readdir(directory)).filter((name) => !ignored.includes(name));
  if (found.length > 0)
    throw new CommandFault(`${directory} is not empty: it contains ${found[0]}. Name an empty or a new directory.`);
  const exposed = await makePrivate(directory);
  if (exposed !== null) print(describeOpenPath(exposed), process.stderr);
}

/** Rejects paths outside the target directory: a backup may come from an untrusted source. */
function isSafe(path: string): boolean {
  if (path === BACKUP_DATABASE) return true;
  const segments = path.split('/');
  return (
    segments[0] === BACKUP_FILES && segments.length > 1 && segments.every((segment) => !/^\.{0,2}$|\\/.test(segment))
  );
}
