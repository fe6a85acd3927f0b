import { world } from '@darkroom-service/contract';
import { claimChore, startWorkLoop, type TaskServices } from '@darkroom-service/darkroom/kernel';
import { spentByKey } from '@darkroom-service/darkroom/kernel-accounts';
import { type LimitedKey, limitedKeys, limitsAny } from './limited-keys.ts';
import { reachedByEndUsers } from './limits-of-end-users.ts';
import { type NoticeServices, notifyReached } from './notify-reached.ts';
import { reachedOf } from './reached-limit.ts';

const EVERY_MS = 5_000;
/** Pause between two looks, in multiples of the duration of the last look. */
const REST = 20;

/** Checks the limits of some keys, and notifies about shares that are reached. */
type NotifyBudgets = (services: NoticeServices, keys: readonly LimitedKey[], signal: AbortSignal) => Promise<void>;

/**
 * Compares spend limits with the spending, and reports reached shares. One process at a time does this; end users are
 * checked apart from keys, since there can be many.
 */
export function startBudgetWatch(
  services: NoticeServices & Pick<TaskServices, 'log' | 'obstacles'>,
  everyMs = EVERY_MS,
): { readonly stop: () => Promise<unknown> } {
  const { database, log, obstacles } = services;
  const stopping = new AbortController();
  const loops = [
    start('budgets of keys', ({ spendLimits }) => limitsAny(spendLimits), notifyKeyBudgets),
    start('budgets of end users', (key) => key.limitsEndUsers || limitsAny(key.endUserLimits), notifyEndUserBudgets),
  ];
  return {
    stop() {
      stopping.abort();
      return Promise.all(loops.map((loop) => loop.stop()));
    },
  };

  function start(name: string, concerns: (key: LimitedKey) => boolean, notify: NotifyBudgets) {
    let tookMs = 0;
    return startWorkLoop({
      async run() {
        const keys = obstacles.isSuspended() ? [] : (await limitedKeys(database.read)).filter(concerns);
        const restMs = Math.max(everyMs, Math.ceil(tookMs * REST));
        if (keys.length > 0 && (await claimChore(database, name, restMs))) {
          const began = world.monotonic();
          await notify(services, keys, stopping.signal);
          tookMs = world.monotonic() - began;
        }
        return everyMs;
      },
      restMs: everyMs,
      onError: (error) => log.error({ err: error }, 'could not compare spend limits with spending; retrying'),
    });
  }
}

/** Reports the reached limits of keys. */
export const notifyKeyBudgets: NotifyBudgets = async (services, keys, signal) => {
  const { clock, database, hooks } = services;
  for (const key of keys) {
    if (signal.aborted) return;
    const now = clock.now();
    const used = (window: Parameters<typeof spentByKey>[3]) => spentByKey(database.read, hooks, key, window, now);
    const of = { key, endUser: null, subject: key.id };
    for await (const reached of reachedOf(
      database.read,
      of,
      { limits: key.spendLimits, zone: key.timezone, used },
      now,
    ))
      await notifyReached(services, reached);
  }
};

/** Reports the reached limits of the keys' end users. */
export const notifyEndUserBudgets: NotifyBudgets = async (services, keys, signal) => {
  const { clock, database, hooks } = services;
  for (const key of keys)
    for await (const reached of reachedByEndUsers(database.read, key, { now: clock.now(), hooks }, signal))
      await notifyReached(services, reached);
};
