import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { type CatalogModel, type Values, withoutEmpty } from '../../api/model.ts';
import { markOf } from '../../api/order-again.ts';
import { newOrder, type Order, placeOrder } from '../../api/orders.ts';
import { orderingKey, sessionStore } from '../../api/session.ts';
import type { Task } from '../../api/types.ts';
import { bodyOf, type Draft } from './draft.ts';

/** Places orders, one at a time, and shows the task that each became. */
export interface Ordering {
  readonly isPending: boolean;
  /** What was said of the last order; null once another is placed. */
  readonly refusal: ApiError | null;
  place(model: CatalogModel, draft: Draft): void;
  /** An order like an earlier one. */
  send(kind: Order['kind'], body: Values): void;
  /** What is made from a finished task. */
  followUp(parent: Task, action: string, fields?: Values): void;
  /** The last one once more, with the same Idempotency-Key. */
  repeat(): void;
  dismiss(): void;
}

export function useOrdering(): Ordering {
  const [, navigate] = useLocation();
  const [isPending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const last = useRef<Order | null>(null);

  const submit = async (order: Order) => {
    last.current = order;
    setPending(true);
    setRefusal(null);
    const sender = orderingKey(sessionStore.get());
    try {
      const task = await placeOrder(order);
      if (orderingKey(sessionStore.get()) === sender) navigate(`/t/${task.task_id}`);
    } catch (error) {
      setRefusal(
        error instanceof ApiError ? error : new ApiError({ status: 0, code: 'unknown', message: String(error) }),
      );
    } finally {
      setPending(false);
    }
  };

  return {
    isPending,
    refusal,
    place: ({ type }, draft) => void submit(newOrder(type, bodyOf(draft, sessionStore.get().mode))),
    send: (kind, body) => void submit(newOrder(kind, body)),
    followUp(parent, action, fields = {}) {
      const body = { parent_task_id: parent.task_id, action, ...withoutEmpty(fields), ...markOf(parent) };
      void submit(newOrder('action', body));
    },
    repeat() {
      if (last.current !== null) void submit(last.current);
    },
    dismiss: () => setRefusal(null),
  };
}
