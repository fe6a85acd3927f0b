import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { world } from '@darkroom-service/contract';
import { START_COMMAND } from '../base/own-command.ts';
import { makePrivate } from '../base/private-path.ts';
import { inspectSqlite, makeSingleFile } from '../database/inspect-sqlite.ts';
import { SCHEMA_VERSION } from '../database/migrate.ts';
import type { Config } from '../service/config/config.ts';
import {
  BACKUP_DATABASE,
  BACKUP_FILES,
  type Manifest,
  prepareEmptyDirectory,
  readChecksums,
  readManifest,
} from './backup-format.ts';
import { CommandFault } from './command-fault.ts';
import { holdCopy } from './hold-copy.ts';
import { type OutputOptions, show } from './output.ts';
import { readOwnConfig } from './own-config.ts';
import { createProgressBar, type ProgressBar } from './progress-bar.ts';

/**
 * Holds restored data until all of it is verified. An interrupted restore leaves it, and the next restore starts over.
 */
const STAGING = '.restore';

/** Restores a backup into the empty data directory of a stopped service. */
export async function restoreBackup(source: string, options: OutputOptions): Promise<void> {
  const config = readOwnConfig();
  if (config.databaseUrl !== null || config.storageUrl !== null) {
    throw new CommandFault(
      'A backup is restored into the data directory only. Unset DARKROOM_DATABASE_URL and DARKROOM_STORAGE_URL, or use pg_restore and the tools of your storage: docs/production.md.',
    );
  }
  const directory = resolve(source);
  const manifest = await readManifest(directory);
  if (manifest.schema_version > SCHEMA_VERSION) {
    throw new CommandFault(
      `The backup has schema version ${manifest.schema_version}; this version of Darkroom supports up to ${SCHEMA_VERSION}. Restore it with the version that wrote it, or a later one.`,
    );
  }
  await prepareEmptyDirectory(config.dataDirectory, [STAGING]);
  const bar = createProgressBar(!options.json);
  const restored = await restore(config, directory, manifest, bar).finally(() => bar.clear());
  const text = `Restored the database and ${restored.files} files of ${manifest.created_at} into ${config.dataDirectory}.\nStart the service: ${START_COMMAND}. It is held: it sends no order and no webhook until you run darkroom release --as successor or --as copy.`;
  show(options, { json: { directory: config.dataDirectory, created_at: manifest.created_at, ...restored }, text });
}

async function restore(
  config: Config,
  source: string,
  manifest: Manifest,
  bar: ProgressBar,
): Promise<{ files: number; bytes: number }> {
  const aside = join(config.dataDirectory, STAGING);
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { mode: 0o700 });
  try {
    let files = 0;
    let bytes = 0;
    for await (const { path, sha256 } of readChecksums(source, manifest)) {
      bytes += await copyVerified(join(source, path), join(aside, path), sha256);
      if (path !== BACKUP_DATABASE) files++;
      bar.draw((100 * bytes) / Math.max(1, manifest.bytes), `${files} files`);
    }
    if (files !== manifest.files || !existsSync(join(aside, BACKUP_DATABASE))) {
      throw new CommandFault(
        `${source} is incomplete: expected a database and ${manifest.files} files, found ${files} files.`,
      );
    }
    const { damage } = inspectSqlite(join(aside, BACKUP_DATABASE));
    if (damage.length > 0) throw new CommandFault(`The database of the backup is damaged: ${damage.join('; ')}`);
    await holdCopy(join(aside, BACKUP_DATABASE), world.now());
    makeSingleFile(join(aside, BACKUP_DATABASE));
    // The database is moved last: without it the directory does not look complete.
    if (files > 0) await rename(join(aside, BACKUP_FILES), config.filesDirectory);
    await makePrivate(join(aside, BACKUP_DATABASE), config.dataDirectory);
    await rename(join(aside, BACKUP_DATABASE), config.databasePath);
    return { files, bytes };
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Copies a file and verifies its checksum. @returns the size in bytes. */
async function copyVerified(source: string, target: string, sha256: string): Promise<number> {
  await mkdir(dirname(target), { recursive: true });
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(target, 'wx');
  try {
    for await (const chunk of createReadStream(source, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  if (hash.digest('hex') !== sha256) {
    throw new CommandFault(`${source} was changed or damaged after the backup. Nothing was restored.`);
  }
  return bytes;
}
