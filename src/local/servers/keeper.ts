import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { KeeperMessage, StartMessage } from './keeper-message.ts';
import { killGroup } from './kill-group.ts';

/**
 * The keeper's program: runs one server and ends it when the service has ended for any reason, also by SIGKILL. The
 * server itself could not notice.
 */
let pid: number | null = null;

process.once('message', ({ command, args, directory, environment }: StartMessage) => {
  const isWindows = process.platform === 'win32';
  // In a process group of its own, so that it ends together with all that it has started.
  const server = spawn(command, args, {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: !isWindows,
  });
  server.once('spawn', () => {
    pid = server.pid ?? null;
    if (pid === null) return;
    try {
      // The service stays responsive while a model computes on the same cores.
      setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // Not allowed everywhere.
    }
    tell({ type: 'started', pid });
  });
  server.once('error', (error) => end(`could not be started: ${error.message}`));
  server.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
});
process.once('disconnect', () => {
  if (pid !== null) killGroup(pid, 'SIGKILL');
  process.exit();
});
// Ctrl-C in a terminal reaches this process too; the service decides when the server stops.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

function end(how: string): void {
  if (pid !== null) killGroup(pid, 'SIGKILL');
  tell({ type: 'ended', how });
  if (process.connected) process.disconnect?.();
}

function tell(message: KeeperMessage): void {
  if (process.connected) process.send?.(message);
}
