/*
 * What additions use of the core, whatever they do. It loads only what is loaded anyway when a process or a
 * command starts. `kernel-accounts.ts` has accounts, their keys and their money, `kernel-cli.ts` what commands use,
 * `kernel-orders.ts` what changes orders, `kernel-views.ts` what finds and shows them, and `kernel-http.ts` what routes
 * use. The core imports none of them.
 */

/** The service, as an addition gets it when it is opened. */
export type { Kernel, ServingKernel } from './service/kernel/kernel.ts';
export type { Store } from './service/kernel/store.ts';

/** An addition, and the parts of the service that its points are given. */
export type {
  AddedTools,
  Addition,
  InstanceParts,
  OpenQuestion,
} from './service/addition.ts';

/** Texts of SQL, and schemas: a module outside of this program finds neither package. */
export { sql } from 'kysely';
export { Type } from 'typebox';

/** Settings: what the operator has set, the variables of an addition and their types, and faults of their values. */
export type { Config } from './service/config/config.ts';
export { ConfigFault } from './service/config/config-fault.ts';
export { defineSettings } from './service/config/settings.ts';
export {
  flag,
  integer,
  list,
  oneOf,
  text,
  texts,
  type VariableFault,
  webAddress,
} from './service/config/variable-types.ts';

/** Checks of the installation, and what the core knows of the whole service. */
export { ADVICE, type Check, type Observation, type Question } from './service/check.ts';
export type { Checks } from './service/operations/checks.ts';

/** The database: reads, units that write, the tables, and statements that it prepares. */
export type { Database, Session, Transaction } from './database/database.ts';
export { databaseNow } from './database/database-now.ts';
export {
  prepare,
  prepareSharedUpdate,
  prepareTaskCount,
  prepareWith,
  prepareWithClock,
} from './database/prepared.ts';
export type { Schema } from './database/schema.ts';

/** Work that some process does once: entered with its reason, claimed for a time, then ended or released. */
export type { Claim } from './database/work.ts';
export type { WorkQueue } from './database/work-queue.ts';

/** Loops of one process, pauses between attempts, limits of what runs at once, its version, and its log. */
export { VERSION } from './base/process.ts';
export type { Log } from './base/log.ts';

/** Secrets of customers, sealed and opened; and values, compared by their fingerprints. */
export { SealFault, type Vault } from './base/vault.ts';
export { vaultOf } from './service/config/owned-instance-variables.ts';
export { fingerprint } from './base/canonical-json.ts';

/** Keys of customers, the owners of what lies under them, their limits of spending, and the audit log. */
export type { ApiKey, OrderingKey } from './accounts/api-key.ts';
export { type Owner, scopeDigest } from './accounts/scope.ts';
export type { ReportScope } from './accounts/report-scope.ts';
export { assertLeft, limitedWindows } from './accounts/spend-limits.ts';
export { type Act, actorOf, recordAct, recordChange } from './accounts/audit.ts';

/** Orders: their rows, gates and queues, and how an addition takes part in their lives. */
export type { TaskEnd } from './tasks/task-services.ts';
export type { StoredMedia, StoredOutput, TaskMedia, TaskRow } from './record/task.ts';
export type { TaskRecord } from './record/task-record.ts';
export { deliveryOf, inputOf } from './record/task-json.ts';
export { isClosed, isClosedIn } from './queue/gates.ts';
export { IN_FLIGHT } from './queue/in-flight.ts';
export { lockTask } from './record/update-unlocked.ts';
export { queuesOf } from './queue/queue-names.ts';
export type { TaskHooks } from './tasks/task-hooks.ts';
export { type Follower, findPendingDelivery } from './tasks/follower.ts';
export type { ChangeOutput } from './tasks/interceptor.ts';
export { DAILY_MS } from './erasure/chore.ts';
export type { Tracer } from './tasks/tracer.ts';
