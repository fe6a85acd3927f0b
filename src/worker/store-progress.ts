import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepareSharedUpdate } from '../database/prepared.ts';
import type { TaskRow } from '../record/task.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { TaskServices } from '../tasks/task-services.ts';

/** An engine's news about a running order; null = nothing new. */
interface RunningNews {
  readonly progress: number | null;
  readonly estimatedEndAt: number | null;
}

type Noted = Pick<TaskRow, 'id'>;

interface NewsArguments {
  id: string;
  fence: number;
  progress: number;
  /** Estimated end. Null keeps the stored value. */
  estimatedEndAt: number | null;
  now: number;
}

const NEWS = { id: 'text', fence: 'bigint', progress: 'bigint', estimatedEndAt: 'bigint', now: 'bigint' } as const;

const raiseProgress = prepareSharedUpdate<NewsArguments, Noted, 'tasks'>(
  'note_progress',
  { row: 'id', types: NEWS },
  (builder, argument) =>
    builder
      .updateTable('tasks')
      .set({
        progress: argument('progress'),
        revision: sql<number>`revision + 1`,
        progressed_at: argument('now'),
        estimated_end_at: sql<number | null>`coalesce(${argument('estimatedEndAt')}, estimated_end_at)`,
      })
      .where('id', '=', argument('id'))
      .where('fence', '=', argument('fence'))
      .where('step', '!=', 'final')
      .where('progress', '<', argument('progress'))
      .returning('id'),
);

const setEstimate = prepareSharedUpdate<Pick<NewsArguments, 'id' | 'fence' | 'estimatedEndAt'>, Noted, 'tasks'>(
  'note_estimate',
  { row: 'id', types: { id: 'text', fence: 'bigint', estimatedEndAt: 'bigint' } },
  (builder, argument) =>
    builder
      .updateTable('tasks')
      .set({ estimated_end_at: argument('estimatedEndAt') })
      .where('id', '=', argument('id'))
      .where('fence', '=', argument('fence'))
      .where('step', '!=', 'final')
      .returning('id'),
);

/** Stores progress, which never falls, and the estimated end. Does nothing if the claim is lost. */
export async function storeProgress(
  services: Pick<TaskServices, 'clock' | 'database' | 'events'>,
  { id, fence }: Pick<TaskRecord, 'id' | 'fence'>,
  { progress, estimatedEndAt }: RunningNews,
): Promise<void> {
  const record = async (trx: Transaction) => {
    if (progress === null) return void (await trx.firstShared(setEstimate, { id, fence, estimatedEndAt }));
    const whole = Math.max(0, Math.min(99, Math.floor(progress)));
    const now = services.clock.now();
    const raised = await trx.firstShared(raiseProgress, { id, fence, progress: whole, estimatedEndAt, now });
    if (raised !== undefined) trx.afterCommit(() => services.events.changed(id));
  };
  await services.database.write('note_progress', record, { together: true });
}
