import { ServiceError } from '@darkroom-service/contract';
import { createTurns, type Turns } from '../base/turns.ts';
import { type BudgetState, rateLimitHeaders } from './rate-limit-headers.ts';
import { isPartOfKey, type Owner, ownerId } from './scope.ts';

/**
 * Limits how much of this process one API key may use, in addition to money and requests per minute. One object per
 * process holds the budgets of all keys (`services.budgets`). Code whose cost depends on the client takes a share of
 * the key's budget first:
 *
 *     const share = budgets.take(key.id, 'streams', 1);              // refuses at once: 429 `rate_limited`
 *     const share = await budgets.takeInTurn(key.id, 'examinations', 1, { signal });  // waits for its turn
 *     try { … } finally { share.release(); }
 *     budgets.take(key.id, 'examined_pixels', width * height);       // an amount per minute; nothing to release
 *
 * The owner is the API key that pays for the work: the caller's, or the task's key in a worker and for a signed URL. An
 * end user that calls with client tokens also takes from its part of some of its key's budgets, so that it cannot use
 * them up. Requests without a key share the owner `ANONYMOUS`, or have their client's network as owner. Each process
 * counts separately.
 */
export const BUDGETS = {
  body_bytes: { per: 'once', unit: 'content-bytes', noun: 'bytes of request bodies' },
  streams: { per: 'once', unit: 'concurrent-requests', noun: 'open event streams' },
  waits: { per: 'once', unit: 'concurrent-requests', noun: 'waiting requests' },
  reports: {
    per: 'once',
    unit: 'concurrent-requests',
    noun: 'usage reports, searches and lists of tags',
    line: 32,
  },
  examinations: {
    per: 'once',
    unit: 'concurrent-requests',
    noun: 'media examinations',
  },
  anonymous_requests: {
    per: 'once',
    unit: 'concurrent-requests',
    noun: 'requests without an API key',
  },
  examined_pixels: {
    per: 'minute',
    unit: 'pixels',
    noun: 'examined pixels',
  },
  examined_film_seconds: {
    per: 'minute',
    unit: 'seconds',
    noun: 'examined seconds of video and sound',
  },
  varied_bytes: {
    per: 'minute',
    unit: 'content-bytes',
    noun: "bytes of orders that 'vary' makes of one",
  },
  visitor_bytes: {
    per: 'minute',
    unit: 'content-bytes',
    noun: 'bytes of originals and new thumbnails without an API key',
  },
} as const satisfies Record<string, Budget>;

interface Budget {
  /** `once`: a concurrent amount. `minute`: an amount that refills within a minute. */
  readonly per: 'once' | 'minute';
  /** The value of the `qu` parameter in `RateLimit-Policy`. */
  readonly unit: string;
  /** For messages, in the plural. */
  readonly noun: string;
  /** Maximum number of callers waiting for a share; further ones are refused. Default: `LONGEST_LINE`. */
  readonly line?: number;
}

export type BudgetName = keyof typeof BUDGETS;
type NameOf<Per> = { [Name in BudgetName]: (typeof BUDGETS)[Name]['per'] extends Per ? Name : never }[BudgetName];
/** Budgets of concurrent use. */
type SharedBudget = NameOf<'once'>;
/** Budgets of an amount per minute. */
export type MinuteBudget = NameOf<'minute'>;
export type BudgetLimits = Readonly<Record<BudgetName, number>>;

/** Budgets that end users with client tokens use undivided; of all others an end user gets only a part. */
const UNDIVIDED: readonly BudgetName[] = ['anonymous_requests', 'visitor_bytes'];

/** The owner of all requests without a key. */
export const ANONYMOUS = 'anonymous';

/** Maximum number of callers waiting for a share of a budget that sets no `line`. */
export const LONGEST_LINE = 1_000;
const RETRY_AFTER_SECONDS = 1;
const MINUTE_MS = 60_000;
const OWNERS_REMEMBERED = 10_000;

export interface Share {
  /** Returns the share; calling it again does nothing. */
  release(): void;
}

type Who = string | Owner;

