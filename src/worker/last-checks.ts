import { type Clock, cleanText } from '@darkroom-service/contract';
import { startWorkLoop } from '../base/work-loop.ts';
import type { Database } from '../database/database.ts';
import type { TaskChecksTable } from '../database/task-tables.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { TaskServices } from '../tasks/task-services.ts';

type Outcome = NonNullable<TaskChecksTable['outcome']>;

/** The last report about each unfinished order of this process. Operators read it in the database. */
export interface LastChecks {
  /** @param said the upstream's message, or the reason of a failure */
  record(task: Pick<TaskRecord, 'id' | 'created_at' | 'fence'>, outcome: Outcome, said: string | null): void;
  /** Forgets a task that has ended. */
  forget(taskId: string): void;
  stop(): Promise<void>;
}

interface Note {
  readonly createdAt: number;
  readonly at: number;
  readonly outcome: Outcome;
  readonly said: string | null;
}

const EVERY_MS = 5_000;
/** Age until which nothing is written about an order: most end sooner. */
const YOUNG_MS = 5_000;
/**
 * Maximum number of orders that are written, the oldest ones, so that the writes do not grow with the orders in
 * progress.
 */
const MOST = 200;
const LONGEST = 300;
/** Age after which a note is outdated; longer than the pause between two checks. */
const OLD_MS = 3_600_000;
const LEFT_FOR_MS = 24 * 3_600_000;

/** Removes what ended processes left behind. */
export async function dropOldChecks(database: Database, now: number): Promise<void> {
  const before = now - LEFT_FOR_MS;
  await database.write('drop_checks', (trx) =>
    trx.run(
      trx.builder
        .deleteFrom('task_checks')
        .where(({ fn, val }) => fn.coalesce('checked_at', val(0)), '<', before)
        .where(({ fn, val }) => fn.coalesce('asked_at', val(0)), '<', before),
    ),
  );
}

/**
 * Writes the last checks of the oldest orders every few seconds, and at once the first one after a further claim; those
 * of young orders stay in memory.
 */
export function startLastChecks(
  { database, clock, log }: { readonly database: Database; readonly clock: Clock } & Pick<TaskServices, 'log'>,
  everyMs = EVERY_MS,
): LastChecks {
  const notes = new Map<string, Note>();
  /** Time of the last report about an order, its claim, and whether it has a row. */
  const heard = new Map<string, { readonly at: number; readonly fence: number; isWritten: boolean }>();
  const ended = new Set<string>();
  const loop = startWorkLoop({
    run: async () => {
      await write();
      return everyMs;
    },
    restMs: everyMs,
    onError: (error) => log.warn({ err: error }, 'could not store the last checks of orders; retrying'),
  });

  async function write(): Promise<void> {
    const now = clock.now();
    const oldest = [...notes]
      .filter(([, record]) => now - record.createdAt >= YOUNG_MS)
      .sort(([, one], [, other]) => one.createdAt - other.createdAt)
      .slice(0, MOST);
    const gone = [...ended];
    if (oldest.length === 0 && gone.length === 0) return;
    await database.write('last_checks', async (trx) => {
      if (gone.length > 0) await trx.run(trx.builder.deleteFrom('task_checks').where('task_id', 'in', gone));
      const kept = oldest.filter(([id]) => !ended.has(id));
      if (kept.length === 0) return;
      const values = kept.map(([id, { at, outcome, said }]) => ({
        task_id: id,
        checked_at: at,
        outcome,
        said,
        asked_at: null,
      }));
      await trx.run(
        trx.builder
          .insertInto('task_checks')
          .values(values)
          .onConflict((conflict) =>
            conflict.column('task_id').doUpdateSet(({ ref }) => ({
              checked_at: ref('excluded.checked_at'),
              outcome: ref('excluded.outcome'),
              said: ref('excluded.said'),
            })),
          ),
      );
    });
    for (const id of gone) {
      ended.delete(id);
      heard.delete(id);
    }
    for (const [id, record] of oldest) {
      const known = heard.get(id);
      if (known !== undefined) known.isWritten = true;
      if (notes.get(id) === record) notes.delete(id);
    }
    // Notes about orders that other processes have taken over.
    for (const [id, { at }] of notes) if (now - at > OLD_MS) notes.delete(id);
    for (const [id, { at }] of heard) if (now - at > OLD_MS) heard.delete(id);
  }

  return {
    record(task, outcome, said) {
      const cut = said === null ? null : cleanText(said, LONGEST);
      const at = clock.now();
      const known = heard.get(task.id);
      notes.set(task.id, { createdAt: task.created_at, at, outcome, said: cut });
      heard.set(task.id, { at, fence: task.fence, isWritten: known?.isWritten ?? false });
      // An order that an operator asks about is claimed anew, and the operator waits for the answer.
      if (task.fence > 1 && task.fence !== known?.fence) loop.wake();
    },
    forget(taskId) {
      notes.delete(taskId);
      if (heard.get(taskId)?.isWritten === true) ended.add(taskId);
      else heard.delete(taskId);
    },
    stop: () => loop.stop(),
  };
}
