import * as store from '@darkroom-service/store';

/** The kinds of what some process has to do once, and that is not the claim of an order. */
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
 * Enters work unless it waits or is being done already. Whoever ends it must look for causes after `renewWork`, which
 * makes this wait.
 */
export const askForWork = store.askForWork<WorkKind>;
/** Makes work due now and forgets its attempts. A claim on it is lost. */
export const restartWork = store.restartWork<WorkKind>;
export const nextWorkInMs = store.nextWorkInMs<WorkKind>;
export const claimWork = store.claimWork<WorkKind>;
/** Ends claimed work. @returns false if the claim was lost */
export const endWork = store.endWork;
/** Releases a claim until the next attempt. @returns false if the claim was lost */
export const releaseWork = store.releaseWork;
/** Renews a claim, and makes `askForWork` wait until the commit. @returns false if the claim was lost */
export const renewWork = store.renewWork;
/**
 * Claims a periodic chore for this process; true at most once per interval among all processes. If the process dies,
 * the chore waits for the next interval.
 */
export const claimChore = store.claimChore;
