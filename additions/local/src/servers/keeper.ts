import { spawn } from 'node:child_process';
import { connect, type Server, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { END, type KeeperMessage, type StartMessage } from './keeper-message.ts';
import { killGroup } from './kill-group.ts';

/**
 * The keeper's program: runs one server and ends it when the service has ended for any reason, also by SIGKILL. The
 * server itself could not notice. If the server has a network of its own, the keeper runs in it too and connects the
 * server with the service.
 */
let pid: number | null = null;

process.once('message', ({ command, args, directory, environment, relayTo }: StartMessage, listener?: Server) => {
  if (relayTo !== null && listener !== undefined) relayConnections(listener, relayTo);
  const isWindows = process.platform === 'win32';
  // In a process group of its own, so that it ends together with all processes that it started.
  const server = spawn(command, args, {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: !isWindows,
  });
  pid = server.pid ?? null;
  server.once('spawn', () => {
    if (pid === null) return;
    try {
      // The service stays responsive while a model computes on the same cores.
      setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // Not allowed everywhere.
    }
    send({ type: 'started', pid });
  });
  server.once('error', (error) => end(`could not be started: ${error.message}`));
  server.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
});
process.on('message', (message) => {
  if (message === END) leave();
});
process.once('disconnect', leave);
// Ctrl-C in a terminal reaches this process too; the service decides when the server stops.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

function leave(): void {
  if (pid !== null) killGroup(pid, 'SIGKILL');
  process.exit();
}

function end(how: string): void {
  if (pid !== null) killGroup(pid, 'SIGKILL');
  send({ type: 'ended', how });
  if (process.connected) process.disconnect?.();
}

function send(message: KeeperMessage): void {
  if (process.connected) process.send?.(message);
}

/**
 * Connects the connections of a listener with a port of this process's own loopback. The listener was opened in the
 * network of the machine, and this process may run in another one.
 */
function relayConnections(listener: Server, port: number): void {
  listener.on('connection', (outer: Socket) => {
    const inner = connect({ host: '127.0.0.1', port });
    outer.pipe(inner);
    inner.pipe(outer);
    outer.once('error', () => inner.destroy());
    outer.once('close', () => inner.destroy());
    // Nobody listens yet, or the server has ended.
    inner.once('error', () => outer.resetAndDestroy());
    inner.once('close', () => outer.destroySoon());
  });
}
