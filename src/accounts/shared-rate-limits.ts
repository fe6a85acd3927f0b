import { sql } from 'kysely';
import { ServiceError } from '../base/errors.ts';
import type { Database, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { LocalRateLimits, RateDecision, RateKind, RateLimits } from './rate-limits.ts';

interface Share {
  /** When its minute ends, by this process's clock. */
  until: number;
  /** Requests that this process may still accept in this minute without asking the database. */
  left: number;
  asking: Promise<Asked> | null;
}

interface Asked {
  /** Whether the minute had something left. */
  readonly granted: boolean;
  /** Until the end of the minute, by the database's clock. */
  readonly endsInMs: number;
}

const MINUTE_MS = 60_000;

/**
 * A process takes a twentieth of a minute's limit at a time, so that the database is asked about twenty times a minute.
 */
const SHARES_OF_LIMIT = 20;
const SHARES_REMEMBERED = 10_000;
const COUNT_ALONE_MS = 1_000;

interface ReserveArguments {
  key: string;
  kind: RateKind;
  minute: number;
  count: number;
  limit: number;
}

const reserve = prepare<ReserveArguments, { used: number }>('rate_reserve', (builder, argument) =>
  builder
    .insertInto('rate_windows')
    .values({
      api_key_id: argument('key'),
      kind: argument('kind'),
      minute: argument('minute'),
      used: argument('count'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['api_key_id', 'kind'])
        .doUpdateSet({
          minute: sql<number>`excluded.minute`,
          used: sql<number>`case when rate_windows.minute = excluded.minute then rate_windows.used + excluded.used else excluded.used end`,
        })
        .where(
          sql<boolean>`rate_windows.minute < excluded.minute or (rate_windows.minute = excluded.minute and rate_windows.used + excluded.used <= ${argument('limit')})`,
        ),
    )
    .returning('used'),
);

/**
 * Creates the same limits across all processes: each process takes shares of a key's minute from the database and
 * spends them locally. An unspent share expires with the minute, so a key may be refused a few requests early, but
 * never gets too many. Minutes are those of the database's clock, so that processes with different clocks agree on
 * them.
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
        if (!granted) return refusal(decision, kind, endsInMs);
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

  /** While the database cannot be written, it can still be read: this process then counts reads locally. */
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
        const time = await timeOf(trx);
        const minute = Math.floor(time / MINUTE_MS);
        const taken = await trx.first(reserve, { key: keyId, kind, minute, count, limit });
        return { granted: taken !== undefined, endsInMs: (minute + 1) * MINUTE_MS - time };
      });
      if (!asked.granted) continue;
      share.until = now() + asked.endsInMs;
      share.left = count;
      break;
    }
    return asked;
  }
}

/** Returns milliseconds by the database's clock. */
async function timeOf(trx: Transaction): Promise<number> {
  const row = await trx.first(trx.builder.selectNoFrom(trx.now.as('now')));
  if (row === undefined) throw new Error('the database tells no time');
  return row.now;
}

function refusal(decision: RateDecision, kind: RateKind, endsInMs: number): RateDecision {
  const wait = Math.max(1, Math.ceil(endsInMs / 1000));
  return { ...decision, allowed: false, retryAfterSeconds: wait, state: `"${kind}";r=0;t=${wait}` };
}
