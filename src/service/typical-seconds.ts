import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { engineOfQueue, liveQueueOf } from '../queue/queue-names.ts';
import type { OrderTimes } from '../record/order-times.ts';
import type { TypicalSeconds } from '../tasks/task-services.ts';

interface Finished {
  readonly model_id: string;
  readonly mode: 'live' | 'test';
  readonly queue: string;
  readonly ms: number;
}

/** Number of latest tasks of each type that are read, and the minimum number of a model's tasks for a result. */
const LOOKED_AT = 2_000;
const ENOUGH = 5;

const selectFinished = prepare<{ from: string; to: string; limit: number }, Finished>(
  'typical_finished',
  (builder, argument) =>
    builder
      .selectFrom((from) =>
        from
          .selectFrom('tasks')
          .select(['model_id', 'mode', 'queue', 'status', 'simulate_json', 'started_at', 'completed_at'])
          .where('id', '>=', argument('from'))
          .where('id', '<', argument('to'))
          .orderBy('id', 'desc')
          .limit(sql<number>`${argument('limit')}`)
          .as('youngest'),
      )
      .select(['model_id', 'mode', 'queue', sql<number>`completed_at - started_at`.as('ms')])
      .where('status', '=', 'succeeded')
      .where('simulate_json', 'is', null),
);

/**
 * Measures durations from the service's own finished tasks; `refresh` is called at the start and every ten minutes.
 * Orders that an engine makes within hours do not count for the model's other orders.
 */
export function createTypicalSeconds(
  database: Database,
  windowOf: NonNullable<OrderTimes['windowOf']>,
): TypicalSeconds & {
  /** Returns the median of a model's live orders at one engine; null if fewer than five are known. */
  medianAt(modelId: string, engine: string): number | null;
  refresh(): Promise<void>;
} {
  let known = new Map<string, { p50: number; p80: number }>();
  return {
    of: (modelId, mode) => known.get(`${mode}:${modelId}`) ?? null,
    medianAt: (modelId, engine) => known.get(`${liveQueueOf(engine)}:${modelId}`)?.p50 ?? null,
    async refresh() {
      const samples = new Map<string, number[]>();
      for (const prefix of ['img', 'vid']) {
        const rows = await database.read.all(selectFinished, {
          from: `${prefix}_`,
          to: `${prefix}_~`,
          limit: LOOKED_AT,
        });
        for (const { mode, queue, model_id, ms } of rows) {
          const ofModel = windowOf(engineOfQueue(queue)) === 0 ? [`${mode}:${model_id}`] : [];
          for (const name of [...ofModel, `${queue}:${model_id}`]) {
            const list = samples.get(name) ?? [];
            list.push(ms / 1000);
            samples.set(name, list);
          }
        }
      }
      const enough = [...samples].filter(([, seconds]) => seconds.length >= ENOUGH);
      known = new Map(
        enough.map(([name, seconds]) => [name, { p50: percentile(seconds, 0.5), p80: percentile(seconds, 0.8) }]),
      );
    },
  };
}

/** Returns the percentile by the nearest rank, to a tenth of a second. */
function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return Math.round(value * 10) / 10;
}
