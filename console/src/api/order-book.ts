import type { Values } from './model.ts';
import { BOOK_PREFIX, keyEndOf, type Mode, type Session, sessionStore, useSession } from './session.ts';
import { createStore, useStore } from './store.ts';

/** An order that may be sent repeatedly: its `Idempotency-Key` makes it one task. */
export interface Order {
  readonly kind: 'image' | 'video' | 'action';
  readonly body: Values;
  readonly idempotencyKey: string;
}

/**
 * An order in the browser's storage, where every tab sees it. It is written before it is sent, so that nothing can lose
 * its Idempotency-Key.
 */
export interface BookedOrder {
  readonly idempotencyKey: string;
  readonly kind: Order['kind'];
  readonly mode: Mode;
  /** The API key that sent it, by its last characters: only that key can find its task. */
  readonly keyEnd: string;
  /** The tab that placed it. */
  readonly tab: string;
  /** When it was placed, in milliseconds. */
  readonly at: number;
  /** What was ordered, for people. */
  readonly title: string;
  /** The price that was shown, in US dollars. */
  readonly price: string;
  /** The exact body; null once there is an answer, because nothing is sent again then. */
  readonly body: Values | null;
  readonly state: 'sending' | 'unconfirmed' | 'placed' | 'refused';
  /** How often it was sent without an answer, and when it is sent again. */
  readonly attempts: number;
  readonly nextAt: number;
  readonly taskId: string | null;
  /** Why it was refused. */
  readonly reason: string | null;
  /** When its task ended, or when it was refused; null before. */
  readonly endedAt: number | null;
}

const TITLE_LENGTH = 120;
/** Ended orders are listed for an hour, and only the latest. */
const ENDED_MS = 3_600_000;
const MOST_ENDED = 12;
/** Orders of keys that never came back to this browser. */
const FORGOTTEN_MS = 30 * 86_400_000;
/** Until other tabs ask whether the one that sends an order is still there. */
const HEAD_START_MS = 1_000;
const TAB = 'darkroom.tab';

/** Orders that the storage did not accept, because it is full or disabled. They last as long as the page. */
const unstored = new Map<string, BookedOrder>();
const bookStore = createStore<readonly BookedOrder[]>(readBook());

export const subscribeToBook = bookStore.subscribe;

window.addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(BOOK_PREFIX)) bookStore.set(readBook());
});
// A page that the browser had frozen got no events.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) bookStore.set(readBook());
});
let keysBefore = sessionStore.get().keys;
// Removing a key removes its orders. Signing out has removed those of all keys.
sessionStore.subscribe(() => {
  const { keys } = sessionStore.get();
  for (const mode of ['test', 'live'] as const) {
    const secret = keysBefore[mode];
    if (secret === undefined || keys[mode] !== undefined) continue;
    for (const { idempotencyKey } of ordersOf(mode, secret)) removeOrder(idempotencyKey);
  }
  keysBefore = keys;
  bookStore.set(readBook());
});

/** The orders of the keys of this session, newest first. */
export function useOrderBook(): readonly BookedOrder[] {
  const book = useStore(bookStore);
  const session = useSession();
  return book.filter((order) => secretOf(order, session) !== null);
}

/** The orders of one key. */
export function ordersOf(mode: Mode, secret: string): readonly BookedOrder[] {
  return bookStore.get().filter((order) => order.mode === mode && order.keyEnd === keyEndOf(secret));
}

export function bookedOrders(): readonly BookedOrder[] {
  return bookStore.get();
}

export function findOrder(idempotencyKey: string): BookedOrder | null {
  return bookStore.get().find((order) => order.idempotencyKey === idempotencyKey) ?? null;
}

/** Returns the key of the session that placed the order; null if the session does not have it. */
export function secretOf({ mode, keyEnd }: Pick<BookedOrder, 'mode' | 'keyEnd'>, session: Session): string | null {
  const secret = session.keys[mode];
  return secret !== undefined && keyEndOf(secret) === keyEnd ? secret : null;
}

/** Tells whether the answer, or the end of the task, is still to come. */
export function isUnderWay({ endedAt }: Pick<BookedOrder, 'endedAt'>): boolean {
  return endedAt === null;
}

export function isUnanswered({ state }: Pick<BookedOrder, 'state'>): boolean {
  return state === 'sending' || state === 'unconfirmed';
}

/** Enters a new order for the key in use. */
export function enterOrder({ kind, body, idempotencyKey }: Order, price: string, secret: string): void {
  const now = Date.now();
  const prompt = typeof body.prompt === 'string' ? body.prompt : '';
  write({
    idempotencyKey,
    kind,
    body,
    mode: sessionStore.get().mode,
    keyEnd: keyEndOf(secret),
    tab: tabId(),
    at: now,
    title: (prompt === '' ? String(body.action ?? body.model_id ?? kind) : prompt).slice(0, TITLE_LENGTH),
    price,
    state: 'sending',
    attempts: 0,
    // The tab that sends it is there.
    nextAt: now + HEAD_START_MS,
    taskId: null,
    reason: null,
    endedAt: null,
  });
}

/**
 * Changes an order that is still in the book. One that was removed meanwhile, such as by signing out, stays removed.
 */
export function changeOrder(idempotencyKey: string, change: Partial<BookedOrder>): void {
  const order = unstored.get(idempotencyKey) ?? readOrder(BOOK_PREFIX + idempotencyKey);
  if (order !== null) write({ ...order, ...change });
  else bookStore.set(readBook());
}

/** Marks the order of a task that has ended. */
export function endOrderOf(taskId: string): void {
  const order = bookStore.get().find((one) => one.taskId === taskId);
  if (order?.endedAt === null) changeOrder(order.idempotencyKey, { endedAt: Date.now() });
}

export function removeOrder(idempotencyKey: string): void {
  unstored.delete(idempotencyKey);
  localStorage.removeItem(BOOK_PREFIX + idempotencyKey);
  bookStore.set(bookStore.get().filter((order) => order.idempotencyKey !== idempotencyKey));
}

/** Survives a reload. */
export function tabId(): string {
  const known = sessionStorage.getItem(TAB);
  if (known !== null) return known;
  const made = randomId();
  sessionStorage.setItem(TAB, made);
  return made;
}

/** Not randomUUID(), which browsers only offer on https and localhost. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function write(order: BookedOrder): void {
  try {
    localStorage.setItem(BOOK_PREFIX + order.idempotencyKey, JSON.stringify(order));
    unstored.delete(order.idempotencyKey);
  } catch {
    unstored.set(order.idempotencyKey, order);
  }
  bookStore.set(readBook());
}

/** Reads the book, newest first, and drops what is over. */
function readBook(): readonly BookedOrder[] {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(BOOK_PREFIX));
  const stored = names.map(readOrder).filter((order) => order !== null);
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

function readOrder(name: string): BookedOrder | null {
  try {
    const order = JSON.parse(localStorage.getItem(name) ?? 'null') as BookedOrder | null;
    if (typeof order?.keyEnd === 'string' && 'endedAt' in order) return order;
  } catch {
    // Not the console's own text.
  }
  localStorage.removeItem(name);
  return null;
}
