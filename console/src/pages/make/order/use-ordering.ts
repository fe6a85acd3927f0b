import type { TaskView as Task } from '@darkroom-service/contract';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, isUnreachable } from '../../../api/api-error.ts';
import type { BookedOrder, Order } from '../../../api/booked-order.ts';
import { type Values, withoutEmpty } from '../../../api/model.ts';
import { markOf } from '../../../api/order-again.ts';
import { removeOrder, tabId, unconfirmedOrder, useOrderBook, useUnconfirmedOrder } from '../../../api/order-book.ts';
import { newOrder } from '../../../api/orders.ts';
import { sendBatch, sendOrder, tryNow } from '../../../api/send-orders.ts';
import { orderingKey, sessionStore } from '../../../api/session.ts';
import { queryClient } from '../../../api/use-api.ts';
import { readQuote } from './use-quote.ts';

/** An order to place. */
export interface WantedOrder {
  readonly kind: Order['kind'];
  readonly body: Values;
  /** The request body of its price, if that is another one. */
  readonly priced?: object;
  /** The name of a batch. */
  readonly title?: string;
  /** Whether a result offers it, beside which its refusal is shown; absent = it is the order of a form. */
  readonly isOffer?: boolean;
}

/** The refusal of an order, with the order as it was sent. */
export interface Refusal extends WantedOrder {
  readonly error: ApiError;
}

/** An order whose price must be accepted, because it is more than the price that was shown at the press. */
interface AskedOrder extends WantedOrder {
  readonly price: string;
  /** The price that was shown; null = none was known. */
  readonly shown: string | null;
}

/** Places orders, one at a time, and opens their tasks or tables. */
interface Ordering {
  /** Whether an order is being sent. */
  readonly isPending: boolean;
  /** The unconfirmed order. No other order is sent until it is confirmed or given up. */
  readonly unconfirmed: BookedOrder | null;
  /** Refusal of the last order; null once another is placed. */
  readonly refusal: Refusal | null;
  /** The order whose price must be accepted; null once another is placed. */
  readonly asked: AskedOrder | null;
  /** @param price the displayed price of this order: the maximum price, unless the body has another limit */
  place(order: WantedOrder, price: string): void;
  /**
   * Reads the price of an order and places it, if it costs at most what was shown, or nothing. Otherwise it is `asked`.
   * @param shown the displayed price, which may belong to an earlier form; null = none is known
   */
  press(order: WantedOrder, shown: string | null): void;
  /** Places the order that is `asked`. */
  accept(): void;
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
  const [asked, setAsked] = useState<Ordering['asked']>(null);
  const [isPending, setPending] = useState(false);
  const sending = useRef(false);
  const isShown = useRef(true);
  const unconfirmed = useUnconfirmedOrder();
  // The other kind is not shown here; its refusal is in the list of orders.
  useOutcome((unconfirmed?.kind === 'batch') === isTable ? unconfirmed : null, {
    onPlaced: ({ taskId, batch }) => navigate(batch === null ? `/t/${taskId}` : `/light/${batch.batchId}`),
    onRefused: ({ kind, body }, message) => {
      if (kind === 'deed') return;
      setRefusal({
        kind,
        body: body ?? {},
        isOffer: kind === 'action',
        error: new ApiError({ status: 0, code: 'refused', message }),
      });
    },
  });

  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  /** Does one thing at a time, for the key in use. @param then is called unless another key is in use by then */
  const runAlone = async <T>(order: WantedOrder, act: () => Promise<T>, then: (result: T) => void) => {
    if (sending.current || unconfirmedOrder() !== null) return;
    sending.current = true;
    setPending(true);
    setRefusal(null);
    setAsked(null);
    const sender = orderingKey(sessionStore.get());
    const end = () => {
      sending.current = false;
      setPending(false);
    };
    try {
      const result = await act();
      end();
      if (isShown.current && orderingKey(sessionStore.get()) === sender) then(result);
    } catch (error) {
      end();
      const known =
        error instanceof ApiError ? error : new ApiError({ status: 0, code: 'unknown', message: String(error) });
      if (known.code === 'price_exceeded') void readPricesAgain();
      if (unconfirmedOrder() === null) setRefusal({ ...order, error: known });
    }
  };
  const place: Ordering['place'] = (order, price) => {
    const { kind, title = '' } = order;
    const body = { max_price: price, ...order.body };
    const send = async () =>
      kind === 'batch'
        ? `/light/${await sendBatch(body, { title, price })}`
        : `/t/${(await sendOrder(newOrder(kind, body), price)).task_id}`;
    void runAlone({ ...order, body }, send, navigate);
  };
  const press: Ordering['press'] = (order, shown) => {
    const { kind, body, priced = body } = order;
    const isFree = sessionStore.get().mode === 'test';
    const read = () =>
      readQuote(kind === 'batch' ? 'POST /v1/batches/prices' : 'POST /v1/prices', priced).catch((error: unknown) => {
        // The order carries the shown price as its limit, and is kept until the service answers.
        if (shown !== null && isUnreachable(error)) return shown;
        throw error;
      });
    void runAlone(order, read, (price) => {
      if (isFree || (shown !== null && Number(price) <= Number(shown))) place(order, price);
      else setAsked({ ...order, price, shown });
    });
  };
  return {
    isPending,
    unconfirmed,
    refusal,
    asked,
    place,
    press,
    accept: () => asked !== null && place(asked, asked.price),
    followUp(parent, { action, price }, fields = {}) {
      const further = { action, ...withoutEmpty(fields), ...markOf(parent) };
      if (parent.type === 'video')
        place({ kind: 'video', body: { source: `task:${parent.task_id}`, ...further }, isOffer: true }, price);
      else place({ kind: 'action', body: { parent_task_id: parent.task_id, ...further }, isOffer: true }, price);
    },
    repeat() {
      if (unconfirmed !== null) tryNow(unconfirmed);
    },
    giveUp() {
      if (unconfirmed !== null) removeOrder(unconfirmed.idempotencyKey);
      setRefusal(null);
    },
    dismiss() {
      setRefusal(null);
      setAsked(null);
    },
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
