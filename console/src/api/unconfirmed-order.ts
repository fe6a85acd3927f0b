import type { BookedOrder } from './booked-order.ts';
import { bookedOrders, useOrderBook } from './order-book.ts';
import { type Session, secretOf, sessionStore, useSession } from './session.ts';

/** Returns the oldest order of the key in use of which nobody knows yet whether it arrived; null if there is none. */
export function useUnconfirmedOrder(): BookedOrder | null {
  return unconfirmedOf(useOrderBook(), useSession());
}

export function unconfirmedOrder(): BookedOrder | null {
  return unconfirmedOf(bookedOrders(), sessionStore.get());
}

function unconfirmedOf(book: readonly BookedOrder[], session: Session): BookedOrder | null {
  const isOne = (order: BookedOrder) =>
    order.kind !== 'deed' &&
    order.state === 'unconfirmed' &&
    order.mode === session.mode &&
    secretOf(order, session) !== null;
  return book.findLast(isOne) ?? null;
}
