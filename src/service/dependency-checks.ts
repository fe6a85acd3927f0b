import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { markChore } from '@darkroom-service/store';
import type { Database } from '../database/database.ts';
import { SCHEMA_VERSION } from '../database/migrate.ts';

/** The words of `/readyz` and the doctor for a database and a storage that take writes. */
export const COMMITTED = 'a row was committed';
export const STORED = 'a file was written, read back and removed';

/** Bytes of the file that a check writes: about the size of a picture. */
const FILE_BYTES = 2 ** 20;

/**
 * Writes a file of about the size of an answer or an upload: a full disk refuses it. Recreates the directory if it is
 * gone.
 */
export async function writeIn(directory: string): Promise<string> {
  const path = join(directory, '.check');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    await writeFile(path, Buffer.alloc(FILE_BYTES), { mode: 0o600 });
  } finally {
    await rm(path, { force: true });
  }
  return 'written';
}

/** Reads the schema's version. @throws Error if it is older than this program's */
export async function readSchemaVersion({ kind, read }: Database): Promise<string> {
  const row = await read.first(
    read.builder.selectFrom('schema_migrations').select((expression) => expression.fn.max('version').as('version')),
  );
  const version = row?.version ?? 0;
  // During an upgrade, the previous version runs on a newer schema, which only adds things.
  if (version < SCHEMA_VERSION) throw new Error(`schema version ${version}, expected ${SCHEMA_VERSION}`);
  return `${kind}, schema version ${version}`;
}

/** Commits one small row: only a write detects a read-only database or a full disk. */
export async function writeMark(database: Database): Promise<string> {
  await database.write('check_write', (trx) => markChore(trx, 'write_check'));
  return COMMITTED;
}
