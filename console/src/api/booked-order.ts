import type { Values } from './model.ts';
import type { DataOf, Deed } from './operations.ts';
import type { KeyKind } from './session.ts';

export type Batch = DataOf<'GET /v1/batches/{batch_id}'>;

/** An order that may be sent repeatedly: thanks to its `Idempotency-Key` it creates one task, or one batch. */
export interface Order {
  readonly kind: 'image' | 'video' | 'action' | 'batch';
  readonly body: Values;
  readonly idempotencyKey: string;
}

/** An order that creates one task. */
export type TaskOrder = Order & { readonly kind: Exclude<Order['kind'], 'batch'> };

/**
 * An order, or another deed, in the browser's storage, which all tabs read. It is written before it is sent, so that
 * its Idempotency-Key cannot be lost.
 */
export interface BookedOrder {
  readonly idempotencyKey: string;
  readonly kind: Order['kind'] | 'deed';
  /** Operation of a deed that is not an order, with the request as its body; null for orders. */
  readonly deed: Deed | null;
  readonly mode: KeyKind;
  /** Last characters of the API key that sent it: only that key can find its task. */
  readonly keyEnd: string;
  /** Id of the tab that placed it. */
  readonly tab: string;
  /** Milliseconds since 1970 when it was placed. */
  readonly at: number;
  /** Description of the order, for people. */
  readonly title: string;
  /** The displayed price, in US dollars; empty for a deed that is not an order. */
  readonly price: string;
  /** The exact body; null if it is not stored, and once there is an answer, because nothing is sent again then. */
  readonly body: Values | null;
  readonly state: 'sending' | 'unconfirmed' | 'placed' | 'refused';
  /** Number of attempts without an answer, and the time of the next one in milliseconds since 1970. */
  readonly attempts: number;
  readonly nextAt: number;
  readonly taskId: string | null;
  /** State of a placed batch; null before its answer, and for other orders. */
  readonly batch: BookedBatch | null;
  /** Reason of the refusal; null without one. */
  readonly reason: string | null;
  /** Milliseconds since 1970 when its task or batch ended, or when it was refused; null before. */
  readonly endedAt: number | null;
}

/** The state of a placed batch. */
interface BookedBatch {
  readonly batchId: string;
  readonly status: Batch['status'];
  readonly orders: number;
  /** Number of its orders that have ended. */
  readonly ended: number;
  /** Price of the batch, in US dollars; the charge once it has ended. */
  readonly amount: string;
}

/** Tells whether the answer, or the end of the task, is still pending. */
export function isUnderWay({ endedAt }: Pick<BookedOrder, 'endedAt'>): boolean {
  return endedAt === null;
}

export function isUnanswered({ state }: Pick<BookedOrder, 'state'>): boolean {
  return state === 'sending' || state === 'unconfirmed';
}

/** Returns the name of the lock that the tab holds while it sends an order. */
export function lockOf({ idempotencyKey }: Pick<BookedOrder, 'idempotencyKey'>): string {
  return `darkroom.order.${idempotencyKey}`;
}
