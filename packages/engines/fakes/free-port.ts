import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Lowest port; below those that systems assign by themselves, so that a free port stays free until the test's process
 * listens.
 */
const LOWEST = 10_000;
const HIGHEST = 32_000;

const given = new Set<number>();

/**
 * Returns a port of 127.0.0.1 that is unused and was given to nobody else, for a server that is started later or
 * repeatedly.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (given.has(port)) continue;
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    given.add(port);
    return port;
  }
}
