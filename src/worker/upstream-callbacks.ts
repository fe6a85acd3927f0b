import type { Engine } from '@darkroom-service/engines/engine';
import { judgeUrl } from '@darkroom-service/media/net/address-rules';
import type { CallbackTokens } from '../tasks/callback-tokens.ts';
import type { TaskRecord } from '../tasks/task-record.ts';

/** The callbacks that upstreams make instead of being polled. */
export interface UpstreamCallbacks {
  /** Returns the URL that the upstream of an order may call; null if it calls nobody, or could not reach it. */
  urlFor(engine: Engine, task: Pick<TaskRecord, 'id' | 'fence'>): string | null;
  /** Tells whether the callbacks of an engine arrive, so that its orders need few checks. */
  arrive(engine: string): boolean;
  /** Reports a callback for an order of this process. */
  heard(engine: string): void;
  /** Reports the end of an order that was found by a check, although a callback had been asked for. */
  missed(engine: string): void;
}

/** Ends without a callback, one after the other, until orders are checked as often as without callbacks. */
const MISSES = 3;

/**
 * Callbacks must prove themselves: a process checks orders as often as without them until the first one arrives, and
 * again after three ends in a row without one. So an address that no upstream can reach, a proxy that drops the calls,
 * or processes that cannot notify each other delay no result.
 * @param publicUrl the service's address, without a slash at the end; null = the operator has set none
 * @param isAnyAddress whether upstreams may be given an address that is not public or has no TLS
 */
export function createUpstreamCallbacks(
  publicUrl: string | null,
  tokens: Pick<CallbackTokens, 'sign'>,
  { isAnyAddress }: { readonly isAnyAddress: boolean },
): UpstreamCallbacks {
  const isReachable = publicUrl !== null && (isAnyAddress || isPublic(publicUrl));
  /** Misses since the last callback, of engines whose callbacks arrive. */
  const misses = new Map<string, number>();
  return {
    urlFor(engine, { id, fence }) {
      if (!isReachable || engine.readCallback === undefined) return null;
      return publicUrl + tokens.sign({ engine: engine.name, taskId: id, fence });
    },
    arrive: (engine) => misses.has(engine),
    heard: (engine) => void misses.set(engine, 0),
    missed(engine) {
      const count = (misses.get(engine) ?? MISSES) + 1;
      if (count >= MISSES) misses.delete(engine);
      else misses.set(engine, count);
    },
  };
}

function isPublic(url: string): boolean {
  return url.startsWith('https:') && judgeUrl(url, []).ok;
}
