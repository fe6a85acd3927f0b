import * as store from '@darkroom-service/store';

/** Kinds of work that some process must do once, apart from orders. */
export const WORK_KINDS = [
  'webhook',
  'alert',
  'references',
  'children',
  'delivery',
  'erasure',
  'deed',
  'batch',
] as const;
/** A kind of work. */
export type WorkKind = (typeof WORK_KINDS)[number];
/** Work that this process has claimed. */
export type Claim = store.Claim<WorkKind>;

/** Enters work whose subject is new. */
export const enterWork = store.enterWork<WorkKind>;
/**
 * Enters work unless it is pending or running. Code that ends the work must check for new causes after `renewWork`,
 * which makes this call wait.
 */
export const requestWork = store.requestWork<WorkKind>;
export const nextWorkInMs = store.nextWorkInMs<WorkKind>;
export const claimWork = store.claimWork<WorkKind>;
/** Ends claimed work. @returns false if the claim was lost */
export const endWork = store.endWork;
/** Releases a claim until the next attempt. @returns false if the claim was lost */
export const releaseWork = store.releaseWork;
/** Renews a claim, and makes `requestWork` wait until the commit. @returns false if the claim was lost */
export const renewWork = store.renewWork;
/**
 * Claims a periodic chore for this process; true at most once per interval among all processes. If the process dies,
 * the chore waits for the next interval.
 */
export const claimChore = store.claimChore;
