import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/service/config/config.ts';
import { askPostgres } from './postgres-server.ts';
import { runDarkroom } from './run-darkroom.ts';

/** A test, or whoever else closes what was opened for it. */
interface Closers {
  after(close: () => Promise<unknown>): void;
}

/**
 * The variables of a copy of a running service: made by `backup` and `restore`, or by copying its PostgreSQL database.
 * @param t must end after the services that run on the copy, because hooks run in the order of their registration.
 */
export async function copyInstallation(
  t: Closers,
  { config }: { readonly config: Pick<Config, 'databaseUrl' | 'dataDirectory'> },
): Promise<Record<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-copy-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const variables = { DARKROOM_DATA_DIR: join(directory, 'data') };
  if (config.databaseUrl !== null) {
    const url = await copyPostgres(t, config.databaseUrl);
    return { ...variables, DARKROOM_DATABASE_URL: url };
  }
  const backup = join(directory, 'backup');
  for (const [words, data] of [
    [['backup', backup], config.dataDirectory],
    [['restore', backup], variables.DARKROOM_DATA_DIR],
  ] as const) {
    const { code, stderr } = await runDarkroom(words, { DARKROOM_DATA_DIR: data }, directory);
    assert.deepEqual([code, stderr], [0, '']);
  }
  return variables;
}

/** PostgreSQL copies a database only while nobody uses it. Its service connects again afterwards. */
async function copyPostgres(t: Closers, url: string): Promise<string> {
  const name = new URL(url).pathname.slice(1);
  const copy = `copy_${randomUUID().replaceAll('-', '')}`;
  const server = new URL(url);
  server.pathname = '/postgres';
  const ask = (text: string) => askPostgres(server.href, text);
  await ask(`alter database ${name} with allow_connections false`);
  await ask(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  try {
    await ask(`create database ${copy} template ${name} strategy file_copy`);
  } finally {
    await ask(`alter database ${name} with allow_connections true`);
  }
  t.after(() => ask(`drop database ${copy} with (force)`));
  const copied = new URL(url);
  copied.pathname = `/${copy}`;
  return copied.href;
}
