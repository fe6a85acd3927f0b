import { isoTime, type ProcessView } from '@darkroom-service/contract';
import type { Session } from '../../database/database.ts';
import { databaseNow } from '../../database/database-now.ts';
import { compareProcesses } from '../../database/process-differences.ts';
import { type ProcessFacts, readFacts } from '../../database/process-facts.ts';
import { IN_FLIGHT } from '../../queue/in-flight.ts';

/** Silence after which a process counts as stopped, cut off or gone: a process beats every few seconds. */
const SILENT_AFTER_MS = 60_000;

/** Lists the processes of the service, the newest first, with those that crashed within a day. */
export async function listProcesses(session: Session): Promise<ProcessView[]> {
  const { builder } = session;
  const now = await databaseNow(session);
  const found = await session.all(builder.selectFrom('processes').selectAll().orderBy('started_at', 'desc'));
  const all = found.map((row) => ({ ...row, facts: readFacts(row.facts) }));
  const held = await session.all(
    builder
      .selectFrom('tasks')
      .select(({ fn }) => ['worker', fn.countAll<number>().as('tasks')])
      .where(IN_FLIGHT)
      .where('worker', 'is not', null)
      .groupBy('worker'),
  );
  const tasksOf = new Map(held.map(({ worker, tasks }) => [worker, Number(tasks)]));
  const lives = all.map((row) => ({
    id: row.id,
    role: row.role,
    startedAt: row.started_at,
    heardAt: row.beat_at,
    hasLeft: row.facts?.hasLeft === true,
    state: stateOf(row, now),
  }));
  const missing = missingOf(lives);
  const states = new Map(lives.map(({ id, state }) => [id, state]));
  const apart = compareProcesses(all.filter(({ id }) => states.get(id) === 'running'));
  // A process that left and was relieved of its tasks counts only for the process that it replaced.
  const listed = all.filter(({ facts, ended_at: endedAt }) => facts?.hasLeft !== true || endedAt === null);
  return listed.map((row) => ({
    process_id: row.id,
    role: row.role,
    host: row.host,
    pid: row.pid,
    version: row.version,
    state: states.get(row.id) ?? 'ended',
    started_at: isoTime(row.started_at),
    heard_at: isoTime(row.beat_at),
    missing: missing.has(row.id),
    tasks: tasksOf.get(row.id) ?? 0,
    faults: [...(apart.get(row.id)?.faults ?? [])],
    differences: [...(apart.get(row.id)?.differences ?? [])],
  }));
}

interface Life {
  readonly id: string;
  readonly role: string;
  readonly startedAt: number;
  readonly heardAt: number;
  readonly hasLeft: boolean;
  readonly state: ProcessView['state'];
}

function stateOf(
  {
    facts,
    ...row
  }: { readonly facts: ProcessFacts | null; readonly ended_at: number | null; readonly beat_at: number },
  now: number,
): ProcessView['state'] {
  if (row.ended_at !== null || facts?.hasLeft === true) return 'ended';
  return now - row.beat_at > SILENT_AFTER_MS ? 'silent' : 'running';
}

/**
 * Finds the processes that crashed and were not replaced: each process that was started later replaces one of its role,
 * even after its own stop. A service with missing processes runs on fewer than were started.
 */
function missingOf(lives: readonly Life[]): ReadonlySet<string> {
  const missing = new Set<string>();
  for (const ofRole of Map.groupBy(lives, ({ role }) => role).values()) {
    const starters = ofRole.toSorted((a, b) => a.startedAt - b.startedAt);
    const lost = ofRole.filter(({ state, hasLeft }) => state !== 'running' && !hasLeft);
    for (const gone of lost.toSorted((a, b) => a.heardAt - b.heardAt)) {
      const place = starters.findIndex(({ startedAt }) => startedAt > gone.heardAt);
      if (place === -1) missing.add(gone.id);
      else starters.splice(place, 1);
    }
  }
  return missing;
}

/** Returns the milliseconds of silence of each process that has ended or fallen silent. */
export async function readSilences(session: Session): Promise<ReadonlyMap<string, number>> {
  const rows = await session.all(session.builder.selectFrom('processes').select(['id', 'beat_at', 'ended_at']));
  const now = await databaseNow(session);
  return new Map(
    rows
      .filter(({ beat_at: at, ended_at: ended }) => ended !== null || now - at > SILENT_AFTER_MS)
      .map(({ id, beat_at: at }) => [id, now - at]),
  );
}
