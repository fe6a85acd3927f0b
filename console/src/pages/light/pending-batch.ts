import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { isSignedIn, type Mode, orderingKey, type Session, sessionStore, useSession } from '../../api/session.ts';
import { createStore, useStore } from '../../api/store.ts';
import { announcePlacedTasks } from '../../api/task-lists.ts';
import { frameTexts } from '../../texts/frame.ts';
import type { BatchBody } from './batch-body.ts';

/**
 * A light table that was ordered and is not confirmed yet. It is stored in the browser before it is sent, so that a
 * reload or a crash does not lose its Idempotency-Key.
 */
export interface PendingBatch {
  readonly body: BatchBody;
  readonly idempotencyKey: string;
  /** When it was first sent, in milliseconds. */
  readonly at: number;
  readonly mode: Mode;
  /** The last characters of the API key that sent it: only that key can find it again. */
  readonly keyEnd: string;
  readonly state: 'sending' | 'unconfirmed';
}

const PREFIX = 'darkroom.light.order.';
const KEY_END_LENGTH = 8;
/** 5xx errors after which certainly nothing was ordered. After any other, the batch may have been accepted. */
const NOT_TAKEN = ['model_unavailable', 'storage_full', 'shutting_down'];

const pendingStore = createStore<readonly PendingBatch[]>(readAll());

// Signing out, or removing a key, removes its orders.
sessionStore.subscribe(() => {
  const session = sessionStore.get();
  for (const one of isSignedIn(session) ? pendingStore.get() : readAll())
    if (session.keys[one.mode] === undefined) forgetBatch(one.idempotencyKey);
});
// Another tab sent one, or got its answer.
window.addEventListener('storage', ({ key }) => {
  if (key !== null && !key.startsWith(PREFIX)) return;
  const sending = pendingStore.get().filter(({ state }) => state === 'sending');
  const others = readAll().filter(({ idempotencyKey: id }) => !sending.some((one) => one.idempotencyKey === id));
  pendingStore.set([...sending, ...others]);
});

/** Returns the unconfirmed batch of the key in use. While there is one, no other is sent. */
export function usePendingBatch(): PendingBatch | null {
  const pending = useStore(pendingStore);
  return pendingOf(useSession(), pending);
}

export function pendingBatch(): PendingBatch | null {
  return pendingOf(sessionStore.get(), pendingStore.get());
}

/** Stores a batch with a new Idempotency-Key. It is not sent yet. */
export function newPendingBatch(body: BatchBody): PendingBatch {
  // Not randomUUID(), which browsers only offer on https and localhost.
  const random = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'));
  const session = sessionStore.get();
  const idempotencyKey = `console-${random.join('')}`;
  const { mode } = session;
  return { body, idempotencyKey, at: Date.now(), mode, keyEnd: keyEndOf(session) ?? '', state: 'unconfirmed' };
}

/**
 * Sends a batch, for the first time or again, always with its Idempotency-Key. Keeps it until there is an answer.
 * @returns its id
 * @throws ApiError
 */
export async function sendBatch(pending: PendingBatch): Promise<string> {
  const isRepeated = pendingStore.get().some(({ idempotencyKey: id }) => id === pending.idempotencyKey);
  remember({ ...pending, state: 'sending' });
  try {
    const options = { headers: { 'idempotency-key': pending.idempotencyKey } };
    const batch = await call('POST /v1/batches', { body: pending.body as never }, options);
    // An incomplete answer, or one that is not from the service, says nothing about the batch.
    if (typeof batch?.batch_id !== 'string')
      throw new ApiError({ status: 0, code: 'unreadable', message: frameTexts.unreadable(201), retryable: true });
    forgetBatch(pending.idempotencyKey);
    announcePlacedTasks();
    return batch.batch_id;
  } catch (error) {
    if (isRefusal(error, isRepeated)) forgetBatch(pending.idempotencyKey);
    else remember({ ...pending, state: 'unconfirmed' });
    throw error;
  }
}

/** Gives up a batch, whether or not it arrived. */
export function forgetBatch(idempotencyKey: string): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(PREFIX + idempotencyKey);
  pendingStore.set(pendingStore.get().filter((one) => one.idempotencyKey !== idempotencyKey));
}

/**
 * Tells whether an error means that the batch certainly does not exist.
 * @param isRepeated whether it was sent before; errors before the lookup of the Idempotency-Key then say nothing
 * about the first attempt
 */
function isRefusal(error: unknown, isRepeated: boolean): boolean {
  if (!(error instanceof ApiError) || error.status < 400) return false;
  if (isRepeated) return error.status < 500 && error.status !== 408 && error.status !== 429;
  return error.status < 500 || NOT_TAKEN.includes(error.code);
}

function remember(entry: PendingBatch): void {
  const others = pendingStore.get().filter(({ idempotencyKey: id }) => id !== entry.idempotencyKey);
  pendingStore.set([...others, entry]);
  const { state: _, ...kept } = entry;
  const storage = sessionStore.get().remembered ? localStorage : sessionStorage;
  try {
    storage.setItem(PREFIX + entry.idempotencyKey, JSON.stringify(kept));
  } catch {
    // The browser's storage is full or disabled: the batch is kept until the page closes.
  }
}

function pendingOf(session: Session, pending: readonly PendingBatch[]): PendingBatch | null {
  const keyEnd = keyEndOf(session);
  return pending.find((one) => one.keyEnd === keyEnd && one.mode === session.mode) ?? null;
}

function keyEndOf(session: Session): string | null {
  return orderingKey(session)?.slice(-KEY_END_LENGTH) ?? null;
}

function readAll(): PendingBatch[] {
  const found: PendingBatch[] = [];
  for (const storage of [sessionStorage, localStorage]) {
    for (const name of Object.keys(storage).filter((one) => one.startsWith(PREFIX))) {
      try {
        const kept = JSON.parse(storage.getItem(name) ?? '') as Omit<PendingBatch, 'state'>;
        found.push({ ...kept, state: 'unconfirmed' });
      } catch {
        storage.removeItem(name);
      }
    }
  }
  return found;
}
