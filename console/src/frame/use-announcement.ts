import { useEffect, useRef, useState } from 'react';
import { type BookedOrder, isUnderWay } from '../api/booked-order.ts';
import { orderTexts } from '../texts/orders.ts';

/** Returns what a screen reader should say of the latest change: an order has become unconfirmed, or has ended. */
export function useAnnouncement(book: readonly BookedOrder[]): string {
  const [text, setText] = useState('');
  const before = useRef(book);
  useEffect(() => {
    const wordBefore = new Map(before.current.map((order) => [order.idempotencyKey, wordOf(order)]));
    before.current = book;
    const changed = book.find((order) => {
      const word = wordOf(order);
      return word !== null && wordBefore.has(order.idempotencyKey) && wordBefore.get(order.idempotencyKey) !== word;
    });
    if (changed !== undefined) setText(orderTexts.announce(changed.title, wordOf(changed) ?? ''));
  }, [book]);
  return text;
}

function wordOf(order: BookedOrder): string | null {
  if (order.state === 'unconfirmed' || order.state === 'refused') return orderTexts.state[order.state];
  return isUnderWay(order) ? null : orderTexts.hasEnded;
}
