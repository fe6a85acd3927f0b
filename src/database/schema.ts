import type { Fixed, StoreSchema } from '@darkroom-service/store';
import type { AccountsTable, ApiKeysTable, EndUsersTable, MetersTable, SpendingTable } from './account-tables.ts';
import type { ClosedDaysTable, CostDaysTable, UsageDaysTable, UsageQuartersTable } from './day-sum-tables.ts';
import type { FilesTable } from './file-tables.ts';
import type { InstallationTable } from './process-tables.ts';
import type { IdempotencyTable, TaskChecksTable, TaskCostsTable } from './task-tables.ts';
import type { InstancesTable, UpstreamJobsTable, ValvesTable } from './upstream-tables.ts';
import type { WorkKind } from './work.ts';

/**
 * All tables, as they are read, inserted and updated. Times are milliseconds since 1970 UTC, money is micro-dollars,
 * flags are 0 or 1, and columns ending in `_json` contain JSON text. `never` marks columns that are not updated after
 * the insert. Additions add theirs (`declare module`).
 */
export interface Schema extends StoreSchema<WorkKind> {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  ledger: LedgerTable;
  ledger_checkpoints: LedgerCheckpointsTable;
  meters: MetersTable;
  end_users: EndUsersTable;
  spending: SpendingTable;
  tasks: TasksTable;
  task_checks: TaskChecksTable;
  task_costs: TaskCostsTable;
  idempotency: IdempotencyTable;
  files: FilesTable;
  queues: QueuesTable;
  claim_permits: ClaimPermitsTable;
  valves: ValvesTable;
  upstream_jobs: UpstreamJobsTable;
  instances: InstancesTable;
  price_lists: PriceListsTable;
  closed_days: ClosedDaysTable;
  usage_days: UsageDaysTable;
  usage_quarters: UsageQuartersTable;
  cost_days: CostDaysTable;
  reconciliation: ReconciliationTable;
  audit_log: AuditLogTable;
  secrets: SecretsTable;
  assignments: AssignmentsTable;
  installation: InstallationTable;
}

interface LedgerTable {
  account_id: Fixed<string>;
  api_key_id: Fixed<string | null>;
  mode: Fixed<'live' | 'test'>;
  /** Id of the task, of the batch for a batch's single hold, or of the credit itself. Unique with the kind. */
  task_id: Fixed<string>;
  kind: Fixed<'credit' | 'correction' | 'hold' | 'release' | 'charge' | 'refund'>;
  amount: Fixed<number>;
  /** By the database's clock. */
  created_at: Fixed<number>;
  note: Fixed<string | null>;
}

/** The sum of an account's entries that are dated before `until`. */
interface LedgerCheckpointsTable {
  account_id: Fixed<string>;
  mode: Fixed<'live' | 'test'>;
  until: number;
  balance: number;
}

