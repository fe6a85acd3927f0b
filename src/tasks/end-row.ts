import type { Argument } from '@darkroom-service/store';
import { sql } from 'kysely';
import type { Session, Transaction } from '../database/database.ts';
import { prepare, prepareSharedUpdate } from '../database/prepared.ts';
import { lockKnownSlots, lockSlots } from '../queue/fair-queue.ts';
import type { TaskRow } from '../record/task.ts';
import { FOLLOWED_COLUMNS } from './follower.ts';
import type { TaskServices } from './task-services.ts';

/** The claim of a task that ends, and the new values of its row. */
export interface EndArguments {
  id: string;
  fence: number;
  status: 'succeeded' | 'failed' | 'canceled';
  progress: number;
  outputs: string;
  keep: string | null;
  error: string | null;
  charged: number;
  /** Lines of the price. Null keeps the stored ones. */
  lines: string | null;
  warnings: string | null;
  nextAt: number | null;
  now: number;
}

/** The columns of the ended row that its settlement reads. */
export type Ended = Pick<
  TaskRow,
  | 'id'
  | 'api_key_id'
  | 'account_id'
  | 'mode'
  | 'scope'
  | 'price'
  | 'created_at'
  | 'followed'
  | (typeof FOLLOWED_COLUMNS)[number]
  | 'model_id'
  | 'route_json'
  | 'started_at'
  | 'progress'
  | 'revision'
>;

const ARGUMENTS = {
  id: 'text',
  fence: 'bigint',
  status: 'text',
  progress: 'bigint',
  outputs: 'text',
  keep: 'text',
  error: 'text',
  charged: 'bigint',
  lines: 'text',
  warnings: 'text',
  nextAt: 'bigint',
  now: 'bigint',
} as const;

const update = (builder: Session['builder'], argument: Argument<EndArguments>) =>
  builder
    .updateTable('tasks')
    .set((expression) => ({
      status: argument('status'),
      step: 'final',
      progress: sql<number>`case when ${argument('progress')} > progress then ${argument('progress')} else progress end`,
      outputs_json: argument('outputs'),
      keep_json: argument('keep'),
      error_json: argument('error'),
      charged: argument('charged'),
      lines_json: sql<string>`coalesce(${argument('lines')}, lines_json)`,
      warnings_json: argument('warnings'),
      completed_at: argument('now'),
      claimable: 0,
      gates: 0,
      worker: null,
      next_at: argument('nextAt'),
      fence: expression('fence', '+', 1),
      revision: expression('revision', '+', 1),
    }))
    .where('id', '=', argument('id'))
    .where('fence', '=', argument('fence'))
    .where('step', '!=', 'final')
    .returning(['id', 'api_key_id', 'account_id', 'mode', 'scope', 'price', 'created_at', 'progress', 'revision'])
    .returning(['model_id', 'route_json', 'started_at', 'followed', ...FOLLOWED_COLUMNS]);

const endTask = prepareSharedUpdate<EndArguments, Ended, 'tasks'>(
  'settle_task',
  { row: 'id', types: ARGUMENTS },
  update,
);

type EndedAlone = Ended & { readonly concurrency: number | null; readonly waiting: number | null };

/**
 * Ends a task of a database with one writer. No lock must be taken before the row is written, so the statement also
 * returns the key's slots, and whether an order waits for the room that this one leaves.
 */
const endTaskAlone = prepare<EndArguments, EndedAlone>('settle_task_alone', (builder, argument) =>
  update(builder, argument)
    .returning((expression) =>
      expression
        .selectFrom('api_keys')
        .select('concurrency')
        .whereRef('api_keys.id', '=', 'tasks.api_key_id')
        .as('concurrency'),
    )
    .returning((expression) =>
      expression
        .selectFrom('tasks as next')
        .select(sql<number>`1`.as('found'))
        .whereRef('next.queue', '=', 'tasks.queue')
        .where('next.step', '=', sql.lit('waiting'))
        .where('next.claimable', '=', sql.lit(1))
        .limit(sql.lit(1))
        .as('waiting'),
    ),
);

/** The row of a task that has just ended. */
interface EndedRow {
  readonly ended: Ended;
  /** Slots of its key; 0 = no limit. */
  readonly concurrency: number;
  /** Whether an order may wait for the room that this one leaves. */
  readonly mayLeaveRoom: boolean;
}

/** Writes the row of a task that ends. @returns null if the claim was lost or it has ended */
export async function endRow(
  { database }: Pick<TaskServices, 'database'>,
  trx: Transaction,
  keyId: string,
  written: EndArguments,
): Promise<EndedRow | null> {
  if (database.kind === 'sqlite') {
    const ended = await trx.first(endTaskAlone, written);
    if (ended === undefined) return null;
    const concurrency = ended.concurrency ?? 0;
    if (concurrency !== 0) await lockSlots(trx, keyId);
    return { ended, concurrency, mayLeaveRoom: ended.waiting !== null || concurrency !== 0 };
  }
  // Before any write, in the same sequence as when orders are placed.
  const concurrency = await lockKnownSlots(trx, keyId);
  const ended = await trx.firstShared(endTask, written);
  return ended === undefined ? null : { ended, concurrency, mayLeaveRoom: true };
}
