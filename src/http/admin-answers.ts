import { type TSchema, Type } from 'typebox';
import { CIRCUIT_STATES, UPSTREAM_FAULTS } from '../tasks/circuit.ts';

/** What operators are answered, for the documentation and the console. */

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Text = Type.String();
const Whole = Type.Integer();
const Flag = Type.Boolean();
const Time = Type.String({ format: 'date-time' });
const Money = Type.String({ description: 'US dollars as a decimal string' });
const AnyObject = Type.Object({}, { additionalProperties: true });
const Mode = Type.Enum(['live', 'test']);
const Pause = { paused: Flag, paused_at: Nullable(Time), reason: Nullable(Text) };

/** @param members what stands beside `items` */
export const listOf = (item: TSchema, members: Record<string, TSchema> = {}) =>
  Type.Object({ items: Type.Array(item), ...members });
/** A page, with whether another follows. */
export const pageOf = (item: TSchema) => listOf(item, { limit: Whole, has_more: Flag });

export const AdminAccount = Type.Object({
  account_id: Text,
  name: Text,
  created_at: Time,
  balance: Money,
  credit_limit: Nullable(Money),
  currency: Type.Literal('USD'),
  price_rules: Type.Array(Type.Object({ models: Text, multiplier: Text })),
  hidden_models: Type.Array(Text),
  webhook_url: Nullable(Text),
});

const keyMembers = {
  key_id: Text,
  account_id: Text,
  mode: Type.Enum(['live', 'test', 'admin']),
  name: Text,
  created_at: Time,
  expires_at: Nullable(Time),
  revoked_at: Nullable(Time),
  previous_until: { ...Nullable(Time), description: 'until when the secret before the last rotation works' },
  models: Type.Array(Text),
  rpm: Whole,
  read_rpm: Whole,
  concurrency: Whole,
  queue: Whole,
  spend_limits: Type.Object({ day: Nullable(Money), month: Nullable(Money), total: Nullable(Money) }),
  account_view: Flag,
};
export const AdminKey = Type.Object(keyMembers);
export const IssuedKey = Type.Object({
  ...keyMembers,
  key: Type.String({ description: 'the secret: here, and never again' }),
});
export const RevokedKey = Type.Object({ ...keyMembers, unreachable_tasks: Whole });

export const AdminQueue = Type.Object({
  engine: Text,
  mode: Type.Enum(['live', 'test', 'simulated']),
  waiting: Whole,
  in_flight: Whole,
  oldest_waiting_at: Nullable(Time),
  last_hour: Type.Object(
    { succeeded: Whole, failed: Whole, canceled: Whole },
    { description: 'how the orders placed within the last hour ended so far' },
  ),
});
export const AdminCircuit = Type.Object(
  {
    state: Type.Enum(CIRCUIT_STATES),
    since: { ...Nullable(Time), description: 'when it was opened' },
    fault: Nullable(Type.Enum(UPSTREAM_FAULTS)),
    reason: { ...Nullable(Text), description: "the upstream's own words" },
    retry_at: { ...Nullable(Time), description: 'when the next order is tried' },
  },
  {
    description:
      'open: its upstream gets no orders for now; half_open: one is tried; all but the state is null while it is closed',
  },
);
export const AdminEngine = Type.Object({
  name: Text,
  ...Pause,
  circuit: AdminCircuit,
  queues: Type.Array(AdminQueue),
});
export const ClosedCircuit = Type.Object({ name: Text, circuit: AdminCircuit });

export const AdminModel = Type.Object({
  model_id: Text,
  name: Text,
  vendor: Text,
  type: Type.Enum(['image', 'video']),
  status: Type.Enum(['active', 'paused', 'deprecated', 'retired']),
  availability: Type.Object({ live: Flag, test: Flag }),
  routes: Type.Array(Type.Object({ engine: Text, model: Nullable(Text), configured: Flag, paused: Flag }), {
    description: 'in the order in which they are tried',
  }),
  not_live_because: { ...Nullable(Text), description: 'why live orders are refused; null while they are taken' },
  ...Pause,
});

export const Switched = Type.Object({ name: Text, paused: Flag });

export const AdminTask = Type.Object({
  task_id: Text,
  key_id: Text,
  account_id: Text,
  mode: Mode,
  status: Text,
  step: Text,
  progress: Type.Number(),
  model_id: Text,
  action: Nullable(Text),
  route: AnyObject,
  queue: Text,
  worker: Nullable(Text),
  attempts: Whole,
  operation: Type.Unknown(),
  error: Nullable(AnyObject),
  price: Money,
  charged: Nullable(Money),
  created_at: Time,
  started_at: Nullable(Time),
  completed_at: Nullable(Time),
  next_at: Nullable(Time),
  deadline_at: Time,
  deleted_at: Nullable(Time),
});

export const AdminFailure = Type.Object({
  task_id: Text,
  model_id: Text,
  engine: Text,
  mode: Mode,
  account_id: Text,
  key_id: Text,
  code: Text,
  message: Text,
  created_at: Time,
  completed_at: Nullable(Time),
});

export const AuditAct = Type.Object({
  audit_id: Text,
  actor: Text,
  act: Text,
  target: Nullable(Text),
  detail: AnyObject,
  created_at: Time,
});

export const Reconciliation = Type.Object({
  reconciliation_id: Text,
  task_id: Text,
  kind: Type.Enum(['outcome_unknown', 'late_result']),
  detail: AnyObject,
  created_at: Time,
  resolved_at: Nullable(Time),
  resolution: Nullable(Text),
});

export const Reloaded = Type.Object({ models: Whole, version: Text });
