import { type BookedOrder, isUnderWay } from './booked-order.ts';
import { BOOK_PREFIX } from './session.ts';

/** Milliseconds for which ended orders are listed; only the latest are. */
const ENDED_MS = 3_600_000;
const MOST_ENDED = 12;
/** Milliseconds after which orders are removed whose keys never came back to this browser. */
const FORGOTTEN_MS = 30 * 86_400_000;

/** Orders that the storage rejected because it is full or disabled. They last as long as the page. */
const unstored = new Map<string, BookedOrder>();

/** Reads the book, newest first, and removes expired orders. */
export function readBook(): readonly BookedOrder[] {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(BOOK_PREFIX));
  const stored = names.map(readStored).filter((order) => order !== null);
  const orders = [...stored, ...unstored.values()].sort((left, right) => right.at - left.at);
  const now = Date.now();
  const ended = orders.filter((order) => !isUnderWay(order));
  const isOver = (order: BookedOrder) =>
    order.endedAt === null
      ? now - order.at > FORGOTTEN_MS
      : now - order.endedAt > ENDED_MS || ended.indexOf(order) >= MOST_ENDED;
  for (const order of orders.filter(isOver)) localStorage.removeItem(BOOK_PREFIX + order.idempotencyKey);
  return orders.filter((order) => !isOver(order));
}

export function readOrder(idempotencyKey: string): BookedOrder | null {
  return unstored.get(idempotencyKey) ?? readStored(BOOK_PREFIX + idempotencyKey);
}

export function writeOrder(order: BookedOrder): void {
  try {
    localStorage.setItem(BOOK_PREFIX + order.idempotencyKey, JSON.stringify(order));
    unstored.delete(order.idempotencyKey);
  } catch {
    unstored.set(order.idempotencyKey, order);
  }
}

export function deleteOrder(idempotencyKey: string): void {
  unstored.delete(idempotencyKey);
  localStorage.removeItem(BOOK_PREFIX + idempotencyKey);
}

function readStored(name: string): BookedOrder | null {
  try {
    const order = JSON.parse(localStorage.getItem(name) ?? 'null') as BookedOrder | null;
    if (typeof order?.keyEnd === 'string' && 'endedAt' in order) return order;
  } catch {
    // Not written by this console.
  }
  localStorage.removeItem(name);
  return null;
}
