import { isoTime } from '../../base/clock.ts';
import { formatMicros } from '../../base/money.ts';
import type { Session } from '../../database/database.ts';
import type { EngineHistoriesView, HistoryPointView } from '../../wire/history.ts';
import type { HistorySpan } from '../../wire/words.ts';
import { type Opening, readOpenings } from './circuit-openings.ts';
import { countSlot } from './count-slot.ts';
import { percentileOf } from './durations.ts';
import { addFigures, NO_FIGURES, SLOT_MS, type SlotFigures, type SlotWidth, slotStart } from './slot.ts';
import { countedRange, figuresOf, readSlots } from './store-slot.ts';

interface Part {
  readonly engine: string;
  readonly at: number;
  readonly figures: SlotFigures;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const SPANS: Readonly<Record<HistorySpan, { stepMs: number; steps: number; width: SlotWidth }>> = {
  hour: { stepMs: SLOT_MS, steps: 12, width: 5 },
  day: { stepMs: HOUR_MS, steps: 24, width: 60 },
  month: { stepMs: DAY_MS, steps: 30, width: 60 },
};
/** Slots that no process has counted yet are counted for the report, as far back as this. */
const UNCOUNTED_MS = 2 * HOUR_MS;

/** Reports what each engine did over a span that ends now, in steps. */
export async function reportHistory(session: Session, span: HistorySpan, now: number): Promise<EngineHistoriesView> {
  const { stepMs, steps, width } = SPANS[span];
  const to = slotStart(now, stepMs) + stepMs;
  const from = to - steps * stepMs;
  const { counted, stored } = await readCounted(session, { width, from, to });
  const readable = slotStart(now - UNCOUNTED_MS, SLOT_MS);
  const isBehind = counted === null || counted.to < readable;
  const parts: Part[] = stored.map((row) => ({ engine: row.engine, at: row.from_at, figures: figuresOf(row) }));
  for (let at = isBehind ? readable : counted.to; at <= now; at += SLOT_MS)
    for (const [engine, figures] of await countSlot(session, at, at + SLOT_MS)) parts.push({ engine, at, figures });
  const openings = await readOpenings(session, from, to);
  const begins = Math.max(from, counted?.from ?? readable);
  const since = isBehind ? Math.max(from, readable) : begins;
  const stepOf = (one: { readonly engine: string; readonly at: number }) =>
    `${one.engine} ${slotStart(one.at, stepMs)}`;
  const [partsOf, openingsOf] = [Map.groupBy(parts, stepOf), Map.groupBy(openings, stepOf)];
  const engines = new Set([...parts, ...openings].map(({ engine }) => engine));
  return {
    span,
    from: isoTime(from),
    to: isoTime(to),
    step_seconds: stepMs / 1000,
    since: isoTime(since),
    items: [...engines].sort().map((engine) => ({
      engine,
      points: Array.from({ length: steps }, (_, index) => from + index * stepMs)
        .filter((at) => at + stepMs > begins)
        .map((at) => {
          const step = stepOf({ engine, at });
          return viewPoint(at, partsOf.get(step) ?? [], openingsOf.get(step) ?? []);
        }),
    })),
  };
}

/** A slot that is counted between two reads would be there twice or not at all. */
async function readCounted(
  session: Session,
  range: { readonly width: SlotWidth; readonly from: number; readonly to: number },
) {
  for (;;) {
    const counted = await countedRange(session);
    const stored = await readSlots(session, range);
    if ((await countedRange(session))?.to === counted?.to) return { counted, stored };
  }
}

function viewPoint(at: number, parts: readonly Part[], openings: readonly Opening[]): HistoryPointView {
  const sum = parts.map(({ figures }) => figures).reduce(addFigures, NO_FIGURES);
  const { succeeded, failed, refused, durations, revenue, cost, underWay } = sum;
  const rateLimits = openings.filter(({ isRateLimit }) => isRateLimit).length;
  return {
    at: isoTime(at),
    succeeded,
    failed,
    refused,
    success: succeeded + failed === 0 ? null : Math.round((succeeded / (succeeded + failed)) * 1000) / 1000,
    p50_seconds: percentileOf(durations, 0.5),
    p95_seconds: percentileOf(durations, 0.95),
    under_way: underWay,
    rate_limits: rateLimits,
    outages: openings.length - rateLimits,
    revenue: formatMicros(revenue),
    cost: formatMicros(cost),
    margin: formatMicros(revenue - cost),
  };
}
