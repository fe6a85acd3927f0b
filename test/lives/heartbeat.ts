import { type HeartbeatReport, monotonicMs, type SilentProcess } from '@darkroom-service/store';
import type { Selectable } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import { databaseNow } from '../../src/database/database-now.ts';
import { prepare, prepareWithClock } from '../../src/database/prepared.ts';
import type { Schema } from '../../src/database/schema.ts';
import type { WorkerServices } from '../../src/worker/worker-services.ts';
import type { SimulatedWorld } from './simulation.ts';

const BEAT_EVERY_MS = 3_000;

const tellAlive = prepareWithClock<{ id: string }, object>('simulated_beat', (builder, now, argument) =>
  builder
    .updateTable('processes')
    .set((expression) => ({ beat_at: now, ended_at: null, beats: expression('beats', '+', 1) }))
    .where('id', '=', argument('id')),
);
const selectOthers = prepare<{ id: string }, Selectable<Schema['processes']>>('simulated_others', (builder, argument) =>
  builder.selectFrom('processes').selectAll().where('ended_at', 'is', null).where('id', '!=', argument('id')),
);

/** Starts the heartbeat of a simulated process. The others are on other machines, so their locks are not seen. */
export function startSimulatedHeartbeat(parts: {
  readonly database: Database;
  readonly id: string;
  readonly world: SimulatedWorld;
  readonly leaseMs: number;
}): WorkerServices['heartbeat'] {
  const { database, id, world, leaseMs } = parts;
  const listeners = new Set<(report: HeartbeatReport) => void>();
  const seen = new Map<string, { readonly beats: number; readonly sinceMs: number }>();
  let confirmedAtMs = world.monotonic();
  let firstMs = confirmedAtMs;

  async function beat(): Promise<HeartbeatReport> {
    await database.write('heartbeat', async (trx) => {
      await trx.run(tellAlive(trx), { id });
    });
    const { read } = database;
    const others = await read.all(selectOthers, { id });
    const now = await databaseNow(read);
    const nowMs = world.monotonic();
    // A pause of this process: it has not observed the others meanwhile.
    if (nowMs - confirmedAtMs >= leaseMs) {
      seen.clear();
      firstMs = nowMs;
    }
    confirmedAtMs = nowMs;
    const silent = others.flatMap((other): SilentProcess[] => {
      const before = seen.get(other.id);
      if (before?.beats !== other.beats) seen.set(other.id, { beats: other.beats, sinceMs: nowMs });
      const silentForMs = before?.beats === other.beats ? nowMs - before.sinceMs : 0;
      if (silentForMs < leaseMs) return [];
      const { host, beats, lock_path: lockPath } = other;
      return [{ id: other.id, host, beats, lockPath, lock: 'unknown', silentForMs, beatAgeMs: now - other.beat_at }];
    });
    return { kind: 'confirmed', atMs: monotonicMs(), confirmedForMs: nowMs - firstMs, silent };
  }

  const tell = (report: HeartbeatReport) => {
    for (const listener of [...listeners]) listener(report);
  };
  world.setInterval(
    () => void beat().then(tell, (error: Error) => tell({ kind: 'failed', message: error.message })),
    BEAT_EVERY_MS,
  );
  return {
    ageMs: () => world.monotonic() - confirmedAtMs,
    onReport(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    expectCall: () => () => {},
    running: { begin() {}, end() {}, work: () => () => {} },
  };
}
