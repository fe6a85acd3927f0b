import { deleteOrder, readBook, readOrder, writeOrder } from './book-storage.ts';
import type { Batch, BookedOrder } from './booked-order.ts';
import type { Values } from './model.ts';
import type { Deed } from './operations.ts';
import {
  BOOK_PREFIX,
  type KeyKind,
  keyEndOf,
  kindOfKey,
  type Session,
  secretOf,
  sessionStore,
  useSession,
} from './session.ts';
import { createStore, useStore } from './store.ts';

/** Details of an order that people saw when they placed it. */
export interface Shown {
  readonly title: string;
  /** Price in US dollars. */
  readonly price: string;
}

/** The properties of a new entry of the book. */
type Entered = Pick<BookedOrder, 'kind' | 'idempotencyKey'> & {
  readonly body: Values | null;
  readonly deed?: Deed | null;
};

const TITLE_LENGTH = 120;
/** Milliseconds before other tabs check whether the sending tab still exists. */
const HEAD_START_MS = 1_000;
const TAB = 'darkroom.tab';

const bookStore = createStore<readonly BookedOrder[]>(readBook());

export const subscribeToBook = bookStore.subscribe;

window.addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(BOOK_PREFIX)) bookStore.set(readBook());
});
// A page that the browser had suspended received no events.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) bookStore.set(readBook());
});
let keysBefore = sessionStore.get().keys;
// Removing a key removes its orders. Signing out has removed those of all keys.
sessionStore.subscribe(() => {
  const { keys } = sessionStore.get();
  for (const mode of ['test', 'live', 'admin'] as const) {
    const secret = keysBefore[mode];
    if (secret === undefined || keys[mode] !== undefined) continue;
    for (const { idempotencyKey } of ordersOf(mode, secret)) removeOrder(idempotencyKey);
  }
  keysBefore = keys;
  bookStore.set(readBook());
});

/** Returns the orders of the keys of this session, newest first. */
export function useOrderBook(): readonly BookedOrder[] {
  const book = useStore(bookStore);
  const session = useSession();
  return book.filter((order) => secretOf(order, session) !== null);
}

/** Returns the orders of one key. */
export function ordersOf(mode: KeyKind, secret: string): readonly BookedOrder[] {
  return bookStore.get().filter((order) => order.mode === mode && order.keyEnd === keyEndOf(secret));
}

export function bookedOrders(): readonly BookedOrder[] {
  return bookStore.get();
}

export function findOrder(idempotencyKey: string): BookedOrder | null {
  return bookStore.get().find((order) => order.idempotencyKey === idempotencyKey) ?? null;
}

/** Enters a new order, or another deed. */
export function enterOrder({ kind, body, idempotencyKey, deed = null }: Entered, shown: Shown, secret: string): void {
  const now = Date.now();
  write({
    idempotencyKey,
    kind,
    body,
    deed,
    mode: kindOfKey(secret) ?? sessionStore.get().mode,
    keyEnd: keyEndOf(secret),
    tab: tabId(),
    at: now,
    title: shown.title.slice(0, TITLE_LENGTH),
    price: shown.price,
    state: 'sending',
    attempts: 0,
    // The tab that sends it still exists.
    nextAt: now + HEAD_START_MS,
    taskId: null,
    batch: null,
    reason: null,
    endedAt: null,
  });
}

/**
 * Changes an order that is still in the book. One that was removed meanwhile, such as by signing out, stays removed.
 */
export function changeOrder(idempotencyKey: string, change: Partial<BookedOrder>): void {
  const order = readOrder(idempotencyKey);
  if (order !== null) write({ ...order, ...change });
  else bookStore.set(readBook());
}

/** Marks the order of a task as ended. */
export function endOrderOf(taskId: string): void {
  const order = bookStore.get().find((one) => one.taskId === taskId);
  if (order?.endedAt === null) changeOrder(order.idempotencyKey, { endedAt: Date.now() });
}

/** Stores the state of a batch of the book. */
export function updateBatch(batch: Batch): void {
  const order = bookStore.get().find((one) => one.batch?.batchId === batch.batch_id);
  if (order === undefined || order.endedAt !== null) return;
  const change = changeByBatch(batch);
  if (JSON.stringify(order.batch) === JSON.stringify(change.batch)) return;
  changeOrder(order.idempotencyKey, change);
}

/** Returns the changes of an order by the state of its batch. */
export function changeByBatch(batch: Batch): Pick<BookedOrder, 'batch' | 'endedAt'> {
  const { batch_id: batchId, status, orders, counts, cost, mode } = batch;
  const hasEnded = status !== 'processing';
  const ended = orders - counts.queued - counts.processing;
  // A test is not charged, but its price is shown.
  const amount = hasEnded && mode === 'live' ? cost.charged : cost.quoted;
  return { batch: { batchId, status, orders, ended, amount }, endedAt: hasEnded ? Date.now() : null };
}

export function removeOrder(idempotencyKey: string): void {
  deleteOrder(idempotencyKey);
  bookStore.set(bookStore.get().filter((order) => order.idempotencyKey !== idempotencyKey));
}

/** Returns the name of this tab, which survives a reload. */
export function tabId(): string {
  const known = sessionStorage.getItem(TAB);
  if (known !== null) return known;
  const made = randomId();
  sessionStorage.setItem(TAB, made);
  return made;
}

export function newIdempotencyKey(): string {
  return `console-${randomId()}`;
}

/** Creates a random id without randomUUID(), which browsers only offer on https and localhost. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function write(order: BookedOrder): void {
  writeOrder(order);
  bookStore.set(readBook());
}

/** Returns the oldest unconfirmed order of the key in use; null if there is none. */
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
