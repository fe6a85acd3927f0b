/*
 * What most additions use of the core. It loads only what is loaded anyway when a process or a command starts; what
 * routes use is in `kernel-http.ts`. The core imports neither.
 */

/** An addition, and the parts of the service that its points are given. */
export type {
  AddedModels,
  AddedTools,
  Addition,
  FirstKeys,
  InstanceParts,
  Opened,
  OpenQuestion,
  Sharing,
  Started,
  Traced,
  Working,
} from './service/addition.ts';

/** Texts of SQL, and schemas: a module outside of this program finds neither package. */
export { sql } from 'kysely';
export { Type } from 'typebox';

/** Settings: what the operator has set, the variables of an addition and their types, and faults of their values. */
export type { Config } from './service/config/config.ts';
export { ConfigFault } from './service/config/config-fault.ts';
export { defineSettings } from './service/config/settings.ts';
export { oneOf, text, type VariableFault } from './service/config/variable-types.ts';

/** Findings of `darkroom doctor`. */
export type { AuditReport, Finding, Observation, Question } from './service/finding.ts';

/** The database: reads, units that write, the tables, and statements that it prepares. */
export type { Database, Session, Transaction } from './database/database.ts';
export { databaseNow } from './database/database-now.ts';
export { prepare } from './database/prepared.ts';
export type { StartRefresh } from './database/refresh.ts';
export type { Schema } from './database/schema.ts';

/** Work that some process does once: entered with its reason, claimed for a time, then ended or released. */
export { type Claim, endWork, enterWork, releaseWork, type WorkKind } from './database/work.ts';
export { startWorkQueue, type WorkQueue } from './database/work-queue.ts';

/** Keys of customers, and the audit log. */
export type { ApiKey, OrderingKey } from './accounts/api-key.ts';
export { type Act, actorOf, recordAct } from './accounts/audit.ts';

/** Orders: their rows, the operations on them, and how an addition takes part in their lives. */
export type { ReadDeliverTo, TaskEnd, TaskServices } from './tasks/task-services.ts';
export { isFinal, type StoredMedia, type StoredOutput, type TaskMedia, type TaskRow } from './tasks/task.ts';
export type { TaskRecord } from './tasks/task-record.ts';
export { inputOf, outputsOf } from './tasks/task-json.ts';
export type { OrderTimes } from './tasks/order-times.ts';
export type { PersonalTable, TaskHooks } from './tasks/task-hooks.ts';
export type { Followed, Follower, FollowerUnit } from './tasks/follower.ts';
export type { ParentGate } from './tasks/parent-gate.ts';
export type { Route } from './tasks/route.ts';
export type { ChangeOutput, Told } from './tasks/interceptor.ts';
export { type CreateChores, DAILY_MS, erasedBefore } from './tasks/chore.ts';
export type { SpanName, Tracer } from './tasks/tracer.ts';

/** Engines that belong to accounts. */
export type { OwnedInstances } from './routing/owned-instances.ts';

/** The log of a process, and what seals and opens the secrets of customers. */
export type { Log } from './base/log.ts';
export type { Vault } from './base/vault.ts';

/** Commands: programs that are loaded when they run, their options, their output and their faults. */
export { whenRun } from './cli/when-run.ts';
export { type RepeatableOptions, withIdempotencyKey } from './cli/repeatable-command.ts';
export { inform, type OutputOptions, show, table, withNotes, withOutput } from './cli/output.ts';
export { CommandFault, usageFault } from './cli/command-fault.ts';
