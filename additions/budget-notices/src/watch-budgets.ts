import { type SpendWindow, world } from '@darkroom-service/contract';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { claimChore } from '@darkroom-service/store';
import { type LimitedKey, limitedKeys, limitsAny } from './limited-keys.ts';
import { reachedByEndUsers } from './limits-of-end-users.ts';
import { notifyReached } from './notify-reached.ts';
import { reachedOf } from './reached-limit.ts';

const EVERY_MS = 5_000;
/** Pause between two looks, in multiples of the duration of the last look. */
const REST = 20;

/** The parts that report reached limits. */
type NoticeKernel = Pick<Kernel, 'accounts' | 'clock' | 'money' | 'store'>;

/** Checks the limits of some keys, and notifies about shares that are reached. */
type NotifyBudgets = (kernel: NoticeKernel, keys: readonly LimitedKey[], signal: AbortSignal) => Promise<void>;

/**
 * Compares spend limits with the spending, and reports reached shares. One process at a time does this; end users are
 * checked apart from keys, since there can be many.
 */
export function startBudgetWatch(
  kernel: NoticeKernel & Pick<Kernel, 'log' | 'work'>,
  closers: Pick<AsyncDisposableStack, 'defer'>,
): void {
  const { log, store, work } = kernel;
  const everyMs = work.tempo.addedEveryMs ?? EVERY_MS;
  const stopping = new AbortController();
  start('budgets of keys', ({ spendLimits }) => limitsAny(spendLimits), notifyKeyBudgets);
  start('budgets of end users', (key) => key.limitsEndUsers || limitsAny(key.endUserLimits), notifyEndUserBudgets);
  // Closed before the loops, which then wait for at most one key.
  closers.defer(() => stopping.abort());

  function start(name: string, concerns: (key: LimitedKey) => boolean, notify: NotifyBudgets) {
    let tookMs = 0;
    work.loop({
      async run() {
        const keys = work.isSuspended() ? [] : (await limitedKeys(store.read)).filter(concerns);
        const restMs = Math.max(everyMs, Math.ceil(tookMs * REST));
        if (keys.length > 0 && (await claimChore(store, name, restMs))) {
          const began = world.monotonic();
          await notify(kernel, keys, stopping.signal);
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
export const notifyKeyBudgets: NotifyBudgets = async (kernel, keys, signal) => {
  const { clock, money, store } = kernel;
  for (const key of keys) {
    if (signal.aborted) return;
    const now = clock.now();
    const used = (window: SpendWindow) => money.spent(key, window, now);
    const of = { key, endUser: null, subject: key.id };
    for await (const reached of reachedOf(store.read, of, { limits: key.spendLimits, zone: key.timezone, used }, now))
      await notifyReached(kernel, reached);
  }
};

/** Reports the reached limits of the keys' end users. */
export const notifyEndUserBudgets: NotifyBudgets = async (kernel, keys, signal) => {
  const { money, store } = kernel;
  for (const key of keys)
    for await (const reached of reachedByEndUsers(store.read, key, money.spendingNow(), signal))
      await notifyReached(kernel, reached);
};
