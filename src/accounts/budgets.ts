import { ServiceError } from '../base/errors.ts';
import { createTurns, type Turns } from '../base/turns.ts';
import { type BudgetState, rateLimitHeaders } from './rate-limit-headers.ts';

/**
 * Limits how much of this process one API key may use, in addition to money and requests per minute. One object per
 * process holds the budgets of all keys (`services.budgets`). Code whose cost depends on the client acquires a share of
 * the key's budget first:
 *
 *     const share = budgets.acquire(key.id, 'streams', 1);              // refuses at once: 429 `rate_limited`
 *     const share = await budgets.acquireInTurn(key.id, 'examinations', 1, { signal });  // waits for its turn
 *     try { … } finally { share.release(); }
 *     budgets.spend(key.id, 'examined_pixels', width * height);         // an amount per minute; nothing to release
 *
 * The owner is the id of the API key that pays for the work: the caller's, or the task's key in a worker and for a
 * signed URL. Requests without a key share the owner `ANONYMOUS`. Each process counts separately.
 */
export const BUDGETS = {
  body_bytes: { per: 'once', unit: 'content-bytes', setting: 'DARKROOM_KEY_BODY_MB', noun: 'bytes of request bodies' },
  streams: { per: 'once', unit: 'concurrent-requests', setting: 'DARKROOM_KEY_STREAMS', noun: 'open event streams' },
  waits: { per: 'once', unit: 'concurrent-requests', setting: 'DARKROOM_KEY_WAITS', noun: 'waiting requests' },
  reports: {
    per: 'once',
    unit: 'concurrent-requests',
    setting: 'DARKROOM_KEY_REPORTS',
    noun: 'usage reports, searches and lists of tags',
    line: 32,
  },
  examinations: {
    per: 'once',
    unit: 'concurrent-requests',
    setting: 'DARKROOM_KEY_EXAMINATIONS',
    noun: 'media examinations',
  },
  reference_fetches: {
    per: 'once',
    unit: 'concurrent-requests',
    setting: 'DARKROOM_KEY_REFERENCE_FETCHES',
    noun: 'reference downloads',
  },
  anonymous_requests: {
    per: 'once',
    unit: 'concurrent-requests',
    setting: 'DARKROOM_ANONYMOUS_REQUESTS',
    noun: 'requests without an API key',
  },
  examined_pixels: {
    per: 'minute',
    unit: 'pixels',
    setting: 'DARKROOM_KEY_EXAMINED_MEGAPIXELS',
    noun: 'examined pixels',
  },
  examined_film_seconds: {
    per: 'minute',
    unit: 'seconds',
    setting: 'DARKROOM_KEY_EXAMINED_FILM_SECONDS',
    noun: 'examined seconds of video and sound',
  },
} as const satisfies Record<string, Budget>;

interface Budget {
  /** `once`: a concurrent amount. `minute`: an amount that refills within a minute. */
  readonly per: 'once' | 'minute';
  /** The value of the `qu` parameter in `RateLimit-Policy`. */
  readonly unit: string;
  readonly setting: string;
  /** For messages, in the plural. */
  readonly noun: string;
  /** The maximum number waiting for a share; further ones are refused. Default: `LONGEST_LINE`. */
  readonly line?: number;
}

export type BudgetName = keyof typeof BUDGETS;
type NameOf<Per> = { [Name in BudgetName]: (typeof BUDGETS)[Name]['per'] extends Per ? Name : never }[BudgetName];
/** Budgets of concurrent use. */
type SharedBudget = NameOf<'once'>;
/** Budgets of an amount per minute. */
export type MinuteBudget = NameOf<'minute'>;
export type BudgetLimits = Readonly<Record<BudgetName, number>>;

/** The owner of all requests without a key. */
export const ANONYMOUS = 'anonymous';

/** The maximum number waiting for a share of a budget that has no own limit. */
export const LONGEST_LINE = 1_000;
const RETRY_AFTER_SECONDS = 1;
const MINUTE_MS = 60_000;
const OWNERS_REMEMBERED = 10_000;

export interface Share {
  /** Returns the share; calling it again does nothing. */
  release(): void;
}

