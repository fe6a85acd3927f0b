import { addDurations, type Durations } from './durations.ts';

/** The widths of slots in minutes. Narrow ones are kept for two days, wide ones for a month. */
export type SlotWidth = 5 | 60;

export const SLOT_MS = 5 * 60_000;

export function slotStart(time: number, ms: number): number {
  return Math.floor(time / ms) * ms;
}

/** What the live orders of one engine did within a slot. */
export interface SlotFigures {
  readonly succeeded: number;
  readonly failed: number;
  readonly refused: number;
  readonly durations: Durations;
  /** Micro-dollars, of orders whose cost is told or expected. */
  readonly revenue: number;
  readonly cost: number;
  /** The most in a sample. */
  readonly underWay: number;
}

export const NO_FIGURES: SlotFigures = {
  succeeded: 0,
  failed: 0,
  refused: 0,
  durations: new Map(),
  revenue: 0,
  cost: 0,
  underWay: 0,
};

export function addFigures(a: SlotFigures, b: SlotFigures): SlotFigures {
  return {
    succeeded: a.succeeded + b.succeeded,
    failed: a.failed + b.failed,
    refused: a.refused + b.refused,
    durations: addDurations(a.durations, b.durations),
    revenue: a.revenue + b.revenue,
    cost: a.cost + b.cost,
    underWay: Math.max(a.underWay, b.underWay),
  };
}
