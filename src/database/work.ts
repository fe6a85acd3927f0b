import * as store from '@darkroom-service/store';

/** The kinds of what some process has to do once, and that is not the claim of an order. */
export const WORK_KINDS = ['webhook', 'alert', 'references', 'children', 'delivery', 'erasure', 'deed'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];
/** Work that this process has claimed. */
export type Claim = store.Claim<WorkKind>;

export const enterWork = store.enterWork<WorkKind>;
export const askForWork = store.askForWork<WorkKind>;
export const restartWork = store.restartWork<WorkKind>;
export const nextWorkInMs = store.nextWorkInMs<WorkKind>;
export const claimWork = store.claimWork<WorkKind>;
export const { claimChore, endWork, releaseWork, renewWork } = store;