/** @template Who the owner: an id, or a type that has one */
export interface Budgets<Who = string> {
  /** Acquires a share at once. An amount above the limit takes the whole budget. @throws ServiceError `rate_limited` */
  acquire(owner: Who, name: SharedBudget, amount: number): Share;
  /**
   * Acquires a share in order of arrival.
   * @throws ServiceError `rate_limited` if the budget's line is full; the signal's reason if it is aborted
   * while waiting.
   */
  acquireInTurn(
    owner: Who,
    name: SharedBudget,
    amount: number,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Share>;
  /**
   * Spends an amount of a minute's budget. Any amount is accepted while some budget is left; if it exceeds the budget,
   * the next call is refused until the excess has refilled. An amount of 0 only checks. @throws ServiceError
   * `rate_limited`
   */
  spend(owner: Who, name: MinuteBudget, amount: number): void;
  /** Returns the remaining budget, for the rate limit headers. */
  state(owner: Who, names: readonly BudgetName[]): BudgetState[];
}

interface Bucket {
  left: number;
  at: number;
}

export interface BudgetOptions {
  readonly limits: BudgetLimits;
  /** Returns milliseconds. */
  readonly now: () => number;
  /** The subject of a refusal, followed by the noun of the budget. By default the owner is an API key. */
  readonly subject?: string;
  /** A further setting that the limits depend on. */
  readonly setting?: string;
}

export function createBudgets(options: BudgetOptions): Budgets {
  const { limits, now } = options;
  const turns = new Map<BudgetName, Turns>();
  const buckets = new Map<string, Bucket>();

  /** Capped at the limit, so that every amount can be granted. */
  const sized = (name: BudgetName, amount: number) => Math.min(amount, limits[name]);

  function turnsOf(name: BudgetName): Turns {
    const known = turns.get(name) ?? createTurns(limits[name]);
    turns.set(name, known);
    return known;
  }

  /** Refills a bucket up to the current time. */
  function bucketOf(owner: string, name: MinuteBudget): Bucket {
    const id = `${name} ${owner}`;
    const time = now();
    const known = buckets.get(id);
    const bucket = known ?? { left: limits[name], at: time };
    // A clock that is set back refills nothing.
    bucket.left = Math.min(limits[name], bucket.left + (Math.max(0, time - bucket.at) * limits[name]) / MINUTE_MS);
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

  /** Returns the remaining budget without spending any. */
  function stateOf(owner: string, name: BudgetName): BudgetState {
    const { per, unit } = BUDGETS[name];
    const limit = limits[name];
    if (per === 'once') {
      const remaining = Math.max(0, limit - turnsOf(name).state(owner).used);
      return { name, unit, limit, remaining, windowSeconds: null, resetSeconds: null };
    }
    const left = bucketOf(owner, name as MinuteBudget).left;
    const resetSeconds = Math.ceil(((limit - left) * 60) / limit);
    return { name, unit, limit, remaining: Math.max(0, Math.floor(left)), windowSeconds: 60, resetSeconds };
  }

  function refusal(owner: string, name: BudgetName, found: string, seconds = RETRY_AFTER_SECONDS): ServiceError {
    const { noun, setting } = BUDGETS[name];
    const { subject = 'This API key has reached the limit of' } = options;
    const whose = owner === ANONYMOUS ? 'Requests without an API key have reached the limit of' : subject;
    const settings = options.setting === undefined ? `setting ${setting}` : `settings ${setting}, ${options.setting}`;
    return new ServiceError('rate_limited', `${whose} ${noun}: ${found} (${settings}). Retry in ${seconds} s.`, {
      retryAfterSeconds: seconds,
      headers: rateLimitHeaders([stateOf(owner, name)]),
    });
  }

  return {
    acquire(owner, name, amount) {
      const release = turnsOf(name).takeAtOnce(owner, sized(name, amount));
      if (release !== null) return { release };
      const { used } = turnsOf(name).state(owner);
      throw refusal(owner, name, `${used} in use, ${amount} more requested, at most ${limits[name]} at once`);
    },
    async acquireInTurn(owner, name, amount, { signal } = {}) {
      signal?.throwIfAborted();
      const { line: longest = LONGEST_LINE }: Budget = BUDGETS[name];
      const { used, waiting } = turnsOf(name).state(owner);
      if (waiting >= longest)
        throw refusal(owner, name, `${used} in use and ${longest} waiting, at most ${limits[name]} at once`);
      return { release: await turnsOf(name).take(owner, signal, sized(name, amount)) };
    },
    spend(owner, name, amount) {
      const bucket = bucketOf(owner, name);
      if (bucket.left <= 0) {
        const seconds = Math.floor((-bucket.left * 60) / limits[name]) + 1;
        throw refusal(owner, name, `all of ${limits[name]} per minute used`, seconds);
      }
      bucket.left -= amount;
    },
    state: (owner, names) => names.map((name) => stateOf(owner, name)),
  };
}
