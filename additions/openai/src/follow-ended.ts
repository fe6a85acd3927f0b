import { isDoneWithin } from '@darkroom-service/contract';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import type { HeartbeatReport, SilentProcess } from '@darkroom-service/store';
import { abandonCalls, abandonCallsOfEnded } from './mapping/abandoned-calls.ts';

const FIRST_WITHIN_MS = 5_000;

/**
 * Gives the calls of processes that end, or fall silent, to the next equal requests. When it returns, that is done for
 * processes that ended before this one started, unless the database does not answer.
 * @param onLeft called when a call was left
 */
export async function followEndedProcesses(
  { clock, log, process, store }: Pick<Kernel, 'clock' | 'log' | 'process' | 'store'>,
  onLeft: () => void,
  closers: AsyncDisposableStack,
): Promise<void> {
  /** Number of heartbeats of each process when its calls were marked as left. */
  const done = new Map<string, number>();
  let hasLooked = false;
  let looking: Promise<void> | null = null;

  async function check({ silent }: Extract<HeartbeatReport, { kind: 'confirmed' }>): Promise<void> {
    for (const id of done.keys()) if (!silent.some((one) => one.id === id)) done.delete(id);
    const lost = silent.filter((one) => mayHaveEnded(one) && done.get(one.id) !== one.beats);
    if (hasLooked && lost.length === 0) return;
    try {
      const calls = await store.write('openai_left', async (trx) => {
        const left = await abandonCallsOfEnded(trx, lost, clock.now());
        // Before the commit: an equal request may come right after it.
        if (left > 0) onLeft();
        return left;
      });
      hasLooked = true;
      for (const { id, beats } of lost) done.set(id, beats);
      if (calls > 0)
        log.warn({ calls }, 'process ended before it had answered its calls; equal requests get their orders');
    } catch (error) {
      log.error({ err: error }, 'could not look for calls of ended processes; retrying at the next heartbeat');
    }
  }

  const first = new Promise<void>((resolve) => {
    const end = process.onHeartbeat((report) => {
      if (report.kind === 'failed') return resolve();
      looking ??= check(report).finally(() => {
        looking = null;
        resolve();
      });
    });
    closers.defer(async () => {
      end();
      await looking;
      await store
        .write('openai_left', (trx) => abandonCalls(trx, process.id, clock.now()))
        .catch((error: unknown) => log.warn({ err: error }, 'could not record which calls got no answer'));
    });
  });
  await isDoneWithin(FIRST_WITHIN_MS, first);
}

/**
 * Tells whether a process may have ended. One that holds its lock is alive, however silent it is. One of another
 * machine can only be judged by its silence.
 */
export function mayHaveEnded({ lock }: Pick<SilentProcess, 'lock'>): boolean {
  return lock !== 'held';
}
