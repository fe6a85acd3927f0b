import { world } from '@darkroom-service/contract';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { claimChore } from '@darkroom-service/store';
import { eraseSubject } from './erase-subject.ts';
import { repeatRecordedErasures } from './known-erasures.ts';

const TRY_EVERY_MS = 60_000;
/**
 * Interval at which one process looks for erasures that a restored database lacks. Every process also looks at its
 * start.
 */
const LOOK_EVERY_MS = 3_600_000;

/** Carries out erasures, one at a time, and repeats those that are older than the database. */
export function startErasures(kernel: Kernel, closers: Pick<AsyncDisposableStack, 'defer'>): void {
  const { clock, log, store, work } = kernel;
  const by = () => ({ actor: 'erasure', now: clock.now(), createId: store.createId });
  let hasLooked = false;
  let looking: Promise<void> = Promise.resolve();
  const check = async () => {
    if (work.isSuspended()) return;
    if (!(await claimChore(store, 'noted erasures', LOOK_EVERY_MS)) && hasLooked) return;
    const repeated = await repeatRecordedErasures(kernel, by);
    hasLooked = true;
    if (repeated > 0) log.warn({ erasures: repeated }, 'the database is older than erasures; repeating them');
  };
  const checkAgain = () => {
    looking = looking.then(check).catch((error: unknown) => {
      log.error({ err: error }, 'could not look for erasures to repeat; retrying');
    });
  };
  checkAgain();
  const timer = world.setInterval(checkAgain, TRY_EVERY_MS);
  timer.unref();
  work.start({
    kind: 'erasure',
    isSuspended: work.isSuspended,
    concurrency: 1,
    perform: (claim, signal) => eraseSubject(kernel, claim, signal),
  });
  closers.defer(async () => {
    world.clearInterval(timer);
    await looking;
  });
}
