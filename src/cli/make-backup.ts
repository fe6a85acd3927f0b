import { constants, copyFile, link, mkdir, open, opendir, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { isoTime } from '@darkroom-service/contract';
import { markChore } from '@darkroom-service/store';
import { makePrivate } from '../base/private-path.ts';
import type { Database } from '../database/database.ts';
import { inspectSqlite, makeSingleFile } from '../database/inspect-sqlite.ts';
import type { Config } from '../service/config/config.ts';
import { BACKUP_CHORE } from '../service/doctor/production.ts';
import {
  BACKUP_DATABASE,
  BACKUP_FILES,
  CHECKSUMS,
  hashFile,
  type Manifest,
  prepareEmptyDirectory,
  writeManifest,
} from './backup-format.ts';
import { CommandFault, usageFault } from './command-fault.ts';
import { holdCopy } from './hold-copy.ts';
import { withLocalData } from './local-database.ts';
import { type OutputOptions, show } from './output.ts';
import { createProgressBar, type ProgressBar } from './progress-bar.ts';
import { shellWord } from './values.ts';

interface BackupOptions extends OutputOptions {
  readonly record?: true;
}

/**
 * Copies the data directory into a new or empty directory and says how to restore it, or records that other tools have
 * made a backup.
 */
export async function makeBackup(target: string | undefined, options: BackupOptions): Promise<void> {
  if ((target === undefined) === (options.record === undefined))
    throw usageFault('darkroom backup: expected a directory, or --record');
  if (target === undefined) return await recordBackup(options);
  const directory = resolve(target);
  const bar = createProgressBar(!options.json);
  const manifest = await withLocalData('refuse', async ({ config, database, by }) => {
    if (config.databaseUrl !== null || config.storageUrl !== null) {
      throw new CommandFault(
        'This command copies the data directory only. Copy a PostgreSQL database with pg_dump first, then the bucket with the tools of its provider: docs/production.md.',
      );
    }
    if (`${directory}${sep}`.startsWith(`${config.filesDirectory}${sep}`)) {
      throw usageFault(
        `${directory} is inside the directory to be copied. Name a directory outside of ${config.filesDirectory}.`,
      );
    }
    await prepareEmptyDirectory(directory);
    const made = await backUp(config, database, directory, isoTime(by.now), bar);
    await markBackup(database);
    return made;
  }).finally(() => bar.clear());
  const text = `Copied the database and ${manifest.files} files (${manifest.bytes} bytes) to ${directory}.\nRestore them with: darkroom restore ${shellWord(target)}`;
  show(options, { json: { directory, ...manifest }, text });
}

async function recordBackup(options: OutputOptions): Promise<void> {
  await withLocalData('refuse', ({ database }) => markBackup(database));
  show(options, { json: { recorded: true }, text: 'Recorded: a backup is complete.' });
}

async function markBackup(database: Database): Promise<void> {
  await database.write('backup', (trx) => markChore(trx, BACKUP_CHORE));
}

/**
 * Copies the database first and the files after it. Files never change, so every file that the copied database refers
 * to still exists, unless it has expired in the meantime.
 */
async function backUp(
  config: Config,
  database: Database,
  directory: string,
  createdAt: string,
  bar: ProgressBar,
): Promise<Manifest> {
  const copy = join(directory, BACKUP_DATABASE);
  bar.draw(0, 'database');
  await database.backup(copy);
  await makePrivate(copy, directory);
  await holdCopy(copy, Date.parse(createdAt));
  makeSingleFile(copy);
  const { schemaVersion, damage } = inspectSqlite(copy);
  if (damage.length > 0) {
    throw new CommandFault(`The database is damaged, so the copy cannot be used: ${damage.join('; ')}`);
  }
  const checksums = await open(join(directory, CHECKSUMS), 'wx');
  let files = 0;
  let bytes = (await stat(copy)).size;
  try {
    await checksums.write(`${await hashFile(copy)}  ${BACKUP_DATABASE}\n`);
    for await (const key of storedKeys(config.filesDirectory, '')) {
      const path = `${BACKUP_FILES}/${key}`;
      const target = join(directory, path);
      if (!(await copyStoredFile(join(config.filesDirectory, key), target))) continue;
      await checksums.write(`${await hashFile(target)}  ${path}\n`);
      bytes += (await stat(target)).size;
      files++;
      bar.draw(99 * (1 - 1 / (1 + files / 1000)), `${files} files`);
    }
    await checksums.sync();
  } finally {
    await checksums.close();
  }
  const checksumsSha256 = await hashFile(join(directory, CHECKSUMS));
  const manifest: Manifest = {
    format: 1,
    created_at: createdAt,
    schema_version: schemaVersion,
    files,
    bytes,
    checksums_sha256: checksumsSha256,
  };
  await writeManifest(directory, manifest);
  return manifest;
}

/** Yields finished files only: unfinished ones are in a directory whose name begins with a dot. */
async function* storedKeys(directory: string, folder: string): AsyncGenerator<string> {
  const entries = await opendir(join(directory, folder)).catch(missing);
  if (entries === null) return;
  for await (const entry of entries) {
    // The copy gets a mark of its own when it is released.
    if (folder + entry.name === 'installation.json') continue;
    if (entry.name.startsWith('.') || /[\r\n\\]/.test(entry.name)) continue;
    if (entry.isDirectory()) yield* storedKeys(directory, `${folder}${entry.name}/`);
    else if (entry.isFile()) yield folder + entry.name;
  }
}

/**
 * Links or copies a stored file. Stored files never change, so a hard link is as good as a copy and free.
 * @returns false if the file was erased in the meantime.
 */
async function copyStoredFile(source: string, target: string): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true });
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
  }
  // Another disk, or a file system without hard links.
  const copied = await copyFile(source, target, constants.COPYFILE_FICLONE).then(() => true, missing);
  if (copied === null) return false;
  const file = await open(target, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  return true;
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
