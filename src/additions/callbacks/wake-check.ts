import { sql } from 'kysely';
import { type Kernel, prepare, prepareWithClock, type TaskRow } from '../../kernel.ts';

type Standing = Pick<TaskRow, 'step' | 'worker' | 'queue'>;

const selectStanding = prepare<{ id: string }, Standing>('called_back_task', (builder, argument) =>
  builder.selectFrom('tasks').select(['step', 'worker', 'queue']).where('id', '=', argument('id')),
);

/** Makes a task due. One that waits after failed checks keeps its pause: its upstream may have asked for it. */
const makeDue = prepareWithClock<{ id: string }, unknown>('called_back_due', (builder, now, argument) =>
  builder
    .updateTable('tasks')
    .set({ next_at: sql<number>`${now}` })
    .where('id', '=', argument('id'))
    .where('step', '=', sql.lit('running'))
    .where('worker', 'is', null)
    .where('attempts', '=', sql.lit(0))
    .where('next_at', '>', sql<number>`${now}`),
);

/**
 * Makes the worker that has an order check it, because its upstream called. Changes nothing else, and nothing for an
 * order that has ended, has moved to another engine, or does not exist.
 */
export async function wakeCheck(
  {
    engines,
    store,
    work,
  }: Pick<Kernel, 'engines' | 'work'> & { readonly store: Pick<Kernel['store'], 'read' | 'write'> },
  { engine, taskId }: { readonly engine: string; readonly taskId: string },
): Promise<void> {
  if (engines.calledBack(taskId, engine)) return;
  const task = await store.read.first(selectStanding, { id: taskId });
  if (task === undefined || engines.ofQueue(task.queue).engine !== engine) return;
  if (task.step !== 'submitting' && task.step !== 'running') return;
  // A call may come before the answer to the submission is stored.
  if (task.worker !== null) return engines.announceCall({ worker: task.worker, taskId, engine });
  const made = await store.write('called_back', (trx) => trx.run(makeDue(trx), { id: taskId }), { together: true });
  if (made > 0) work.wakeRunner();
}
