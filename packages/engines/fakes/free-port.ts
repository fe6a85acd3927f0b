import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that systems give to whoever asks for any: what is free here stays free until the test's own process
 * listens.
 */
const LOWEST = 10_000;
const HIGHEST = 32_000;

const given = new Set<number>();

/**
 * A port of 127.0.0.1 that nothing listens on and that nobody else was given, for what is started later, or again and
 * again.
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
