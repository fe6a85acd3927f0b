import { sql } from 'kysely';
import { figureName } from '../../base/keyed-engine.ts';
import type { Session } from '../../database/database.ts';
import { engineOf, failureOf } from '../../tasks/task-json.ts';
import { stepOf } from './durations.ts';
import { addFigures, NO_FIGURES, type SlotFigures } from './slot.ts';

/** Ledger entries of several processes may be committed in another order than that of their times. */
const DISORDER_MS = 120_000;
const ENTRIES_AT_ONCE = 5_000;
/** Failures that say nothing about the upstream. */
const OF_THE_ORDER = ['content_policy', 'invalid_input', 'parent_failed', 'storage_error'];

/** Counts the live orders that ended in `from <= time < to`, by engine. Reads only that part of the ledger. */
export async function countSlot(session: Session, from: number, to: number): Promise<Map<string, SlotFigures>> {
  const figures = new Map<string, SlotFigures>();
  const add = (engine: string, part: Partial<SlotFigures>) => {
    figures.set(engine, addFigures(figures.get(engine) ?? NO_FIGURES, { ...NO_FIGURES, ...part }));
  };
  const end = await ledgerIdAt(session, to + DISORDER_MS);
  for (let id = await ledgerIdAt(session, from - DISORDER_MS); id < end; id += ENTRIES_AT_ONCE) {
    for (const task of await endedTasks(session, { from, to, id, end: Math.min(end, id + ENTRIES_AT_ONCE) })) {
      const seconds = task.started_at === null ? null : (task.ended_at - task.started_at) / 1000;
      if (task.status === 'succeeded')
        add(figureName(engineOf(task)), {
          succeeded: 1,
          durations: new Map(seconds === null ? [] : [[stepOf(seconds), 1]]),
        });
      else if (task.status === 'failed')
        add(
          figureName(engineOf(task)),
          OF_THE_ORDER.includes(failureOf(task)?.code ?? '') ? { refused: 1 } : { failed: 1 },
        );
    }
  }
  for (const { engine, revenue, cost } of await costsOf(session, from, to))
    add(engine, { revenue: Number(revenue), cost: Number(cost) });
  return figures;
}

/** Each order that ends releases its hold in the ledger, also if it cost nothing. */
async function endedTasks(
  session: Session,
  range: { readonly from: number; readonly to: number; readonly id: number; readonly end: number },
) {
  return await session.all(
    session.builder
      .selectFrom('ledger')
      .innerJoin('tasks', 'tasks.id', 'ledger.task_id')
      .select(['tasks.route_json', 'tasks.status', 'tasks.error_json', 'tasks.started_at'])
      .select('ledger.created_at as ended_at')
      .where('ledger.id', '>=', range.id)
      .where('ledger.id', '<', range.end)
      .where('ledger.kind', '=', 'release')
      .where('ledger.mode', '=', 'live')
      .where('ledger.created_at', '>=', range.from)
      .where('ledger.created_at', '<', range.to),
  );
}

async function costsOf(session: Session, from: number, to: number) {
  return await session.all(
    session.builder
      .selectFrom('task_costs')
      .select(['engine', sql<number>`sum(charged)`.as('revenue')])
      .select(sql<number>`coalesce(sum(coalesce(told, expected)), 0)`.as('cost'))
      .where('settled_at', '>=', from)
      .where('settled_at', '<', to)
      .groupBy('engine'),
  );
}

/** Finds the first ledger entry that is not older than a time by halving. */
async function ledgerIdAt(session: Session, time: number): Promise<number> {
  const { builder } = session;
  const last = await session.first(builder.selectFrom('ledger').select((e) => e.fn.max<number | null>('id').as('id')));
  let [low, high] = [0, Number(last?.id ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await session.first(
      builder.selectFrom('ledger').select(['id', 'created_at']).where('id', '>=', middle).orderBy('id').limit(1),
    );
    if (entry === undefined || entry.created_at >= time) high = middle;
    else low = Number(entry.id) + 1;
  }
  return low;
}
