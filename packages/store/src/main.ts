export { choreAgeMs, choreTime, markChore } from './chore-mark.ts';
export type { Fixed } from './column.ts';
export { type Heartbeat, startHeartbeat } from './heartbeat.ts';
export {
  HEARTBEAT_TEMPO,
  type HeartbeatReport,
  type HeartbeatTempo,
  monotonicMs,
  type SilentProcess,
} from './heartbeat-report.ts';
export { openHeartbeatStore } from './heartbeat-store.ts';
export { KeptConnection, type NoticeConnection } from './kept-connection.ts';
export type { Migration, SchemaPlan } from './migrate.ts';
export { SqliteConnection } from './node-sqlite.ts';
export { type CarrierEvents, digestOfChannel, type Notice, type NoticeCarrier } from './notices.ts';
export { openStore, type StoreOptions } from './open-store.ts';
export type { OpenCarrier } from './postgres-database.ts';
export { isPostgresUrl, parseHosts, serverOf } from './postgres-hosts.ts';
export type { ServerTraits } from './postgres-traits.ts';
export { type ArgumentTypes, prepareSharedSelect, prepareSharedUpdate, type Shared } from './prepare-shared.ts';
export { prepareWith, prepareWithClock } from './prepare-with-clock.ts';
export { type Argument, type Prepared, prepare } from './prepared.ts';
export {
  acquireEndedLock,
  acquireProcessLock,
  type LockState,
  lockState,
  type ProcessLock,
  processLockPath,
  removeEndedLocks,
} from './process-lock.ts';
export { reportsInTurn } from './report-turns.ts';
export { createRunningRequest, RUNNING_BYTES, readRunningRequest } from './running-request.ts';
export { foldText } from './scan-texts.ts';
export { inTransaction } from './sqlite-database.ts';
export { SqliteSession } from './sqlite-session.ts';
export { isStatementFault } from './statement-fault.ts';
export { creationOf, statementsOf, tablesOf } from './statements.ts';
export { COMMITS, type CommitHook, DeferUnit, type Session, type Store, type Transaction, type Unit } from './store.ts';
export type { StoreSchema } from './store-schema.ts';
export { TAKEN_LOCKS, type TakenLock } from './taken-locks.ts';
export {
  type Claim,
  claimChore,
  claimWork,
  endWork,
  enterWork,
  type NewWork,
  nextWorkInMs,
  releaseWork,
  renewWork,
  requestWork,
  restartWork,
} from './work.ts';
export { UnknownOutcome } from './write-queue.ts';

/** Loads the code that only PostgreSQL needs, with its client: most installations do not use it. */
export const loadPostgres = () => import('./postgres.ts');
