/*
 * What additions do with accounts, their keys and their money. It loads neither HTTP nor what places orders.
 */

/** Prefix of the ids of people's keys. */
export { PERSON_KEY } from './accounts/api-keys.ts';
/** Changes that were made, as the audit log shows them. */
export { viewAct } from './accounts/audit.ts';

/** Tokens that keys sign for their clients, and the settings of keys. */
export { isGrant } from './accounts/grant.ts';
export { DEFAULT_COLUMNS, type KeySettings, type LimitPatch } from './accounts/key-settings.ts';
/** The stored form of a secret that nobody can guess. */
export { hashSecret } from './accounts/key-secret.ts';
/** Groups of orders whose money is held together. */
export { HAS_NOT_ENDED, selectOpenGroups } from './accounts/open-groups.ts';
/** Idempotency-Keys of what is erased. */
export { expireKeys } from './database/deeds.ts';
/** Spending of keys and end users. */
export { spentNow } from './accounts/recount-in-zone.ts';
export { spentWith } from './accounts/spending.ts';
/** Orders by the day on which they were placed: their sums for reports, and the day since which their rows are kept. */
export { rowsKeptSince } from './accounts/usage-parts.ts';

/** The names of engines that belong to accounts. */
export { keyedEngine, keyedPartsOf } from './record/owned-instance.ts';
