import { useEffect, useRef } from 'react';
import type { BookedOrder } from './booked-order.ts';
import { tabId, useOrderBook } from './order-book.ts';

/** Reports what became of an order of this tab that was unconfirmed while a page waited for it. */
export function useOutcome(
  unconfirmed: BookedOrder | null,
  report: {
    readonly onPlaced: (order: BookedOrder) => void;
    readonly onRefused: (order: BookedOrder, message: string) => void;
  },
): void {
  const book = useOrderBook();
  const awaited = useRef<BookedOrder | null>(null);
  if (unconfirmed !== null && unconfirmed.tab === tabId()) awaited.current = unconfirmed;
  const outcome = book.find(
    ({ idempotencyKey, state }) => idempotencyKey === awaited.current?.idempotencyKey && state !== 'unconfirmed',
  );
  const latest = useRef(report);
  latest.current = report;
  useEffect(() => {
    const order = awaited.current;
    if (order === null || outcome === undefined || outcome.state === 'sending') return;
    awaited.current = null;
    if (outcome.state === 'placed') latest.current.onPlaced(outcome);
    else if (outcome.reason !== null) latest.current.onRefused(order, outcome.reason);
  }, [outcome]);
}
