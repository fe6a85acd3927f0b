import { ApiError } from './api-error.ts';
import { type Order, placeOrder } from './orders.ts';
import { isSignedIn, type Mode, orderingKey, type Session, sessionStore, useSession } from './session.ts';
import { createStore, useStore } from './store.ts';
import type { Task } from './types.ts';

/** An order whose answer is not known yet. It is in the browser's storage before it is sent, so a reload does not lose its Idempotency-Key. */
export interface PendingOrder {
  readonly order: Order;
  /** When it was first sent, in milliseconds. */
  readonly at: number;
  readonly mode: Mode;
  /** The end of the API key that it was sent with: only that key finds it again. */
  readonly keyEnd: string;
  readonly state: 'sending' | 'unconfirmed';
}

const PREFIX = 'darkroom.order.';
const KEY_END_LENGTH = 8;
/** Errors of status 5xx after which nothing was ordered for certain. Any other may hide an order that was taken. */
const NOT_TAKEN = ['model_unavailable', 'storage_full', 'shutting_down'];

const pendingStore = createStore<readonly PendingOrder[]>(readAll());

// Whoever signs out, or removes a key, leaves no order behind.
sessionStore.subscribe(() => {
  const session = sessionStore.get();
  for (const { order, mode } of pendingStore.get()) {
    if (!isSignedIn(session) || session.keys[mode] === undefined) forget(order);
  }
});
// Another tab has learned what became of one.
window.addEventListener('storage', ({ key, newValue }) => {
  if (newValue !== null || key?.startsWith(PREFIX) !== true) return;
  pendingStore.set(pendingStore.get().filter(({ order }) => nameOf(order) !== key));
});

/** The order of the key in use whose answer is not known; null if there is none. While there is one, no other is sent. */
export function usePendingOrder(): PendingOrder | null {
  const pending = useStore(pendingStore);
  return pendingOf(useSession(), pending);
}

export function pendingOrder(): PendingOrder | null {
  return pendingOf(sessionStore.get(), pendingStore.get());
}

/**
 * Sends an order that is new or not confirmed, and keeps it until its answer is known.
 * @throws ApiError
 */
export async function sendOrder(order: Order): Promise<Task> {
  const session = sessionStore.get();
  const earlier = pendingStore.get().find((one) => nameOf(one.order) === nameOf(order));
  const { at, keyEnd, mode } = earlier ?? { at: Date.now(), keyEnd: keyEndOf(session) ?? '', mode: session.mode };
  const entry = { order, at, mode, keyEnd };
  remember({ ...entry, state: 'sending' });
  try {
    const task = await placeOrder(order);
    forget(order);
    return task;
  } catch (error) {
    if (isRefusal(error, earlier !== undefined)) forget(order);
    else if (isKept(order)) remember({ ...entry, state: 'unconfirmed' });
    throw error;
  }
}

/** Gives an order up, whatever became of it. */
export function forget(order: Order): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(nameOf(order));
  pendingStore.set(pendingStore.get().filter((one) => nameOf(one.order) !== nameOf(order)));
}

/**
 * Whether an error says for certain that there is no such order.
 * @param isRepeated the order was sent before: errors that come before the Idempotency-Key is looked up say nothing of the first try.
 */
function isRefusal(error: unknown, isRepeated: boolean): boolean {
  if (!(error instanceof ApiError) || error.status < 400) return false;
  if (isRepeated) return error.status < 500 && error.status !== 408 && error.status !== 429;
  return error.status < 500 || NOT_TAKEN.includes(error.code);
}

function remember(entry: PendingOrder): void {
  const others = pendingStore.get().filter((one) => nameOf(one.order) !== nameOf(entry.order));
  pendingStore.set([...others, entry]);
  const { state: _, ...kept } = entry;
  const storage = sessionStore.get().remembered ? localStorage : sessionStorage;
  try {
    storage.setItem(nameOf(entry.order), JSON.stringify(kept));
  } catch {
    // Storage that is full or switched off: it is kept until the page is left.
  }
}

function isKept(order: Order): boolean {
  return pendingStore.get().some((one) => nameOf(one.order) === nameOf(order));
}

function pendingOf(session: Session, pending: readonly PendingOrder[]): PendingOrder | null {
  const keyEnd = keyEndOf(session);
  return pending.find((one) => one.keyEnd === keyEnd && one.mode === session.mode) ?? null;
}

function keyEndOf(session: Session): string | null {
  return orderingKey(session)?.slice(-KEY_END_LENGTH) ?? null;
}

function nameOf(order: Order): string {
  return PREFIX + order.idempotencyKey;
}

function readAll(): PendingOrder[] {
  const found: PendingOrder[] = [];
  for (const storage of [sessionStorage, localStorage]) {
    for (const name of Object.keys(storage).filter((one) => one.startsWith(PREFIX))) {
      try {
        found.push({
          ...(JSON.parse(storage.getItem(name) ?? '') as Omit<PendingOrder, 'state'>),
          state: 'unconfirmed',
        });
      } catch {
        storage.removeItem(name);
      }
    }
  }
  return found;
}
