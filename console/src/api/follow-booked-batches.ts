import { ApiError } from './api-error.ts';
import type { BookedOrder } from './booked-order.ts';
import { call } from './client.ts';
import { untilAnswering } from './connection.ts';
import { bookedOrders, findOrder, removeOrder, subscribeToBook, updateBatch } from './order-book.ts';
import { secretOf, sessionStore } from './session.ts';
import { readTaskListsAgain } from './task-lists.ts';
import { until } from './until.ts';
import { withLock } from './web-lock.ts';

/** First pause between two polls, in milliseconds; it doubles while nothing changes. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Polls the placed batches of the book until they have ended, or until stopped. One tab does it for all tabs. An event
 * stream for each batch would use up the few connections that a browser opens to one service.
 */
export function followBookedBatches(): () => void {
  const stopped = new AbortController();
  const followed = new Set<string>();
  const followAll = () => {
    for (const order of bookedOrders()) {
      const { idempotencyKey } = order;
      if (followed.has(idempotencyKey) || !isToFollow(order)) continue;
      followed.add(idempotencyKey);
      const work = () => follow(idempotencyKey, stopped.signal);
      void withLock(`darkroom.batch.${idempotencyKey}`, work, stopped.signal)
        .catch(() => undefined)
        .finally(() => followed.delete(idempotencyKey));
    }
  };
  followAll();
  const unsubscribe = subscribeToBook(followAll);
  return () => {
    unsubscribe();
    stopped.abort();
  };
}

async function follow(idempotencyKey: string, signal: AbortSignal): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    await untilDueOrEnded(idempotencyKey, pauseMs, signal);
    const order = findOrder(idempotencyKey);
    if (signal.aborted || order === null || !isToFollow(order)) return;
    try {
      const { batchId } = order.batch;
      const key = secretOf(order, sessionStore.get()) ?? '';
      const batch = await call('GET /v1/batches/{batch_id}', { path: { batch_id: batchId } }, { key, signal });
      if (batch.status !== 'processing') readTaskListsAgain();
      updateBatch(batch);
      if (findOrder(idempotencyKey)?.batch?.ended !== order.batch?.ended) pauseMs = FIRST_PAUSE_MS;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) removeOrder(idempotencyKey);
      else await untilAnswering();
    }
  }
}

function isToFollow(order: BookedOrder): order is BookedOrder & { readonly batch: NonNullable<BookedOrder['batch']> } {
  return order.batch !== null && order.endedAt === null && secretOf(order, sessionStore.get()) !== null;
}

/** Waits until the next poll, or the end of the batch, of which its own page may learn first. */
async function untilDueOrEnded(idempotencyKey: string, milliseconds: number, signal: AbortSignal): Promise<void> {
  const hasEnded = () => {
    const order = findOrder(idempotencyKey);
    return order === null || !isToFollow(order);
  };
  await until(signal, (end) => subscribeToBook(() => hasEnded() && end()), milliseconds);
}
