import type { Selectable } from 'kysely';
import type { Session } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { TaskRow } from '../tasks/task.ts';

/** A task as an archive keeps it: its row, and the rows that belong to it. */
export interface ArchiveRecord {
  readonly task: TaskRow;
  readonly ledger: readonly Selectable<Schema['ledger']>[];
  readonly idempotency: readonly Selectable<Schema['idempotency']>[];
  readonly cost: Selectable<Schema['task_costs']> | null;
}

/** A UTC month of task ids. */
export interface Month {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Adds the rows that belong to tasks. */
export async function completeRecords(session: Session, tasks: readonly TaskRow[]): Promise<ArchiveRecord[]> {
  const ids = tasks.map(({ id }) => id);
  const { builder } = session;
  const ledger = await session.all(builder.selectFrom('ledger').selectAll().where('task_id', 'in', ids).orderBy('id'));
  const idempotency = await session.all(
    builder.selectFrom('idempotency').selectAll().where('subject_id', 'in', ids).orderBy('idempotency_key'),
  );
  const costs = await session.all(builder.selectFrom('task_costs').selectAll().where('task_id', 'in', ids));
  const entriesOf = Map.groupBy(ledger, ({ task_id }) => task_id);
  const bindingsOf = Map.groupBy(idempotency, ({ subject_id }) => subject_id);
  const costOf = new Map(costs.map((row) => [row.task_id, row]));
  return tasks.map((task) => ({
    task,
    ledger: entriesOf.get(task.id) ?? [],
    idempotency: bindingsOf.get(task.id) ?? [],
    cost: costOf.get(task.id) ?? null,
  }));
}
