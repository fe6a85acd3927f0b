/*
 * What additions do with accounts, their keys and their money. It loads neither HTTP nor what places orders.
 */

/** Accounts: created, found, changed, and where their customers are told of orders by default. */
export { changeAccount, createAccount, getAccount, listAccounts } from './accounts/accounts.ts';
/** Keys of accounts: issued, found, changed, rotated and revoked. */
export {
  asRevoked,
  issueKey,
  listKeys,
  PERSON_KEY,
  readKey,
  revokeKey,
  rotateKey,
  withoutSecret,
} from './accounts/api-keys.ts';
/** Changes that were made, as the audit log shows them. */
export { viewAct } from './accounts/audit.ts';

/** Money that is added to an account or given back. */
export { creditAccount, creditFingerprint, getCredit, listCredits, takeBackCredit } from './accounts/credits.ts';
export { isGrant } from './accounts/grant.ts';
export { DEFAULT_COLUMNS, type KeySettings, type LimitPatch } from './accounts/key-settings.ts';
/** The stored form of a secret that nobody can guess. */
export { hashSecret } from './accounts/key-secret.ts';
/** Groups of orders whose money is held together. */
export { HAS_NOT_ENDED, selectOpenGroups } from './accounts/open-groups.ts';
/** Idempotency-Keys of what is erased. */
export { expireKeys } from './database/deeds.ts';
/** Secrets of the service that sign, and tokens that keys sign for their clients. */
export { edgeKeyOf, readSigningSecret, rotatedUntil, rotateSigningSecrets } from './accounts/signing-secrets.ts';
/** Spending of keys and end users. */
export { spentNow } from './accounts/recount-in-zone.ts';
export { type Spent, type StoredSpending, spentWith } from './accounts/spending.ts';
/** Orders by the day on which they were placed: their sums for reports, and the day since which their rows are kept. */
export { rowsKeptSince } from './accounts/usage-parts.ts';

/** Bytes that are stored for an account, and its remaining storage. */
export { assertRoomToStore, storerOf } from './accounts/stored-bytes.ts';
export { changeLimitsOfKey } from './tasks/change-limits-of-key.ts';

/** The names of engines that belong to accounts. */
export { keyedEngine, keyedPartsOf } from './record/owned-instance.ts';
