import { Type } from 'typebox';
import { Flag, Nullable, refTo, Text, Time, Whole, type Wire } from './parts.ts';
import { CIRCUIT_STATES, UPSTREAM_FAULTS } from './words.ts';

/** Engines as operators see them: pauses, circuits, limits and queues. */

export const AdminQueue = Type.Object(
  {
    engine: Text,
    mode: Type.Enum(['live', 'test', 'simulated']),
    waiting: Whole,
    in_flight: Whole,
    oldest_waiting_at: Nullable(Time, 'When the order was placed, or entered the queue, that has waited longest.'),
    last_hour: Type.Object(
      { succeeded: Whole, failed: Whole, canceled: Whole },
      { description: 'How orders placed within the last hour have ended so far.' },
    ),
  },
  { $id: 'AdminQueue', description: 'The queue of an engine in one mode.' },
);
export type QueueView = Wire<typeof AdminQueue>;

export const AdminCircuit = Type.Object(
  {
    state: Type.Enum(CIRCUIT_STATES, {
      description:
        'open: the upstream gets no orders. half_open: one order is tried. closed: the upstream gets orders.',
    }),
    since: Nullable(Time, 'When the circuit opened.'),
    fault: Nullable(Type.Enum(UPSTREAM_FAULTS)),
    reason: Nullable(Text, "The upstream's own message."),
    retry_at: Nullable(Time, 'When the next order is tried.'),
  },
  {
    $id: 'AdminCircuit',
    description: 'The circuit breaker of an upstream. All fields but state are null if it is closed.',
  },
);
export type CircuitView = Wire<typeof AdminCircuit>;

export const RouteCircuit = Type.Object(
  {
    model: Type.String({ description: "The upstream's name of the model." }),
    fault: Type.Enum(UPSTREAM_FAULTS),
    reason: Text,
    since: Time,
    retry_at: Time,
  },
  { $id: 'AdminRouteCircuit', description: 'The open circuit of one model of an upstream.' },
);
export type RouteCircuitView = Wire<typeof RouteCircuit>;

export const EngineLimits = Type.Object(
  {
    concurrency: Type.Integer({ description: 'Orders in progress at once, over all processes, as it stands now.' }),
    floor: Whole,
    ceiling: Type.Integer({ description: 'Equal to floor if the limit is fixed.' }),
    start_seconds: Type.Number({ description: 'The longest that handing one order over may take.' }),
  },
  { $id: 'AdminEngineLimits', description: 'The limits of an engine.' },
);
export type EngineLimitsView = Wire<typeof EngineLimits>;

const UpstreamBalance = Type.Object({
  amount: Nullable(Text, 'A decimal number, as last told; null = never told.'),
  unit: Nullable(Text, "The upstream's own unit, such as credits."),
  told_at: Nullable(Time),
  asked_at: Time,
  error: Nullable(Text, 'Why the last request failed.'),
});
export type UpstreamBalanceView = Wire<typeof UpstreamBalance>;

const SlowBegin = Type.Object({
  at_once: Type.Integer({ description: 'Submissions that may be open, over all processes.' }),
  reason: Type.String({ description: 'Why the orders waited.' }),
});

export const AdminEngine = Type.Object(
  {
    name: Text,
    paused: Flag,
    paused_at: Nullable(Time),
    reason: Nullable(Text, 'Why an operator paused the engine.'),
    circuit: refTo(AdminCircuit),
    slow_begin: Nullable(
      SlowBegin,
      'Orders that waited begin slowly: this many at once, and one more for each that the upstream accepts.',
    ),
    route_circuits: Type.Array(refTo(RouteCircuit), {
      description: 'Models that the upstream refuses although it works. Closing the circuit of the engine closes them.',
    }),
    limits: Nullable(refTo(EngineLimits), 'Null if the engine is not configured.'),
    balance: Nullable(
      UpstreamBalance,
      'What is left in your account at the upstream; null if the upstream does not tell it or was not asked yet.',
    ),
    queues: Type.Array(refTo(AdminQueue)),
  },
  { $id: 'AdminEngine', description: 'An engine, its circuits, its limits and its queues.' },
);
export type EngineView = Wire<typeof AdminEngine>;

export const EngineHour = Type.Object(
  {
    hour: { ...Time, description: 'The begin of the hour.' },
    engine: Text,
    orders: Type.Integer({ description: 'Live orders placed within the hour.' }),
    succeeded: Whole,
    failed: Whole,
    canceled: Whole,
    seconds: Nullable(Type.Number(), 'The mean time that those that succeeded took at the engine.'),
  },
  { $id: 'AdminEngineHour', description: 'How the orders of one hour have ended so far at one engine.' },
);
export type EngineHourView = Wire<typeof EngineHour>;

export const ClosedCircuit = Type.Object(
  { name: Text, circuit: refTo(AdminCircuit) },
  { $id: 'ClosedCircuit', description: 'The circuit after it was closed.' },
);

export const Switched = Type.Object(
  { name: Text, paused: Flag },
  { $id: 'AdminSwitch', description: 'Whether an engine or model is paused.' },
);
