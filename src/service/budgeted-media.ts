import { EXAMINED_WITHIN_MS, ServiceError, world } from '@darkroom-service/contract';
import {
  type MediaCall,
  MediaFault,
  type MediaTools,
  MediaUnavailable,
  type Probe,
  UNTRUSTED_LIMITS,
} from '@darkroom-service/media';
import type { Budgets, MinuteBudget } from '../accounts/budgets.ts';
import type { Owner } from '../accounts/scope.ts';

const PER_MINUTE: readonly MinuteBudget[] = ['examined_pixels', 'examined_film_seconds'];

/**
 * Counts media that API keys send against their budgets. Outputs and engine work are paid for and do not count. A
 * request that waits for its turn and the examination beyond its deadline fails with `MediaUnavailable`.
 */
export function budgetMedia(media: MediaTools, budgets: Budgets): MediaTools {
  return {
    ...media,
    async probe(path, call) {
      const owner = ownerOf(call);
      // The amount is known only after the examination, so this only checks that the minute's budget is not used up.
      if (call.patient === true) return await examine(path, owner, call);
      for (const name of PER_MINUTE) budgets.take(owner, name, 0);
      return await inTime(call, (signal) => examine(path, owner, { ...call, signal }));
    },
    edit(operation, args, call) {
      if (call.examinedBy === undefined) return media.edit(operation, args, call);
      return inTime(call, (signal) => media.edit(operation, args, { ...call, signal }));
    },
  };

  async function examine(path: string, owner: Owner, call: MediaCall): Promise<Probe> {
    const share = await shareOf(budgets, owner, call);
    try {
      const probe = await media.probe(path, call);
      count(budgets, owner, probe);
      return probe;
    } catch (error) {
      if (error instanceof MediaFault && error.kind === 'too_costly')
        add(budgets, owner, 'examined_pixels', UNTRUSTED_LIMITS.pixels);
      throw error;
    } finally {
      share.release();
    }
  }
}

/** Aborts work that is not done by the deadline of its call. */
async function inTime<T>(
  { signal: outer, examinedBy = world.monotonic() + EXAMINED_WITHIN_MS }: MediaCall,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const limited = new AbortController();
  const onAbort = () => limited.abort(outer?.reason);
  const late = () => limited.abort(new MediaUnavailable('the files of a request were not examined in time'));
  const timer = world.setTimeout(late, Math.max(0, examinedBy - world.monotonic())).unref();
  outer?.addEventListener('abort', onAbort);
  try {
    return await work(limited.signal);
  } finally {
    world.clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}

function ownerOf({ owner, endUser }: MediaCall): Owner {
  return endUser === undefined ? { id: owner } : { id: owner, client: { endUser } };
}

async function shareOf(budgets: Budgets, owner: Owner, { signal }: MediaCall) {
  return await budgets.takeInTurn(owner, 'examinations', 1, signal === undefined ? {} : { signal });
}

function count(budgets: Budgets, owner: Owner, { kind, width, height, durationSeconds }: Probe): void {
  if (kind === 'image') add(budgets, owner, 'examined_pixels', (width ?? 0) * (height ?? 0));
  else add(budgets, owner, 'examined_film_seconds', durationSeconds ?? 0);
}

/** Adds the amount to the budget. The work is done, so an exceeded budget delays the next call, not this one. */
function add(budgets: Budgets, owner: Owner, name: MinuteBudget, amount: number): void {
  try {
    budgets.take(owner, name, amount);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}
