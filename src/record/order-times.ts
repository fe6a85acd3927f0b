/** Time limits of orders. */
export interface OrderTimes {
  /** Longest time from an order's entry into the queue to its end. */
  readonly hardDeadlineMs: number;
  /** The minimum time without progress after which a task is checked less often, and counts as overdue. */
  readonly softDeadlineMs: number;
  /** The time within which an engine makes orders by its upstream's terms; 0 or absent = at once. */
  readonly windowOf?: (engine: string) => number;
}

/** The time to hand an order over, and to collect its result, beside its engine's own window. */
const AROUND_WINDOW_MS = 3_600_000;

/** Returns the time of an engine's orders from their entry into the queue to their hard deadline. */
export function deadlineMsAt({ hardDeadlineMs, windowOf }: Omit<OrderTimes, 'softDeadlineMs'>, engine: string): number {
  const windowMs = windowOf?.(engine) ?? 0;
  return windowMs === 0 ? hardDeadlineMs : Math.max(hardDeadlineMs, windowMs + AROUND_WINDOW_MS);
}

/** Returns the time without progress after which an order of the engine is overdue. */
export function silenceMsAt({ softDeadlineMs, windowOf }: Omit<OrderTimes, 'hardDeadlineMs'>, engine: string): number {
  return Math.max(softDeadlineMs, windowOf?.(engine) ?? 0);
}
