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

interface Bucket {
  left: number;
  at: number;
}

interface BudgetsOptions {
  readonly limits: BudgetLimits;
  /** The part of a divided budget that one end user gets; at least 1 of each. */
  readonly endUserPercent: number;
  /** Returns milliseconds. */
  readonly now: () => number;
}

/** A budget of a key, or one end user's part of it. */
interface Level {
  readonly id: string;
  readonly name: BudgetName;
  readonly limit: number;
  readonly isOfEndUser: boolean;
}

/** The budgets of keys and their end users. */
export class Budgets {
  readonly #options: BudgetsOptions;
  /** Concurrent use, by budget and limit. */
  readonly #turns = new Map<string, Turns>();
  /** Use per minute, by budget and owner. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: BudgetsOptions) {
    this.#options = options;
  }

  /**
   * Takes a share at once. An amount above a limit of concurrent use takes the whole budget. Of a minute's budget any
   * amount is given while some is left: if it exceeds the budget, the next call is refused until the excess has
   * refilled. An amount of 0 only checks. @throws ServiceError `rate_limited`
   */
  take(owner: Who, name: BudgetName, amount: number): Share {
    const shares: Share[] = [];
    try {
      for (const level of this.#levelsOf(owner, name)) shares.push(this.#takeAt(level, amount));
    } catch (error) {
      releaseAll(shares);
      throw error;
    }
    return { release: () => releaseAll(shares) };
  }

  /**
   * Takes a share in order of arrival.
   * @throws ServiceError `rate_limited` if the budget's line is full; the signal's reason if it is aborted
   * while waiting.
   */
  async takeInTurn(
    owner: Who,
    name: SharedBudget,
    amount: number,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Share> {
    const shares: Share[] = [];
    try {
      for (const level of this.#levelsOf(owner, name)) shares.push(await this.#takeInTurnAt(level, amount, signal));
    } catch (error) {
      releaseAll(shares);
      throw error;
    }
    return { release: () => releaseAll(shares) };
  }

  /** Returns the remaining budget, for the rate limit headers. */
  state(owner: Who, names: readonly BudgetName[]): BudgetState[] {
    return names.map((name) => {
      const states = this.#levelsOf(owner, name).map((level) => this.#stateOf(level));
      const [first, ...others] = states as [BudgetState, ...BudgetState[]];
      return { ...first, remaining: Math.min(first.remaining, ...others.map(({ remaining }) => remaining)) };
    });
  }

  /** Returns the levels to take from, the end user's part first: callers waiting for it do not block the key's line. */
  #levelsOf(owner: Who, name: BudgetName): Level[] {
    const { limits, endUserPercent } = this.#options;
    const limit = limits[name];
    const ofKey = { id: typeof owner === 'string' ? owner : owner.id, name, limit, isOfEndUser: false };
    if (typeof owner === 'string' || !isPartOfKey(owner) || UNDIVIDED.includes(name)) return [ofKey];
    const part = Math.max(1, Math.floor((limit * endUserPercent) / 100));
    return [{ id: ownerId(owner), name, limit: part, isOfEndUser: true }, ofKey];
  }

  #turnsOf({ name, limit }: Level): Turns {
    const id = `${name} ${limit}`;
    const known = this.#turns.get(id) ?? createTurns(limit);
    this.#turns.set(id, known);
    return known;
  }

  /** Refills a bucket up to the current time. */
  #bucketOf({ id: owner, name, limit }: Level): Bucket {
    const id = `${name} ${owner}`;
    const time = this.#options.now();
    const known = this.#buckets.get(id);
    const bucket = known ?? { left: limit, at: time };
    // A clock that is set back refills nothing.
    bucket.left = Math.min(limit, bucket.left + (Math.max(0, time - bucket.at) * limit) / MINUTE_MS);
    bucket.at = time;
    if (known === undefined) {
      if (this.#buckets.size >= OWNERS_REMEMBERED) this.#dropFull(time);
      this.#buckets.set(id, bucket);
    }
    return bucket;
  }

  #dropFull(time: number): void {
    for (const [id, { at }] of this.#buckets) if (time - at >= MINUTE_MS) this.#buckets.delete(id);
  }

  /** Returns the remaining budget without taking any. */
  #stateOf(level: Level): BudgetState {
    const { name, limit } = level;
    const { per, unit } = BUDGETS[name];
    if (per === 'once') {
      const remaining = Math.max(0, limit - this.#turnsOf(level).state(level.id).used);
      return { name, unit, limit, remaining, windowSeconds: null, resetSeconds: null };
    }
    const { left } = this.#bucketOf(level);
    const resetSeconds = Math.ceil(((limit - left) * 60) / limit);
    return { name, unit, limit, remaining: Math.max(0, Math.floor(left)), windowSeconds: 60, resetSeconds };
  }

  #refusal(level: Level, found: string, seconds = RETRY_AFTER_SECONDS): ServiceError {
    const { noun }: Budget = BUDGETS[level.name];
    let whose = 'This API key has reached the limit of';
    if (level.id === ANONYMOUS) whose = 'Requests without an API key have reached the limit of';
    if (level.name === 'visitor_bytes') whose = 'This network address has reached the limit of';
    if (level.isOfEndUser) whose = 'This end user has reached its share of the';
    return new ServiceError('rate_limited', `${whose} ${noun}: ${found}. Retry in ${seconds} s.`, {
      retryAfterSeconds: seconds,
      headers: rateLimitHeaders([this.#stateOf(level)]),
    });
  }

  #takeAt(level: Level, amount: number): Share {
    const { id, name, limit } = level;
    if (BUDGETS[name].per === 'minute') {
      const bucket = this.#bucketOf(level);
      if (bucket.left <= 0) {
        const seconds = Math.floor((-bucket.left * 60) / limit) + 1;
        throw this.#refusal(level, `all of ${limit} per minute used`, seconds);
      }
      bucket.left -= amount;
      return { release() {} };
    }
    const release = this.#turnsOf(level).takeAtOnce(id, Math.min(amount, limit));
    if (release !== null) return { release };
    const { used } = this.#turnsOf(level).state(id);
    throw this.#refusal(level, `${used} in use, ${amount} more requested, at most ${limit} at once`);
  }

  async #takeInTurnAt(level: Level, amount: number, signal: AbortSignal | undefined): Promise<Share> {
    const { id, name, limit } = level;
    const { line: longest = LONGEST_LINE }: Budget = BUDGETS[name];
    signal?.throwIfAborted();
    const { used, waiting } = this.#turnsOf(level).state(id);
    if (waiting >= longest)
      throw this.#refusal(level, `${used} in use and ${longest} waiting, at most ${limit} at once`);
    return { release: await this.#turnsOf(level).take(id, signal, Math.min(amount, limit)) };
  }
}

function releaseAll(shares: readonly Share[]): void {
  for (const share of shares) share.release();
}
