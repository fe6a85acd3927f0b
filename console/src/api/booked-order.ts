import type { Values } from './model.ts';
import type { DataOf, Deed } from './operations.ts';
import type { KeyKind } from './session.ts';

export type Batch = DataOf<'GET /v1/batches/{batch_id}'>;

/** An order that may be sent repeatedly: its `Idempotency-Key` makes it one task, or one batch. */
export interface Order {
  readonly kind: 'image' | 'video' | 'action' | 'batch';
  readonly body: Values;
  readonly idempotencyKey: string;
}

/** An order that makes one task. */
export type TaskOrder = Order & { readonly kind: Exclude<Order['kind'], 'batch'> };

/**
 * An order, or another deed, in the browser's storage, where every tab sees it. It is written before it is sent,
 * so that nothing can lose its Idempotency-Key.
 */
export interface BookedOrder {
  readonly idempotencyKey: string;
  readonly kind: Order['kind'] | 'deed';
  /** What is done, of a deed that is no order; its body is the request. */
  readonly deed: Deed | null;
  readonly mode: KeyKind;
  /** The API key that sent it, by its last characters: only that key can find its task. */
  readonly keyEnd: string;
  /** The tab that placed it. */
  readonly tab: string;
  /** When it was placed, in milliseconds. */
  readonly at: number;
  /** What was ordered, for people. */
  readonly title: string;
  /** The price that was shown, in US dollars; empty for a deed that is no order. */
  readonly price: string;
  /** The exact body; null where it is not stored, and once there is an answer, because nothing is sent again then. */
  readonly body: Values | null;
  readonly state: 'sending' | 'unconfirmed' | 'placed' | 'refused';
  /** How often it was sent without an answer, and when it is sent again. */
  readonly attempts: number;
  readonly nextAt: number;
  readonly taskId: string | null;
  /** What a batch has become; null before its answer, and for other orders. */
  readonly batch: BookedBatch | null;
  /** Why it was refused. */
  readonly reason: string | null;
  /** When its task or batch ended, or when it was refused; null before. */
  readonly endedAt: number | null;
}

/** The state of a placed batch. */
interface BookedBatch {
  readonly batchId: string;
  readonly status: Batch['status'];
  readonly orders: number;
  /** How many of its orders have ended. */
  readonly ended: number;
  /** Its price, in US dollars; what was charged once it has ended. */
  readonly amount: string;
}

/** Tells whether the answer, or the end of the task, is still to come. */
export function isUnderWay({ endedAt }: Pick<BookedOrder, 'endedAt'>): boolean {
  return endedAt === null;
}

export function isUnanswered({ state }: Pick<BookedOrder, 'state'>): boolean {
  return state === 'sending' || state === 'unconfirmed';
}

/** Names the lock of the tab that sends an order. */
export function lockOf({ idempotencyKey }: Pick<BookedOrder, 'idempotencyKey'>): string {
  return `darkroom.order.${idempotencyKey}`;
}
