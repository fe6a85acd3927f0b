import type { Selectable } from 'kysely';
import type { Session, Transaction } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';
import { durationsJson, readDurations } from './durations.ts';
import { addFigures, NO_FIGURES, SLOT_MS, type SlotFigures, type SlotWidth, slotStart } from './slot.ts';

type HistoryRow = Selectable<Schema['engine_history']>;

const HOUR_MS = 60 * 60_000;
const WIDTHS: readonly (readonly [SlotWidth, number])[] = [
  [5, SLOT_MS],
  [60, HOUR_MS],
];
/** The engine of the row that marks a slot as counted. */
const COUNTED = '';

/** Adds the figures of a narrow slot to it and to its hour, once: whichever process counted it. */
export async function storeSlot(
  trx: Transaction,
  from: number,
  figures: ReadonlyMap<string, SlotFigures>,
): Promise<void> {
  await trx.lock('engine history');
  const isCounted = await selectRow(trx, { width: 5, from, engine: COUNTED });
  if (isCounted !== undefined) return;
  for (const [engine, part] of [[COUNTED, NO_FIGURES] as const, ...figures]) await addToSlots(trx, from, engine, part);
}

/** Stores how many orders each engine has under way now. */
export async function storeSample(trx: Transaction, now: number, underWay: ReadonlyMap<string, number>): Promise<void> {
  await trx.lock('engine history');
  for (const [engine, count] of underWay) await addToSlots(trx, now, engine, { ...NO_FIGURES, underWay: count });
}

async function addToSlots(trx: Transaction, time: number, engine: string, part: SlotFigures): Promise<void> {
  for (const [width, ms] of WIDTHS) {
    const from = slotStart(time, ms);
    const row = await selectRow(trx, { width, from, engine });
    const sum = addFigures(row === undefined ? NO_FIGURES : figuresOf(row), part);
    const { succeeded, failed, refused, revenue, cost } = sum;
    const values = { succeeded, failed, refused, revenue, cost, under_way: sum.underWay };
    const changed = { ...values, durations_json: durationsJson(sum.durations) };
    await trx.run(
      trx.builder
        .insertInto('engine_history')
        .values({ engine, width, from_at: from, ...changed })
        .onConflict((conflict) => conflict.columns(['width', 'from_at', 'engine']).doUpdateSet(changed)),
    );
  }
}

async function selectRow(
  trx: Transaction,
  { width, from, engine }: { readonly width: SlotWidth; readonly from: number; readonly engine: string },
): Promise<HistoryRow | undefined> {
  return await trx.first(
    trx.builder
      .selectFrom('engine_history')
      .selectAll()
      .where('width', '=', width)
      .where('from_at', '=', from)
      .where('engine', '=', engine),
  );
}

export function figuresOf(row: HistoryRow): SlotFigures {
  const { succeeded, failed, refused, revenue, cost, under_way: underWay } = row;
  return { succeeded, failed, refused, revenue, cost, underWay, durations: readDurations(row.durations_json) };
}

/** Returns the range that is counted without a gap at its end; null = nothing yet. */
export async function countedRange(session: Session): Promise<{ readonly from: number; readonly to: number } | null> {
  const edge = async (width: SlotWidth, order: 'asc' | 'desc') =>
    await session.first(
      session.builder
        .selectFrom('engine_history')
        .select('from_at')
        .where('width', '=', width)
        .where('engine', '=', COUNTED)
        .orderBy('from_at', order)
        .limit(1),
    );
  const [first, last] = [await edge(60, 'asc'), await edge(5, 'desc')];
  return first === undefined || last === undefined ? null : { from: first.from_at, to: last.from_at + SLOT_MS };
}

/** Reads the figures of engines in `from <= start < to`. */
export async function readSlots(
  session: Session,
  { width, from, to }: { readonly width: SlotWidth; readonly from: number; readonly to: number },
): Promise<HistoryRow[]> {
  return await session.all(
    session.builder
      .selectFrom('engine_history')
      .selectAll()
      .where('width', '=', width)
      .where('from_at', '>=', from)
      .where('from_at', '<', to)
      .where('engine', '!=', COUNTED),
  );
}

/** Deletes what no report reads any more. */
export async function deleteOldHistory(trx: Transaction, now: number): Promise<void> {
  const kept = { 5: now - 48 * HOUR_MS, 60: now - 32 * 24 * HOUR_MS };
  for (const [width] of WIDTHS)
    await trx.run(
      trx.builder.deleteFrom('engine_history').where('width', '=', width).where('from_at', '<', kept[width]),
    );
  await trx.run(trx.builder.deleteFrom('circuit_openings').where('opened_at', '<', kept[60]));
}
