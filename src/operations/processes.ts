import { isoTime } from '@darkroom-service/contract/clock';
import type { ProcessView } from '@darkroom-service/contract/process';
import type { Session } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import { IN_FLIGHT } from '../tasks/in-flight.ts';

/** A process beats every few seconds; after this long it is stopped, cut off or gone. */
const SILENT_AFTER_MS = 60_000;

/** Lists the processes of the service, the newest first, with those that ended without a word within a day. */
export async function listProcesses(session: Session): Promise<ProcessView[]> {
  const { builder } = session;
  const now = await databaseNow(session);
  const rows = await session.all(builder.selectFrom('processes').selectAll().orderBy('started_at', 'desc'));
  const held = await session.all(
    builder
      .selectFrom('tasks')
      .select(({ fn }) => ['worker', fn.countAll<number>().as('tasks')])
      .where(IN_FLIGHT)
      .where('worker', 'is not', null)
      .groupBy('worker'),
  );
  const tasksOf = new Map(held.map(({ worker, tasks }) => [worker, Number(tasks)]));
  return rows.map((row) => ({
    process_id: row.id,
    role: row.role,
    host: row.host,
    pid: row.pid,
    version: row.version,
    state: row.ended_at !== null ? 'ended' : now - row.beat_at > SILENT_AFTER_MS ? 'silent' : 'running',
    started_at: isoTime(row.started_at),
    heard_at: isoTime(row.beat_at),
    tasks: tasksOf.get(row.id) ?? 0,
  }));
}

/**
 * Returns those that fell silent and that no later process of their role has replaced: a service that runs on fewer
 * machines than it was given.
 */
export function missingProcesses(processes: readonly ProcessView[]): ProcessView[] {
  return processes.filter(
    (gone) =>
      gone.state !== 'running' &&
      !processes.some(
        ({ role, state, started_at }) => role === gone.role && state === 'running' && started_at > gone.heard_at,
      ),
  );
}

/** Returns how long each process that has ended or fallen silent has not been heard of, in milliseconds. */
export async function readSilences(session: Session): Promise<ReadonlyMap<string, number>> {
  const rows = await session.all(session.builder.selectFrom('processes').select(['id', 'beat_at', 'ended_at']));
  const now = await databaseNow(session);
  return new Map(
    rows
      .filter(({ beat_at: at, ended_at: ended }) => ended !== null || now - at > SILENT_AFTER_MS)
      .map(({ id, beat_at: at }) => [id, now - at]),
  );
}
