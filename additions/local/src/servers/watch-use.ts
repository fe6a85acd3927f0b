import { world } from '@darkroom-service/contract';
import type { ServerProcess } from './server-process.ts';
import type { ServerLimits } from './server-spec.ts';

const MOST_CHECKS_MS = 5_000;

/**
 * Ends a server in use that has written nothing for too long, or that uses more memory than allowed.
 * @returns a function that stops watching
 */
export function watchUse(
  process: Pick<ServerProcess, 'output' | 'memoryBytes' | 'stop'>,
  { stallMs, memoryBytes }: Pick<ServerLimits, 'stallMs' | 'memoryBytes'>,
): () => void {
  const beganAt = world.monotonic();
  const timer = world.setInterval(() => void check(), Math.min(MOST_CHECKS_MS, stallMs / 4));
  timer.unref();
  return () => world.clearInterval(timer);

  async function check(): Promise<void> {
    const silentMs = world.monotonic() - Math.max(beganAt, process.output.lastAt);
    if (silentMs >= stallMs) return await stop(`it wrote nothing for ${Math.round(stallMs / 1000)} s`);
    const used = await process.memoryBytes();
    if (used !== null && used > memoryBytes) await stop(`it used ${used} bytes of memory, more than ${memoryBytes}`);
  }

  async function stop(why: string): Promise<void> {
    world.clearInterval(timer);
    await process.stop(why);
  }
}
