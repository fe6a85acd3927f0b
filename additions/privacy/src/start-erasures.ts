import { world } from '@darkroom-service/contract';
import { claimChore, startWorkQueue, type TaskServices, type WorkQueue } from '@darkroom-service/darkroom/kernel';
import { eraseSubject } from './erase-subject.ts';
import { repeatRecordedErasures } from './known-erasures.ts';

const TRY_EVERY_MS = 60_000;
/**
 * Interval at which one process looks for erasures that a restored database lacks. Every process also looks at its
 * start.
 */
const LOOK_EVERY_MS = 3_600_000;

/** Carries out erasures, one at a time, and repeats those that are older than the database. */
export async function startErasures(services: TaskServices): Promise<Pick<WorkQueue, 'stop'>> {
  const { clock, createId, database, log, obstacles } = services;
  const by = () => ({ actor: 'erasure', now: clock.now(), createId });
  let hasLooked = false;
  let looking: Promise<void> = Promise.resolve();
  const check = async () => {
    if (obstacles.isSuspended()) return;
    if (!(await claimChore(database, 'noted erasures', LOOK_EVERY_MS)) && hasLooked) return;
    const repeated = await repeatRecordedErasures(services, by);
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
  const queue = startWorkQueue({
    database,
    log,
    kind: 'erasure',
    isSuspended: obstacles.isSuspended,
    concurrency: 1,
    perform: (claim, signal) => eraseSubject(services, claim, signal),
  });
  return {
    async stop() {
      world.clearInterval(timer);
      await Promise.all([looking, queue.stop()]);
    },
  };
}