export interface Budgets {
  /**
   * Takes a share at once. An amount above a limit of concurrent use takes the whole budget. Of a minute's budget any
   * amount is given while some is left: if it exceeds the budget, the next call is refused until the excess has
   * refilled. An amount of 0 only checks. @throws ServiceError `rate_limited`
   */
  take(owner: Who, name: BudgetName, amount: number): Share;
  /**
   * Takes a share in order of arrival.
   * @throws ServiceError `rate_limited` if the budget's line is full; the signal's reason if it is aborted
   * while waiting.
   */
  takeInTurn(
    owner: Who,
    name: SharedBudget,
    amount: number,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Share>;
  /** Returns the remaining budget, for the rate limit headers. */
  state(owner: Who, names: readonly BudgetName[]): BudgetState[];
}

interface Bucket {
  left: number;
  at: number;
}

/** A budget of a key, or one end user's part of it. */
interface Level {
  readonly id: string;
  readonly name: BudgetName;
  readonly limit: number;
  readonly isOfEndUser: boolean;
}

/**
 * Creates the budgets of keys and their end users.
 * @param options.endUserPercent the part of a divided budget that one end user gets; at least 1 of each
 */
export function createBudgets(options: {
  readonly limits: BudgetLimits;
  readonly endUserPercent: number;
  /** Returns milliseconds. */
  readonly now: () => number;
}): Budgets {
  const { limits, endUserPercent, now } = options;
  const turns = new Map<string, Turns>();
  const buckets = new Map<string, Bucket>();

  /** Returns the levels to take from, the end user's part first: callers waiting for it do not block the key's line. */
  function levelsOf(owner: Who, name: BudgetName): Level[] {
    const limit = limits[name];
    const ofKey = { id: typeof owner === 'string' ? owner : owner.id, name, limit, isOfEndUser: false };
    if (typeof owner === 'string' || !isPartOfKey(owner) || UNDIVIDED.includes(name)) return [ofKey];
    const part = Math.max(1, Math.floor((limit * endUserPercent) / 100));
    return [{ id: ownerId(owner), name, limit: part, isOfEndUser: true }, ofKey];
  }

  function turnsOf({ name, limit }: Level): Turns {
    const id = `${name} ${limit}`;
    const known = turns.get(id) ?? createTurns(limit);
    turns.set(id, known);
    return known;
  }

  /** Refills a bucket up to the current time. */
  function bucketOf({ id: owner, name, limit }: Level): Bucket {
    const id = `${name} ${owner}`;
    const time = now();
    const known = buckets.get(id);
    const bucket = known ?? { left: limit, at: time };
    // A clock that is set back refills nothing.
    bucket.left = Math.min(limit, bucket.left + (Math.max(0, time - bucket.at) * limit) / MINUTE_MS);
    bucket.at = time;
    if (known === undefined) {
      if (buckets.size >= OWNERS_REMEMBERED) dropFull(time);
      buckets.set(id, bucket);
    }
    return bucket;
  }

  function dropFull(time: number): void {
    for (const [id, { at }] of buckets) if (time - at >= MINUTE_MS) buckets.delete(id);
  }

  /** Returns the remaining budget without taking any. */
  function stateOf(level: Level): BudgetState {
    const { name, limit } = level;
    const { per, unit } = BUDGETS[name];
    if (per === 'once') {
      const remaining = Math.max(0, limit - turnsOf(level).state(level.id).used);
      return { name, unit, limit, remaining, windowSeconds: null, resetSeconds: null };
    }
    const { left } = bucketOf(level);
    const resetSeconds = Math.ceil(((limit - left) * 60) / limit);
    return { name, unit, limit, remaining: Math.max(0, Math.floor(left)), windowSeconds: 60, resetSeconds };
  }

  function refusal(level: Level, found: string, seconds = RETRY_AFTER_SECONDS): ServiceError {
    const { noun }: Budget = BUDGETS[level.name];
    let whose = 'This API key has reached the limit of';
    if (level.id === ANONYMOUS) whose = 'Requests without an API key have reached the limit of';
    if (level.name === 'visitor_bytes') whose = 'This network address has reached the limit of';
    if (level.isOfEndUser) whose = 'This end user has reached its share of the';
    return new ServiceError('rate_limited', `${whose} ${noun}: ${found}. Retry in ${seconds} s.`, {
      retryAfterSeconds: seconds,
      headers: rateLimitHeaders([stateOf(level)]),
    });
  }

  function takeAt(level: Level, amount: number): Share {
    const { id, name, limit } = level;
    if (BUDGETS[name].per === 'minute') {
      const bucket = bucketOf(level);
      if (bucket.left <= 0) {
        const seconds = Math.floor((-bucket.left * 60) / limit) + 1;
        throw refusal(level, `all of ${limit} per minute used`, seconds);
      }
      bucket.left -= amount;
      return { release() {} };
    }
    const release = turnsOf(level).takeAtOnce(id, Math.min(amount, limit));
    if (release !== null) return { release };
    const { used } = turnsOf(level).state(id);
    throw refusal(level, `${used} in use, ${amount} more requested, at most ${limit} at once`);
  }

  async function takeInTurnAt(level: Level, amount: number, signal: AbortSignal | undefined): Promise<Share> {
    const { id, name, limit } = level;
    const { line: longest = LONGEST_LINE }: Budget = BUDGETS[name];
    signal?.throwIfAborted();
    const { used, waiting } = turnsOf(level).state(id);
    if (waiting >= longest) throw refusal(level, `${used} in use and ${longest} waiting, at most ${limit} at once`);
    return { release: await turnsOf(level).take(id, signal, Math.min(amount, limit)) };
  }

  return {
    take(owner, name, amount) {
      const shares: Share[] = [];
      try {
        for (const level of levelsOf(owner, name)) shares.push(takeAt(level, amount));
      } catch (error) {
        releaseAll(shares);
        throw error;
      }
      return { release: () => releaseAll(shares) };
    },
    async takeInTurn(owner, name, amount, { signal } = {}) {
      const shares: Share[] = [];
      try {
        for (const level of levelsOf(owner, name)) shares.push(await takeInTurnAt(level, amount, signal));
      } catch (error) {
        releaseAll(shares);
        throw error;
      }
      return { release: () => releaseAll(shares) };
    },
    state: (owner, names) =>
      names.map((name) => {
        const [first, ...others] = levelsOf(owner, name).map(stateOf) as [BudgetState, ...BudgetState[]];
        return { ...first, remaining: Math.min(first.remaining, ...others.map(({ remaining }) => remaining)) };
      }),
  };
}

function releaseAll(shares: readonly Share[]): void {
  for (const share of shares) share.release();
}
