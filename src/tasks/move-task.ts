import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { type Prepared, prepare } from '../database/prepared.ts';
import { statusOfStep, stepsBefore, type TaskRow, type TaskStep } from './task.ts';
import type { TaskServices } from './task-services.ts';

/** The claim is no longer ours: another worker has the task, or it has ended. Nothing was written. */
export class LostClaim extends Error {
  constructor(taskId: string) {
    super(`the claim on task ${taskId} was lost`);
    this.name = 'LostClaim';
  }
}

export type Changes = Partial<Omit<TaskRow, 'id' | 'step' | 'status' | 'fence' | 'revision'>>;
type MoveArguments = Changes & { id: string; fence: number };
/** What others may have changed since the task was claimed. */
type Moved = Pick<TaskRow, 'revision' | 'progress' | 'progressed_at' | 'claimable' | 'cancel_requested_at'>;

/** As many as there are calls with other columns in this code, so it stays small. */
const moves = new Map<string, Prepared<MoveArguments, Moved>>();

/** One prepared statement for each step and set of columns. */
function moveTo(step: Exclude<TaskStep, 'final'>, columns: readonly (keyof Changes)[]): Prepared<MoveArguments, Moved> {
  const key = `${step} ${columns.join()}`;
  const known = moves.get(key);
  if (known !== undefined) return known;
  const made = prepare<MoveArguments, Moved>(`move_${step}_${moves.size}`, (builder, argument) =>
    builder
      .updateTable('tasks')
      .set((expression) => ({
        ...Object.fromEntries(columns.map((column) => [column, argument(column)])),
        step,
        status: statusOfStep(step),
        revision: expression('revision', '+', 1),
      }))
      .where('id', '=', argument('id'))
      .where('fence', '=', argument('fence'))
      .where('step', 'in', [step, ...stepsBefore(step)])
      .returning(['revision', 'progress', 'progressed_at', 'claimable', 'cancel_requested_at']),
  );
  moves.set(key, made);
  return made;
}

/**
 * Takes a claimed task one step on. Fenced: a late worker changes zero rows.
 * @param name the commit point.
 * @throws LostClaim
 */
export async function moveTask(
  services: TaskServices,
  name: string,
  task: TaskRow,
  step: Exclude<TaskStep, 'final'>,
  changes: Changes = {},
): Promise<TaskRow> {
  return await services.database.write(name, (trx) => moveWithin(services, trx, task, step, changes), {
    together: true,
  });
}

/** The same inside a transaction that does more. */
export async function moveWithin(
  services: TaskServices,
  trx: Transaction,
  task: TaskRow,
  step: Exclude<TaskStep, 'final'>,
  changes: Changes = {},
): Promise<TaskRow> {
  const statement = moveTo(step, Object.keys(changes) as (keyof Changes)[]);
  const moved = await trx.first(statement, { ...changes, id: task.id, fence: task.fence });
  if (moved === undefined) throw new LostClaim(task.id);
  trx.afterCommit(() => services.events.changed(task.id));
  return { ...task, ...changes, ...moved, step, status: statusOfStep(step) };
}

const raiseProgress = prepare<{ id: string; fence: number; progress: number; now: number }, unknown>(
  'note_progress',
  (builder, argument) =>
    builder
      .updateTable('tasks')
      .set((expression) => ({
        progress: argument('progress'),
        progressed_at: argument('now'),
        revision: expression('revision', '+', 1),
      }))
      .where('id', '=', argument('id'))
      .where('fence', '=', argument('fence'))
      .where('step', '!=', 'final')
      .where('progress', '<', argument('progress')),
);

/** Notes progress; it never falls. A task that is no longer ours is left alone. */
export async function noteProgress(services: TaskServices, task: TaskRow, progress: number): Promise<void> {
  const whole = Math.max(0, Math.min(99, Math.floor(progress)));
  const note = async (trx: Transaction) => {
    const now = services.clock.now();
    const changed = await trx.run(raiseProgress, { id: task.id, fence: task.fence, progress: whole, now });
    if (changed > 0) trx.afterCommit(() => services.events.changed(task.id));
  };
  await services.database.write('note_progress', note, { together: true });
}

interface ReleaseArguments {
  id: string;
  fence: number;
  attempts: number;
  afterMs: number;
  /** 1 = the pause counts although the task is to be canceled. */
  pauses: 0 | 1;
  /** Null leaves it. */
  estimatedEndAt: number | null;
}
const releases = new WeakMap<object, Prepared<ReleaseArguments, unknown>>();

/** One prepared statement for each database: its own clock is part of the SQL, and no argument. */
function releaseBy({ now }: Transaction): Prepared<ReleaseArguments, unknown> {
  const known = releases.get(now);
  if (known !== undefined) return known;
  const made = prepare<ReleaseArguments, unknown>('let_go', (builder, argument) => {
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
  releases.set(now, made);
  return made;
}

interface LetGoOptions {
  readonly afterMs: number;
  readonly attempts: number;
  readonly estimatedEndAt?: number;
}

/** Lets a claimed task go, to be claimed again after a while. A task that is no longer ours is left alone. */
export async function letGo(services: TaskServices, task: TaskRow, options: LetGoOptions): Promise<void> {
  await services.database.write('let_go', async (trx) => letGoWithin(trx, task, options), { together: true });
}

/** The same inside a transaction that does more. */
export function letGoWithin(trx: Transaction, task: TaskRow, options: LetGoOptions): void {
  trx.send(releaseBy(trx), {
    id: task.id,
    fence: task.fence,
    attempts: options.attempts,
    afterMs: Math.max(0, Math.round(options.afterMs)),
    // A wish to cancel that came while the task was held is acted on at once; one that was known before has been.
    pauses: task.cancel_requested_at === null ? 0 : 1,
    estimatedEndAt: options.estimatedEndAt ?? null,
  });
}
