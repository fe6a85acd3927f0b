import { ApiError } from './api-error.ts';
import { type Order, placeOrder } from './orders.ts';
import { isSignedIn, type Mode, orderingKey, type Session, sessionStore, useSession } from './session.ts';
import { createStore, useStore } from './store.ts';
import type { Task } from './types.ts';

/**
 * An order without a response yet. It is stored in the browser before it is sent, so a reload does not lose its
 * Idempotency-Key.
 */
export interface PendingOrder {
  readonly order: Order;
  /** When it was first sent, in milliseconds. */
  readonly at: number;
  readonly mode: Mode;
  /** The last characters of the API key that sent it: only that key can find it again. */
  readonly keyEnd: string;
  readonly state: 'sending' | 'unconfirmed';
}

const PREFIX = 'darkroom.order.';
const KEY_END_LENGTH = 8;
/** 5xx errors after which certainly nothing was ordered. After any other, the order may have been accepted. */
const NOT_TAKEN = ['model_unavailable', 'storage_full', 'shutting_down'];

const pendingStore = createStore<readonly PendingOrder[]>(readAll());

// Signing out, or removing a key, removes its order.
sessionStore.subscribe(() => {
  const session = sessionStore.get();
  for (const { order, mode } of pendingStore.get()) {
    if (session.keys[mode] === undefined) forget(order);
  }
  // Orders of other tabs too, which may be asleep.
  if (!isSignedIn(session)) for (const { order } of readAll()) forget(order);
});
// Another tab got the response to an order.
window.addEventListener('storage', ({ key, newValue }) => {
  if (newValue !== null || key?.startsWith(PREFIX) !== true) return;
  pendingStore.set(pendingStore.get().filter(({ order }) => nameOf(order) !== key));
});

/** Returns the unconfirmed order of the key in use; null if there is none. While there is one, no other is sent. */
export function usePendingOrder(): PendingOrder | null {
  const pending = useStore(pendingStore);
  return pendingOf(useSession(), pending);
}

export function pendingOrder(): PendingOrder | null {
  return pendingOf(sessionStore.get(), pendingStore.get());
}

/**
 * Sends a new or unconfirmed order, and keeps it until there is a response.
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

/** Gives up an order, whether or not it arrived. */
export function forget(order: Order): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(nameOf(order));
  pendingStore.set(pendingStore.get().filter((one) => nameOf(one.order) !== nameOf(order)));
}

/**
 * Tells whether an error means that the order certainly does not exist.
 * @param isRepeated whether the order was sent before; errors before the lookup of the Idempotency-Key then say nothing
 * about the first attempt
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
    // The browser's storage is full or disabled: the order is kept until the page closes.
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
