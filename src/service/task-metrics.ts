import { CIRCUIT_STATES } from '@darkroom-service/contract';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { figureName } from '../record/owned-instance.ts';
import { AS_CIRCUIT, type ValveState } from '../routing/valve.ts';
import type { TaskFigures } from '../tasks/task-figures.ts';
import { createCostMetrics } from './cost-metrics.ts';

const ORDER_SECONDS = [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];
const WAIT_SECONDS = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600];
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Registers the metrics that a process counts itself, which do not depend on the database. */
export function createTaskMetrics(
  registry: Registry,
  process: {
    readonly claimedTasks: () => number;
    /** State of each engine's valve, by engine name. */
    readonly valves: () => ReadonlyMap<string, ValveState>;
    readonly build: { readonly version: string; readonly node: string; readonly role: string };
  },
): TaskFigures {
  new Gauge({
    name: 'darkroom_build_info',
    help: '1, with the version of Darkroom and of Node, and the role of this process.',
    labelNames: ['version', 'node', 'role'] as const,
    registers: [registry],
  }).set(process.build, 1);
  const upstreamCalls = new Histogram({
    name: 'darkroom_upstream_call_seconds',
    help: 'How long calls to engines took in this process, by engine, call and outcome: ok, aborted, or the class of the error.',
    labelNames: ['engine', 'call', 'outcome'] as const,
    buckets: CALL_SECONDS,
    registers: [registry],
  });
  const ofOrders = registerOrderFigures(registry);
  new Gauge({
    name: 'darkroom_tasks_held',
    help: 'Tasks that this process is advancing right now.',
    registers: [registry],
    collect() {
      this.set(process.claimedTasks());
    },
  });
  const engineFaults = new Counter({
    name: 'darkroom_engine_faults_total',
    help: 'Failed calls to an engine by this process, by call and class of the error, except those that the order caused.',
    labelNames: ['engine', 'call', 'fault'] as const,
    registers: [registry],
  });
  const notAsOrdered = new Counter({
    name: 'darkroom_outputs_not_as_ordered_total',
    help: 'Results that differ from what was ordered, of orders that ended in this process, by engine and code: that of the warning in the task, or unusable if the order failed for it.',
    labelNames: ['engine', 'code'] as const,
    registers: [registry],
  });
  const wentOn = new Counter({
    name: 'darkroom_orders_went_on_total',
    help: 'Orders that an engine did not accept and that took their next route, in this process, by that engine.',
    labelNames: ['engine'] as const,
    registers: [registry],
  });
  new Gauge({
    name: 'darkroom_engine_circuit',
    help: '1 for the state that the circuit of an engine is in, 0 for the others.',
    labelNames: ['engine', 'state'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [engine, state] of process.valves())
        for (const each of CIRCUIT_STATES) this.set({ engine, state: each }, each === AS_CIRCUIT[state] ? 1 : 0);
    },
  });
  const takenOver = new Counter({
    name: 'darkroom_tasks_taken_over_total',
    help: 'Tasks that this process took over from processes that had ended or were silent.',
    labelNames: ['reason'] as const,
    registers: [registry],
  });
  const costs = createCostMetrics(registry);
  return {
    orderCost: costs,
    tookOver: ({ reason, tasks }) => takenOver.inc({ reason }, tasks),
    engineFault: ({ engine, ...labels }) => engineFaults.inc({ engine: figureName(engine), ...labels }),
    upstreamCall: ({ seconds, engine, ...labels }) =>
      upstreamCalls.observe({ engine: figureName(engine), ...labels }, seconds),
    notAsOrdered: ({ engine, code }) => notAsOrdered.inc({ engine: figureName(engine), code }),
    wentOn: ({ engine }) => wentOn.inc({ engine: figureName(engine) }),
    ...ofOrders,
  };
}

/** Registers the metrics of how long orders waited and took, and how they ended. */
function registerOrderFigures(registry: Registry): Pick<TaskFigures, 'began' | 'settled'> {
  const settled = new Counter({
    name: 'darkroom_tasks_settled_total',
    help: 'Tasks that ended in this process, by how they ended.',
    labelNames: ['type', 'mode', 'status'] as const,
    registers: [registry],
  });
  const orders = new Histogram({
    name: 'darkroom_order_seconds',
    help: 'How long orders that ended in this process took since their engine got them, by engine, mode and outcome: succeeded, failed, refused (for their content or input) or canceled.',
    labelNames: ['engine', 'mode', 'outcome'] as const,
    buckets: ORDER_SECONDS,
    registers: [registry],
  });
  const waits = new Histogram({
    name: 'darkroom_order_wait_seconds',
    help: 'How long orders waited in the queue until this process first submitted them, by mode. outcome="failed": it ended before, though not for its content or input.',
    labelNames: ['mode', 'outcome'] as const,
    buckets: WAIT_SECONDS,
    registers: [registry],
  });
  return {
    began: ({ mode, seconds }) => waits.observe({ mode, outcome: 'began' }, seconds),
    settled: ({ type, mode, status, engine, outcome, seconds, secondsSinceOrder }) => {
      settled.inc({ type, mode, status });
      if (seconds === null && outcome === 'failed') waits.observe({ mode, outcome }, secondsSinceOrder);
      if (seconds !== null) orders.observe({ engine: figureName(engine), mode, outcome }, seconds);
    },
  };
}
