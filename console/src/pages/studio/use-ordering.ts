import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { type Values, withoutEmpty } from '../../api/model.ts';
import { markOf } from '../../api/order-again.ts';
import { newOrder, type Order } from '../../api/orders.ts';
import { forget, pendingOrder, sendOrder, usePendingOrder } from '../../api/pending-orders.ts';
import { orderingKey, sessionStore } from '../../api/session.ts';
import type { Task } from '../../api/types.ts';
import { queryClient } from '../../api/use-api.ts';

/** Why an order was refused. */
export interface Refusal {
  readonly kind: Order['kind'];
  /** The order as it was sent. */
  readonly body: Values;
  readonly error: ApiError;
}

/** Places orders, one at a time, and shows their tasks. */
export interface Ordering {
  /** Whether an order is being sent. */
  readonly isPending: boolean;
  /** The unconfirmed order. No other is sent until it is confirmed or given up. */
  readonly unconfirmed: Order | null;
  /** Why the last order was refused; null once another is placed. */
  readonly refusal: Refusal | null;
  /** @param price the shown price: the maximum price, unless the body has another limit */
  place(kind: Order['kind'], body: Values, price: string): void;
  /** Orders a follow-up of a finished task. */
  followUp(parent: Task, offer: { readonly action: string; readonly price: string }, fields?: Values): void;
  /** Sends the unconfirmed order again with its Idempotency-Key. */
  repeat(): void;
  giveUp(): void;
  dismiss(): void;
}

/**
 * Up to this age an unconfirmed order is repeated automatically when the user returns; an older one waits for a click.
 */
const RESOLVED_UNASKED_MS = 10 * 60_000;

export function useOrdering(): Ordering {
  const [, navigate] = useLocation();
  const [refusal, setRefusal] = useState<Ordering['refusal']>(null);
  const pending = usePendingOrder();
  const isShown = useRef(true);

  const submit = async (order: Order) => {
    const other = pendingOrder();
    if (other !== null && (other.state === 'sending' || other.order.idempotencyKey !== order.idempotencyKey)) return;
    setRefusal(null);
    const sender = orderingKey(sessionStore.get());
    try {
      const task = await sendOrder(order);
      if (isShown.current && orderingKey(sessionStore.get()) === sender) navigate(`/t/${task.task_id}`);
    } catch (error) {
      const known =
        error instanceof ApiError ? error : new ApiError({ status: 0, code: 'unknown', message: String(error) });
      if (known.code === 'price_exceeded') void readPricesAgain();
      setRefusal({ kind: order.kind, body: order.body, error: known });
    }
  };

  const resolve = useEffectEvent(() => {
    const left = pendingOrder();
    if (left?.state === 'unconfirmed' && Date.now() - left.at < RESOLVED_UNASKED_MS) void submit(left.order);
  });
  useEffect(() => {
    isShown.current = true;
    resolve();
    return () => {
      isShown.current = false;
    };
  }, []);

  const place: Ordering['place'] = (kind, body, price) => void submit(newOrder(kind, { max_price: price, ...body }));
  const unconfirmed = pending?.state === 'unconfirmed' ? pending.order : null;
  return {
    isPending: pending?.state === 'sending',
    unconfirmed,
    refusal,
    place,
    followUp(parent, { action, price }, fields = {}) {
      place('action', { parent_task_id: parent.task_id, action, ...withoutEmpty(fields), ...markOf(parent) }, price);
    },
    repeat() {
      if (unconfirmed !== null) void submit(unconfirmed);
    },
    giveUp() {
      if (unconfirmed !== null) forget(unconfirmed);
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