export interface TasksTable {
  id: Fixed<string>;
  type: Fixed<'image' | 'video'>;
  api_key_id: Fixed<string>;
  account_id: Fixed<string>;
  mode: Fixed<'live' | 'test'>;
  status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  step: 'waiting' | 'preparing' | 'submitting' | 'deferred' | 'running' | 'final';
  model_id: Fixed<string>;
  action: Fixed<string | null>;
  parent_task_id: Fixed<string | null>;
  /** The line of its key in which the task waits: 0 = the key's own orders, 1 = bulk orders. The lines take turns. */
  line: Fixed<0 | 1>;
  /** The name in the form by which names are compared: composed (NFC). */
  end_user: string | null;
  /** The name as it was sent; null = it is the same. */
  end_user_sent: string | null;
  /** A digest of key and end user, which stays when `end_user` is erased; null = the order has no end user. */
  scope: Fixed<string | null>;
  metadata_json: string;
  /** The normalized request as the API shows it. */
  input_json: string;
  /** The ResolvedRequest that engines use. */
  request_json: string;
  /** The input media once fetched and checked; null before. */
  media_json: string | null;
  /** The stored outputs: keys, measurements, seeds. */
  outputs_json: string;
  /** Data that the engine stores with its outputs for follow-up actions. */
  keep_json: string | null;
  error_json: string | null;
  /** Amount held at creation; never changes. */
  price: Fixed<number>;
  /** Amount charged; null until the task is final, 0 if the hold was released or the charge was given back. */
  charged: number | null;
  lines_json: string;
  /** Differences of the result from the order; null = none. */
  warnings_json: string | null;
  /** The basis of a charge by measurement; null if the price is exact. */
  price_basis_json: Fixed<string | null>;
  /** The digest of its price list, the multiplier and the fee (`StoredTariff`); null in rows of older versions. */
  price_list: Fixed<string | null>;
  simulate_json: Fixed<string | null>;
  /** The route as chosen: the engine and the upstream's model. */
  route_json: string;
  /** Name of the task's fair queue: one per engine and mode. */
  queue: string;
  /** The rank in the queue; below zero = not in the queue yet (src/queue/gates.ts). */
  rank: number;
  /** 1 while the task may be claimed: a key has at most as many such tasks as free slots. */
  claimable: number;
  /** Increases with every claim and every end, so that writes of an earlier claim affect no row. */
  fence: number;
  /** The process that has the lease. */
  worker: string | null;
  /**
   * The time at which the task needs attention, by the database's clock: the next check, or the hard deadline while it
   * waits. While a process has the lease this lies beyond the hard deadline, until another process takes the task over.
   */
  next_at: number | null;
  /** Bytes of references that were fetched and are not erased; null = none. */
  input_bytes: number | null;
  operation_json: string | null;
  /** Consecutive failed calls. */
  attempts: number;
  /** The time at which the engine expects the task to finish; null if it gives no estimate. */
  estimated_end_at: number | null;
  created_at: Fixed<number>;
  started_at: number | null;
  progressed_at: number | null;
  completed_at: number | null;
  deadline_at: number;
  expires_at: number;
  cancel_requested_at: number | null;
  /** The time at which prompt, inputs and outputs were erased, by age or on request. */
  erased_at: number | null;
  deleted_at: number | null;
  /** The URL notified when the task ends: the task's own, or its account's at the time of the order. */
  webhook_url: string | null;
  /** The target of the outputs and the state of their delivery (`StoredDelivery`); null = none, or erased. */
  deliver_json: string | null;
  /** The followers of the order (src/tasks/follower.ts), one bit each. */
  followed: number;
  /** Conditions to meet before the task may be claimed (src/queue/gates.ts), one bit each; 0 once it is final. */
  gates: number;
  /**
   * Progress in percent; it stays when the task ends. It changes often and stands at the end of the row with others
   * that do: PostgreSQL logs a new version of a row from the first to the last byte that differ.
   */
  progress: number;
  /** Increases with every visible change. */
  revision: number;
  /** The charge that an operator refunded; null = none. */
  refunded: number | null;
}

/** The price lists of models, by which orders were priced. A row is never changed. */
interface PriceListsTable {
  digest: Fixed<string>;
  list_json: Fixed<string>;
}

interface QueuesTable {
  name: Fixed<string>;
  /** Virtual time: the rank of the task claimed last. */
  clock: number;
}

/** Slots of a queue that processes are about to fill: they count as taken. Only on PostgreSQL. */
interface ClaimPermitsTable {
  queue: Fixed<string>;
  /** Random: each permit has its own. */
  holder: Fixed<string>;
  orders: number;
  /** Expiry, by the database's clock. Afterwards any process may remove the row, unless a transaction uses it. */
  until: number;
}

/**
 * Cases that an operator has to check: orders with an unknown outcome, results that arrived too late, and charged
 * pictures that do not decode.
 */
interface ReconciliationTable {
  id: Fixed<string>;
  task_id: Fixed<string>;
  kind: Fixed<'outcome_unknown' | 'late_result' | 'broken_output' | 'not_as_ordered'>;
  detail_json: string;
  created_at: Fixed<number>;
  resolved_at: number | null;
  resolution: string | null;
}

/** Changes and their actors. Entries are never changed, and removed only when they are old. */
interface AuditLogTable {
  id: Fixed<string>;
  actor: Fixed<string>;
  act: Fixed<string>;
  target: Fixed<string | null>;
  detail_json: string;
  created_at: Fixed<number>;
  /** Null in entries of migrations. */
  actor_kind: Fixed<'key' | 'person' | 'program' | null>;
  /** The actor's name at that time. */
  actor_name: Fixed<string | null>;
  /** Address from which the request came, or the host of the command. */
  address: Fixed<string | null>;
}

/** Secrets of the installation, such as the one that signs file URLs. */
interface SecretsTable {
  name: Fixed<string>;
  value: string;
}

/** Bits of `tasks.followed` and `tasks.gates` that additions have. Rows are never changed or removed. */
interface AssignmentsTable {
  kind: Fixed<'follower' | 'gate'>;
  /** Name of the addition, which may be gone. */
  addition: Fixed<string>;
  /** The exponent of the bit. */
  number: Fixed<number>;
}
