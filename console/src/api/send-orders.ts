import type { TaskView as Task } from '@darkroom-service/contract';
import { ANSWER_MS, isRefusal, withinTime } from './answers.ts';
import { messageOf } from './api-error.ts';
import { type BookedOrder, isUnanswered, lockOf, type Order, type TaskOrder } from './booked-order.ts';
import type { Values } from './model.ts';
import {
  bookedOrders,
  changeByBatch,
  changeOrder,
  enterOrder,
  findOrder,
  newIdempotencyKey,
  removeOrder,
  type Shown,
  subscribeToBook,
} from './order-book.ts';
import { hasArrived, placeBatch, placeTask } from './orders.ts';
import { orderingKey, secretOf, sessionStore } from './session.ts';
import { isFinal } from './task-cache.ts';
import { until } from './until.ts';
import { onWake } from './wake.ts';
import { HAS_LOCKS, withLock } from './web-lock.ts';

const FIRST_PAUSE_MS = 1_500;
const LONGEST_PAUSE_MS = 30_000;
/**
 * Maximum age, in milliseconds, at which an order without an answer is repeated automatically. An older one may no
 * longer be wanted: the console only asks whether it has arrived.
 */
const REPEATED_MS = 10 * 60_000;

/**
 * Writes an order into the book and sends it once. Without an answer it stays in the book as unconfirmed.
 * @param price the displayed price
 * @throws ApiError
 */
export async function sendOrder(order: TaskOrder, price: string): Promise<Task> {
  const { prompt, action, model_id: modelId } = order.body;
  const title = typeof prompt === 'string' && prompt !== '' ? prompt : String(action ?? modelId ?? order.kind);
  return await sendFirst(order, { title, price }, sendTask);
}

/**
 * Sends a batch likewise.
 * @returns id of the batch
 * @throws ApiError
 */
export async function sendBatch(body: Values, shown: Shown): Promise<string> {
  const order: Order = { kind: 'batch', body, idempotencyKey: newIdempotencyKey() };
  return (await sendFirst(order, shown, sendWhole)).batch_id;
}

async function sendFirst<T>(order: Order, shown: Shown, send: Send<T>): Promise<T> {
  const secret = orderingKey(sessionStore.get()) ?? '';
  enterOrder(order, shown, secret);
  try {
    return await withLock(lockOf(order), () => send(order, secret, false));
  } catch (error) {
    // The form shows the error.
    if (findOrder(order.idempotencyKey)?.state === 'refused') removeOrder(order.idempotencyKey);
    throw error;
  }
}

/** Sends an unconfirmed order again now, from any tab. */
export function tryNow({ idempotencyKey }: Pick<Order, 'idempotencyKey'>): void {
  changeOrder(idempotencyKey, { nextAt: 0 });
}

/** Resolves all orders of the session without an answer, also of closed tabs, until stopped. */
export function resolveOrders(): () => void {
  const stopped = new AbortController();
  const watched = new Set<string>();
  const watchAll = () => {
    for (const order of bookedOrders()) {
      const { idempotencyKey } = order;
      if (watched.has(idempotencyKey) || !isToResolve(order) || secretOf(order, sessionStore.get()) === null) continue;
      watched.add(idempotencyKey);
      void watch(order, stopped.signal).finally(() => watched.delete(idempotencyKey));
    }
  };
  watchAll();
  const unsubscribe = subscribeToBook(watchAll);
  const unwake = onWake(() => {
    for (const { idempotencyKey, state, attempts, nextAt } of bookedOrders())
      if (state === 'unconfirmed' && attempts > 1)
        changeOrder(idempotencyKey, { attempts: 1, nextAt: Math.min(nextAt, Date.now()) });
  });
  return () => {
    unwake();
    unsubscribe();
    stopped.abort();
  };
}

