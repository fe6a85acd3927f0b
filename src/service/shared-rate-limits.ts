import { type Clock, ServiceError } from '@darkroom-service/contract';
import { dropBefore, type Meter, take } from '../accounts/meters.ts';
import {
  createRateLimits,
  type LocalRateLimits,
  type RateDecision,
  type RateKind,
  type RateLimits,
} from '../accounts/rate-limits.ts';
import type { Database } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';

interface Share {
  /** Time at which the minute ends, by this process's clock. */
  until: number;
  /** Requests that this process may still accept in this minute without asking the database. */
  left: number;
  asking: Promise<Asked> | null;
}

interface Asked {
  /** Whether requests were left in the minute. */
  readonly granted: boolean;
  /** Milliseconds until the end of the minute, by the database's clock. */
  readonly endsInMs: number;
}

const MINUTE_MS = 60_000;

/**
 * Number of shares of a minute's limit. A process takes one share at a time, so that the database is asked about twenty
 * times a minute.
 */
const SHARES_OF_LIMIT = 20;
const SHARES_REMEMBERED = 10_000;
const COUNT_ALONE_MS = 1_000;

/** Creates rate limits: of this process alone on the embedded database, shared by all processes on PostgreSQL. */
export function openRateLimits({
  clock,
  database,
}: {
  readonly clock: Clock;
  readonly database: Database;
}): RateLimits {
  const now = () => clock.now();
  const local = createRateLimits({ now });
  return database.kind === 'sqlite' ? local : createSharedRateLimits({ local, database, now });
}

/**
 * Creates rate limits across all processes: each process takes shares of a key's minute from the database and spends
 * them locally. An unspent share expires with the minute, so a key may be refused a few requests early, but never gets
 * too many. Minutes are those of the database's clock, so that processes with different clocks agree on them.
 */
export function createSharedRateLimits(options: {
  readonly local: LocalRateLimits;
  readonly database: Database;
  readonly now: () => number;
}): RateLimits {
  const { local, database, now } = options;
  const shares = new Map<string, Share>();
  return {
    async take(keyId, kind, limit) {
      const decision = local.take(keyId, kind, limit);
      if (decision === null || !decision.allowed) return decision;
      const share = shareOf(`${kind}:${keyId}`);
      while (now() >= share.until || share.left <= 0) {
        share.asking ??= askOrCountAlone(share, keyId, kind, limit).finally(() => {
          share.asking = null;
        });
        const { granted, endsInMs } = await share.asking;
        if (!granted) return refusal(decision, endsInMs);
      }
      share.left--;
      return decision;
    },
  };

  function shareOf(name: string): Share {
    const known = shares.get(name);
    if (known !== undefined) return known;
    if (shares.size >= SHARES_REMEMBERED) shares.clear();
    const share: Share = { until: 0, left: 0, asking: null };
    shares.set(name, share);
    return share;
  }

  /** Counts reads locally while the database can be read but not written. */
  async function askOrCountAlone(share: Share, keyId: string, kind: RateKind, limit: number): Promise<Asked> {
    try {
      return await ask(share, keyId, kind, limit);
    } catch (error) {
      const isAway = error instanceof ServiceError && error.status === 503;
      if (kind !== 'reads' || !isAway) throw error;
      share.until = now() + COUNT_ALONE_MS;
      share.left = limit;
      return { granted: true, endsInMs: COUNT_ALONE_MS };
    }
  }

  async function ask(share: Share, keyId: string, kind: RateKind, limit: number): Promise<Asked> {
    const whole = Math.max(1, Math.floor(limit / SHARES_OF_LIMIT));
    let asked: Asked = { granted: false, endsInMs: MINUTE_MS };
    for (const count of whole === 1 ? [1] : [whole, 1]) {
      asked = await database.write('rate_reserve', async (trx) => {
        const time = await databaseNow(trx);
        const minute = Math.floor(time / MINUTE_MS);
        const meter = (of: number): Meter => ({ subject: keyId, kind, period: String(of).padStart(8, '0') });
        const used = await take(trx, meter(minute), count, limit);
        // Another process may still be using the minute before.
        if (used === count) dropBefore(trx, meter(minute - 1));
        return { granted: used !== null, endsInMs: (minute + 1) * MINUTE_MS - time };
      });
      if (!asked.granted) continue;
      share.until = now() + asked.endsInMs;
      share.left = count;
      break;
    }
    return asked;
  }
}

function refusal({ state }: RateDecision, endsInMs: number): RateDecision {
  const resetSeconds = Math.max(1, Math.ceil(endsInMs / 1000));
  return { allowed: false, state: { ...state, remaining: 0, resetSeconds } };
}
