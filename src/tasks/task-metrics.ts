import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import type { TaskStatus } from './task.ts';

/** What is counted of tasks while the service runs. */
export interface TaskFigures {
  settled(task: {
    readonly type: 'image' | 'video';
    readonly mode: 'live' | 'test';
    readonly status: TaskStatus;
  }): void;
}

/** Registers the figures of tasks; depths are read from the database at each scrape. */
export function createTaskMetrics(registry: Registry, database: Database, heldTasks: () => number): TaskFigures {
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
  return { settled: ({ type, mode, status }) => settled.inc({ type, mode, status }) };
}
