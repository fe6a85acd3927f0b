import type { ArgumentTypes, Shared } from '@darkroom-service/store';
import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepareSharedUpdate, prepareWithClock } from '../database/prepared.ts';
import type { ModelOrder } from '../record/order-models.ts';
import { storedRoute } from '../record/stored-json.ts';
import { statusOfStep, stepsBefore, type TaskRow, type TaskStep } from '../record/task.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { TaskServices } from './task-services.ts';

/** Error of a lost claim: another worker has the task, or it has ended. Nothing was written. */
export class LostClaim extends Error {
  constructor(taskId: string) {
    super(`the claim on task ${taskId} was lost`);
    this.name = 'LostClaim';
  }
}

type Columns = Partial<Omit<TaskRow, 'id' | 'step' | 'status' | 'fence' | 'revision'>>;
/** The parts of a task that change with its steps. */
export type Changes = Partial<
  Omit<TaskRecord, 'id' | 'step' | 'status' | 'fence' | 'revision' | 'media' | 'simulate' | 'quote'> & {
    /** The order at another model, which replaces its request and its price. */
    order: ModelOrder;
  }
>;
type MoveArguments = Columns & { id: string; fence: number };
/** Columns that others may have changed since the claim. */
type Moved = Pick<TaskRow, 'revision' | 'progress' | 'progressed_at' | 'claimable' | 'cancel_requested_at'>;

/**
 * Arguments of the moves that many tasks make at the same time. A move with any other column is a statement of its own.
 */
const SHARED_ARGUMENTS: Partial<ArgumentTypes<MoveArguments>> = {
  id: 'text',
  fence: 'bigint',
  started_at: 'bigint',
  progressed_at: 'bigint',
  operation_json: 'text',
  attempts: 'bigint',
};

/** Statements, one per combination of columns in this code, so the map stays small. */
const moves = new Map<string, Shared<MoveArguments, Moved>>();

/** Returns the prepared statement of a step and a set of columns. */
function moveTo(step: Exclude<TaskStep, 'final'>, columns: readonly (keyof Columns)[]): Shared<MoveArguments, Moved> {
  const key = `${step} ${columns.join()}`;
  const known = moves.get(key);
  if (known !== undefined) return known;
  const before = stepsBefore(step);
  const status = statusOfStep(step);
  // If the status does not change, SQLite would still replace the row in each index of the status.
  const changed = before.every((from) => from !== 'final' && statusOfStep(from) === status) ? {} : { status };
  const types = Object.fromEntries(
    ['id' as const, 'fence' as const, ...columns].map((name) => [name, SHARED_ARGUMENTS[name]]),
  ) as ArgumentTypes<MoveArguments>;
  const made = prepareSharedUpdate<MoveArguments, Moved, 'tasks'>(
    `move_${step}_${moves.size}`,
    { row: 'id', types },
    (builder, argument) =>
      builder
        .updateTable('tasks')
        .set((expression) => ({
          ...Object.fromEntries(columns.map((column) => [column, argument(column)])),
          step,
          ...changed,
          revision: expression('revision', '+', 1),
        }))
        .where('id', '=', argument('id'))
        .where('fence', '=', argument('fence'))
        .where('step', 'in', [step, ...before])
        .returning(['revision', 'progress', 'progressed_at', 'claimable', 'cancel_requested_at']),
  );
  moves.set(key, made);
  return made;
}

/**
 * Moves a claimed task to its next step. Fenced: the write of a late worker affects no row.
 * @returns the task as it is once the transaction is committed
 * @throws LostClaim
 */
export async function moveTask(
  services: Pick<TaskServices, 'events'>,
  trx: Transaction,
  task: TaskRecord,
  step: Exclude<TaskStep, 'final'>,
  changes: Changes = {},
): Promise<TaskRecord> {
  const columns = columnsOf(changes);
  const names = Object.keys(columns) as (keyof Columns)[];
  const statement = moveTo(step, names);
  const values = { ...columns, id: task.id, fence: task.fence };
  const isShared = names.every((name) => name in SHARED_ARGUMENTS);
  const moved = await (isShared ? trx.firstShared(statement, values) : trx.first(statement.one, values));
  if (moved === undefined) throw new LostClaim(task.id);
  trx.afterCommit(() => services.events.changed(task.id));
  return { ...task, ...changes, ...moved, step, status: statusOfStep(step) };
}

function columnsOf({ route, request, order, ...columns }: Changes): Columns {
  return {
    ...columns,
    ...(route === undefined ? {} : { route_json: storedRoute(route) }),
    ...(request === undefined ? {} : { request_json: JSON.stringify(request) }),
    ...order,
  };
}

interface ReleaseArguments {
  id: string;
  fence: number;
  attempts: number;
  afterMs: number;
  /** Whether the pause applies although a cancel was requested (1 = yes). */
  pauses: 0 | 1;
  /** Estimated end. Null keeps the stored value. */
  estimatedEndAt: number | null;
}

const releaseStatement = prepareWithClock<ReleaseArguments, unknown>('let_go', (builder, now, argument) => {
  const pause = sql`case when cancel_requested_at is null or ${argument('pauses')} = 1 then cast(${argument('afterMs')} as bigint) else 0 end`;
  return builder
    .updateTable('tasks')
    .set({
      worker: null,
      next_at: sql<number>`${now} + ${pause}`,
      attempts: argument('attempts'),
      estimated_end_at: sql<number | null>`coalesce(${argument('estimatedEndAt')}, estimated_end_at)`,
    })
    .where('id', '=', argument('id'))
    .where('fence', '=', argument('fence'))
    .where('step', '!=', 'final');
});

interface ReleaseOptions {
  readonly afterMs: number;
  readonly attempts: number;
  readonly estimatedEndAt?: number;
}

/** Releases a claimed task, to be claimed again after a pause. Does nothing if the claim is lost. */
export function releaseLease(
  trx: Transaction,
  task: Pick<TaskRecord, 'id' | 'fence' | 'cancel_requested_at'>,
  options: ReleaseOptions,
): void {
  trx.send(releaseStatement(trx), {
    id: task.id,
    fence: task.fence,
    attempts: options.attempts,
    afterMs: Math.max(0, Math.round(options.afterMs)),
    // A cancel requested during this claim makes the task due at once; an earlier one was already handled.
    pauses: task.cancel_requested_at === null ? 0 : 1,
    estimatedEndAt: options.estimatedEndAt ?? null,
  });
}
