import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import type { BookedOrder } from '../../api/booked-order.ts';
import { removeOrder } from '../../api/order-book.ts';
import { useOutcome } from '../../api/order-outcome.ts';
import { sendBatch, tryNow } from '../../api/send-orders.ts';
import { orderingKey, sessionStore } from '../../api/session.ts';
import { unconfirmedOrder, useUnconfirmedOrder } from '../../api/unconfirmed-order.ts';
import { queryClient } from '../../api/use-api.ts';
import { LIGHT_TABLE } from '../../components/batches/batch-state.tsx';
import type { BatchBody } from './batch-body.ts';

/** Orders light tables, one at a time, and opens them. */
export interface BatchOrdering {
  readonly isPending: boolean;
  /** The unconfirmed order. No other is sent until it is confirmed or given up. */
  readonly unconfirmed: BookedOrder | null;
  readonly refusal: ApiError | null;
  /** @param price the shown price */
  place(body: BatchBody, price: string): void;
  /** Sends the unconfirmed order again with its Idempotency-Key, without waiting for its turn. */
  repeat(): void;
  giveUp(): void;
}

export function useBatchOrdering(): BatchOrdering {
  const [, navigate] = useLocation();
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const [isPending, setPending] = useState(false);
  const sending = useRef(false);
  const isShown = useRef(true);
  const unconfirmed = useUnconfirmedOrder();
  // A single order is shown by the Studio, and its refusal is in the list of orders.
  useOutcome(unconfirmed?.kind === 'batch' ? unconfirmed : null, {
    onPlaced: ({ batch }) => navigate(`/light/${batch?.batchId}`),
    onRefused: (_order, message) => setRefusal(new ApiError({ status: 0, code: 'refused', message })),
  });
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const place = async (body: BatchBody, price: string) => {
    if (sending.current || unconfirmedOrder() !== null) return;
    sending.current = true;
    setPending(true);
    setRefusal(null);
    const sender = orderingKey(sessionStore.get());
    try {
      const id = await sendBatch(valuesOf(body), { title: body.metadata[LIGHT_TABLE] ?? '', price });
      if (isShown.current && orderingKey(sessionStore.get()) === sender) navigate(`/light/${id}`);
    } catch (error) {
      const known =
        error instanceof ApiError ? error : new ApiError({ status: 0, code: 'unknown', message: String(error) });
      if (known.code === 'price_exceeded')
        void queryClient.invalidateQueries({ queryKey: ['POST /v1/batches/prices'] });
      if (unconfirmedOrder() === null) setRefusal(known);
    } finally {
      sending.current = false;
      setPending(false);
    }
  };
  return {
    isPending,
    unconfirmed,
    refusal: unconfirmed === null ? refusal : null,
    place: (body, price) => void place(body, price),
    repeat() {
      if (unconfirmed !== null) tryNow(unconfirmed);
    },
    giveUp() {
      if (unconfirmed !== null) removeOrder(unconfirmed.idempotencyKey);
      setRefusal(null);
    },
  };
}

/** Spells a body out as plain values, which the order book stores. */
function valuesOf({ orders, max_price, metadata }: BatchBody) {
  return { orders: orders.map(({ name, operation, body }) => ({ name, operation, body })), max_price, metadata };
}
