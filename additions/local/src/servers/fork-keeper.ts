import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startChild } from '@darkroom-service/media/process';
import { LocalFault } from '../local-fault.ts';
import type { StartMessage } from './keeper-message.ts';
import type { Enclosure } from './network.ts';

const KEEPER = fileURLToPath(new URL('./keeper.ts', import.meta.url));
const HEAP = '--max-old-space-size=32';

/**
 * Starts the keeper of a server.
 * @param port on which the server can be reached from here
 * @param enclosure closes the network of both; null = they share this one
 * @throws LocalFault if the port is taken
 */
export async function forkKeeper(
  message: Omit<StartMessage, 'relayTo'>,
  port: number,
  enclosure: Enclosure | null,
): Promise<ChildProcess> {
  // A socket belongs to the network in which it was opened, no matter which process uses it then.
  const listener = enclosure === null ? null : await listen(port);
  const keeper = startChild(KEEPER, [], {
    ...(enclosure === null
      ? { execArgv: [HEAP] }
      : { execPath: enclosure.program, execArgv: [...enclosure.args, process.execPath, HEAP] }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const relayTo = enclosure === null ? null : port;
  keeper.send({ ...message, relayTo } satisfies StartMessage, listener ?? undefined, () => listener?.close());
  return keeper;
}

async function listen(port: number): Promise<Server> {
  const listener = createServer().listen(port, '127.0.0.1');
  await once(listener, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new LocalFault(
      error.code === 'EADDRINUSE'
        ? `port ${port} belongs to another process`
        : `port ${port} cannot be used: ${error.message}`,
    );
  });
  return listener;
}
