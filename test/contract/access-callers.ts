import type { TaskAnswer } from '../helpers/service.ts';

/**
 * A caller of an operation. `other mode`: a live key of the same account, asking for what a test key owns. `client
 * token`: a token of the owner's key for an end user who owns none of it.
 */
export type Caller =
  | 'owner'
  | 'no key'
  | 'other account'
  | 'other key'
  | 'other mode'
  | 'client token'
  | 'revoked'
  | 'expired'
  | 'admin';

/** The resources that every row can name: a finished task of the owner, its files and its webhook delivery. */
export interface Owned {
  readonly image: TaskAnswer;
  readonly video: TaskAnswer;
  readonly grid: TaskAnswer;
  readonly fileId: string;
  readonly batchId: string;
  readonly shareId: string;
  readonly deliveryId: string;
  readonly keyId: string;
  readonly accountId: string;
  /** A picture as a body of an upload. */
  readonly picture: Uint8Array<ArrayBuffer>;
}

export interface Row {
  /** The path with its parameters filled in, and what may stand behind it. */
  readonly path?: (owned: Owned) => string;
  readonly body?: (owned: Owned) => object | Uint8Array<ArrayBuffer>;
  readonly expected: Readonly<Record<Caller, number>>;
}

/** What a revoked or expired key, and none at all, are answered wherever a key is needed. */
const KEYLESS = { 'no key': 401, revoked: 401, expired: 401 } as const;

/** Public: nobody needs a key, and a stale one does no harm. */
export const everyone = (status: number): Row['expected'] => ({
  owner: status,
  'no key': status,
  'other account': status,
  'other key': status,
  'other mode': status,
  'client token': status,
  revoked: status,
  expired: status,
  admin: status,
});
/** Returns the expected statuses of an operation for any ordering key about itself, and not for its end users. */
export const anyKey = (status: number): Row['expected'] => ({
  ...everyone(status),
  ...KEYLESS,
  admin: 403,
  'client token': 403,
});
/** Returns the expected statuses of an operation for any ordering key about itself, and for its end users. */
export const anyClient = (status: number): Row['expected'] => ({ ...anyKey(status), 'client token': status });
/** The key that owns the task, file or delivery; for every other key there is no such thing. */
export const ownerOnly = (status: number): Row['expected'] => ({ ...anyKey(404), owner: status });
/** Returns the expected statuses of an operation for the owner; any other key or end user gets 404. */
export const ownerOrClient = (status: number): Row['expected'] => ({ ...ownerOnly(status), 'client token': 404 });
export const adminOnly = (status: number): Row['expected'] => ({ ...everyone(403), ...KEYLESS, admin: status });
