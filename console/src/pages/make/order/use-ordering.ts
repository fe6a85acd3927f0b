import type { TaskView as Task } from '@darkroom-service/contract';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../../api/api-error.ts';
import type { BookedOrder, Order } from '../../../api/booked-order.ts';
import { type Values, withoutEmpty } from '../../../api/model.ts';
import { markOf } from '../../../api/order-again.ts';
import { removeOrder, tabId, unconfirmedOrder, useOrderBook, useUnconfirmedOrder } from '../../../api/order-book.ts';
import { newOrder } from '../../../api/orders.ts';
import { sendBatch, sendOrder, tryNow } from '../../../api/send-orders.ts';
import { orderingKey, sessionStore } from '../../../api/session.ts';
import { queryClient } from '../../../api/use-api.ts';

/** The refusal of an order. */
export interface Refusal {
  readonly kind: Order['kind'];
  /** The order as it was sent. */
  readonly body: Values;
  readonly error: ApiError;
}

/** Places orders, one at a time, and opens their tasks or tables. */
export interface Ordering {
  /** Whether an order is being sent. */
  readonly isPending: boolean;
  /** The unconfirmed order. No other order is sent until it is confirmed or given up. */
  readonly unconfirmed: BookedOrder | null;
  /** Refusal of the last order; null once another is placed. */
  readonly refusal: Refusal | null;
  /**
   * @param price the displayed price: the maximum price, unless the body has another limit
   * @param title the name of a batch
   */
  place(kind: Order['kind'], body: Values, price: string, title?: string): void;
  /** Orders a follow-up of a finished task. */
  followUp(parent: Task, offer: { readonly action: string; readonly price: string }, fields?: Values): void;
  /** Sends the unconfirmed order again with its Idempotency-Key, without waiting for the next attempt. */
  repeat(): void;
  giveUp(): void;
  dismiss(): void;
}

/** The ordering functions of a form and its results. */
export const OrderingContext = createContext<Ordering | null>(null);

export function useOrdering(): Ordering {
  const ordering = useContext(OrderingContext);
  if (ordering === null) throw new Error('nothing can be ordered here');
  return ordering;
}

/** @param isTable whether the page shows the outcome of batches, instead of single orders */
export function useNewOrdering(isTable = false): Ordering {
  const [, navigate] = useLocation();
  const [refusal, setRefusal] = useState<Ordering['refusal']>(null);
  const [isPending, setPending] = useState(false);
  const sending = useRef(false);
  const isShown = useRef(true);
  const unconfirmed = useUnconfirmedOrder();
  // The other kind is not shown here; its refusal is in the list of orders.
  useOutcome((unconfirmed?.kind === 'batch') === isTable ? unconfirmed : null, {
    onPlaced: ({ taskId, batch }) => navigate(batch === null ? `/t/${taskId}` : `/light/${batch.batchId}`),
    onRefused: ({ kind, body }, message) => {
      if (kind === 'deed') return;
      setRefusal({ kind, body: body ?? {}, error: new ApiError({ status: 0, code: 'refused', message }) });
    },
  });

  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const submit = async (kind: Order['kind'], body: Values, price: string, title: string) => {
    if (sending.current || unconfirmedOrder() !== null) return;
    sending.current = true;
    setPending(true);
    setRefusal(null);
    const sender = orderingKey(sessionStore.get());
    try {
      const address =
        kind === 'batch'
          ? `/light/${await sendBatch(body, { title, price })}`
          : `/t/${(await sendOrder(newOrder(kind, body), price)).task_id}`;
      if (isShown.current && orderingKey(sessionStore.get()) === sender) navigate(address);
    } catch (error) {
      const known =
        error instanceof ApiError ? error : new ApiError({ status: 0, code: 'unknown', message: String(error) });
      if (known.code === 'price_exceeded') void readPricesAgain();
      if (unconfirmedOrder() === null) setRefusal({ kind, body, error: known });
    } finally {
      sending.current = false;
      setPending(false);
    }
  };

  const place: Ordering['place'] = (kind, body, price, title = '') =>
    void submit(kind, { max_price: price, ...body }, price, title);
  return {
    isPending,
    unconfirmed,
    refusal,
    place,
    followUp(parent, { action, price }, fields = {}) {
      place('action', { parent_task_id: parent.task_id, action, ...withoutEmpty(fields), ...markOf(parent) }, price);
    },
    repeat() {
      if (unconfirmed !== null) tryNow(unconfirmed);
    },
    giveUp() {
      if (unconfirmed !== null) removeOrder(unconfirmed.idempotencyKey);
      setRefusal(null);
    },
    dismiss: () => setRefusal(null),
  };
}

/** Refetches the prices of forms, of repeated orders, and of follow-ups, which tasks contain. */
async function readPricesAgain(): Promise<void> {
  await Promise.all(
    [['quote'], ['POST /v1/prices'], ['task']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}

/** Reports the outcome of this tab's unconfirmed order while a page waits for it. */
function useOutcome(
  unconfirmed: BookedOrder | null,
  report: {
    readonly onPlaced: (order: BookedOrder) => void;
    readonly onRefused: (order: BookedOrder, message: string) => void;
  },
): void {
  const book = useOrderBook();
  const awaited = useRef<BookedOrder | null>(null);
  if (unconfirmed !== null && unconfirmed.tab === tabId()) awaited.current = unconfirmed;
  const outcome = book.find(
    ({ idempotencyKey, state }) => idempotencyKey === awaited.current?.idempotencyKey && state !== 'unconfirmed',
  );
  const latest = useRef(report);
  latest.current = report;
  useEffect(() => {
    const order = awaited.current;
    if (order === null || outcome === undefined || outcome.state === 'sending') return;
    awaited.current = null;
    if (outcome.state === 'placed') latest.current.onPlaced(outcome);
    else if (outcome.reason !== null) latest.current.onRefused(order, outcome.reason);
  }, [outcome]);
}