/** Repeats an order until there is an answer. Tabs share the pauses through the book, and take turns by a lock. */
async function watch({ idempotencyKey }: BookedOrder, signal: AbortSignal): Promise<void> {
  for (;;) {
    const order = findOrder(idempotencyKey);
    if (signal.aborted || order === null || !isToResolve(order) || secretOf(order, sessionStore.get()) === null) return;
    if (dueAt(order) > Date.now()) await untilDueOrChanged(order, signal);
    else await withLock(lockOf(order), () => resolve(idempotencyKey), signal).catch(() => undefined);
  }
}

/** Tells whether an order is resolved automatically. Deeds wait for a press: they may be unwanted, or show secrets. */
function isToResolve(order: BookedOrder): boolean {
  return order.kind === 'deed' ? order.state === 'sending' : isUnanswered(order);
}

async function resolve(idempotencyKey: string): Promise<void> {
  const order = findOrder(idempotencyKey);
  // Another tab was faster.
  if (order === null || !isToResolve(order) || dueAt(order) > Date.now()) return;
  const secret = secretOf(order, sessionStore.get());
  if (secret === null) return;
  // The lock is free, so the tab that sent it is closed.
  if (order.state === 'sending') changeOrder(idempotencyKey, { state: 'unconfirmed' });
  if (order.kind === 'deed' || order.body === null) return;
  const sent = { kind: order.kind, body: order.body, idempotencyKey };
  if (Date.now() - order.at > REPEATED_MS && !(await arrived(sent, secret))) return;
  await (sent.kind === 'batch' ? sendWhole : sendTask)(sent, secret, true);
}

/** Asks whether an old order has arrived; if not, it is given up. */
async function arrived(order: Order, secret: string): Promise<boolean> {
  const has = await withinTime((signal) => hasArrived(order, secret, signal)).catch((error: unknown) => {
    recordFailure(order, error, true);
    throw error;
  });
  if (!has)
    refuse(
      order,
      'It did not arrive within ten minutes and was not placed. Nothing was charged. Order it again if you still want it.',
    );
  return has;
}

type Send<T> = (order: Order, secret: string, isRepeated: boolean) => Promise<T>;

const sendTask = sending(placeTask, (task) => ({
  taskId: task.task_id,
  endedAt: isFinal(task) ? Date.now() : null,
}));
const sendWhole = sending(placeBatch, changeByBatch);

/** Returns a function that sends an order and records the outcome in the book. */
function sending<T>(
  place: (order: Order, secret: string, signal: AbortSignal) => Promise<T>,
  changeBy: (placed: T) => Partial<BookedOrder>,
): Send<T> {
  return async (order, secret, isRepeated) => {
    try {
      const placed = await withinTime((signal) => place(order, secret, signal));
      changeOrder(order.idempotencyKey, { state: 'placed', body: null, ...changeBy(placed) });
      return placed;
    } catch (error) {
      recordFailure(order, error, isRepeated);
      throw error;
    }
  };
}

function recordFailure(order: Order, error: unknown, isRepeated: boolean): void {
  if (isRefusal(error, isRepeated)) {
    refuse(order, messageOf(error));
    return;
  }
  const attempts = (findOrder(order.idempotencyKey)?.attempts ?? 0) + 1;
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1));
  changeOrder(order.idempotencyKey, { state: 'unconfirmed', attempts, nextAt: Date.now() + pause });
}

function refuse({ idempotencyKey }: Order, reason: string): void {
  changeOrder(idempotencyKey, { state: 'refused', reason, body: null, endedAt: Date.now() });
}

/** Returns the time of the next attempt. Without locks, another tab may still wait and gets the whole timeout. */
function dueAt({ state, at, nextAt }: BookedOrder): number {
  return state === 'sending' && !HAS_LOCKS ? at + ANSWER_MS + FIRST_PAUSE_MS : nextAt;
}

async function untilDueOrChanged(order: BookedOrder, signal: AbortSignal): Promise<void> {
  const hasChanged = () => {
    const latest = findOrder(order.idempotencyKey);
    return latest?.state !== order.state || latest.nextAt !== order.nextAt;
  };
  await until(signal, (end) => subscribeToBook(() => hasChanged() && end()), dueAt(order) - Date.now());
}
