import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { CIRCUIT_STATES, type CircuitState } from './circuit.ts';
import type { TaskStatus } from './task.ts';

/** What is counted of tasks while the service runs. */
export interface TaskFigures {
  settled(task: {
    readonly type: 'image' | 'video';
    readonly mode: 'live' | 'test';
    readonly status: TaskStatus;
  }): void;
  /** A call to an engine failed, and not for what was ordered. */
  engineFault(fault: { readonly engine: string; readonly call: string; readonly fault: string }): void;
  /** An order left an engine that did not take it for its next route. */
  wentOn(order: { readonly engine: string }): void;
}

/**
 * Registers the figures of tasks; depths are read from the database at each scrape.
 * @param circuits how those of the engines stand, by name
 */
export function createTaskMetrics(
  registry: Registry,
  database: Database,
  heldTasks: () => number,
  circuits: () => ReadonlyMap<string, CircuitState>,
): TaskFigures {
  const settled = new Counter({
    name: 'darkroom_tasks_settled_total',
    help: 'Tasks that ended in this process, by how they ended.',
    labelNames: ['type', 'mode', 'status'] as const,
    registers: [registry],
  });
  new Gauge({
    name: 'darkroom_tasks_held',
    help: 'Tasks that this process is advancing right now.',
    registers: [registry],
    collect() {
      this.set(heldTasks());
    },
  });
  new Gauge({
    name: 'darkroom_queue_tasks',
    help: 'Tasks that are not final, by fair queue and step, over all processes.',
    labelNames: ['queue', 'step'] as const,
    registers: [registry],
    async collect() {
      const { read } = database;
      const rows = await read.all(
        read.builder
          .selectFrom('tasks')
          .select((expression) => ['queue', 'step', expression.fn.countAll<number>().as('tasks')])
          .where('next_at', 'is not', null)
          .where('step', '!=', 'final')
          .groupBy(['queue', 'step']),
      );
      this.reset();
      for (const row of rows) this.set({ queue: row.queue, step: row.step }, row.tasks);
    },
  });
  new Gauge({
    name: 'darkroom_reconciliation_open',
    help: 'Orders of unknown outcome and late results that nobody has resolved yet.',
    registers: [registry],
    async collect() {
      const { read } = database;
      const row = await read.first(
        read.builder
          .selectFrom('reconciliation')
          .select((expression) => expression.fn.countAll<number>().as('open'))
          .where('resolved_at', 'is', null),
      );
      this.set(row?.open ?? 0);
    },
  });
  const engineFaults = new Counter({
    name: 'darkroom_engine_faults_total',
    help: 'Calls to an engine that failed in this process, and not for what was ordered, by what was done and the class of the error.',
    labelNames: ['engine', 'call', 'fault'] as const,
    registers: [registry],
  });
  const wentOn = new Counter({
    name: 'darkroom_orders_went_on_total',
    help: 'Orders that left an engine which did not take them for their next route, in this process, by the engine that they left.',
    labelNames: ['engine'] as const,
    registers: [registry],
  });
  new Gauge({
    name: 'darkroom_engine_circuit',
    help: 'How the circuit of an engine stands: 1 for the state that it is in, 0 for the others.',
    labelNames: ['engine', 'state'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [engine, state] of circuits())
        for (const each of CIRCUIT_STATES) this.set({ engine, state: each }, each === state ? 1 : 0);
    },
  });
  return {
    engineFault: (fault) => engineFaults.inc(fault),
    wentOn: (order) => wentOn.inc(order),
    settled: ({ type, mode, status }) => settled.inc({ type, mode, status }),
  };
}
