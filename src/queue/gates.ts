import { sql } from 'kysely';
import { isUnfetched, type TaskMedia, type TaskRow } from '../record/task.ts';

/**
 * The kinds of gates: each is a bit of `tasks.gates` and keeps an order from being claimed while it is closed. The
 * tables of the feature that closes a gate say what the order waits for. The feature that opens it locks the slots of
 * the key first, then changes the row in one statement (open-gates.ts), which may be repeated after an unknown commit.
 * The settlement of an order opens all of its gates. An order without gates costs no statement.
 *
 * Before `parent` and `batch` are open, the order has no place in the queue, and its time does not run:
 * - `parent`: it waits for other tasks (src/additions/chains), at their deadline at the latest.
 * - `batch`: its batch has not enqueued it (src/additions/batches). It opens after `parent`.
 *
 * The others only prevent the claim. The order has its place, and ends at its deadline:
 * - `reference`: its references are not stored yet (src/additions/references).
 * - `route`: its upstream model cannot be ordered now (src/worker/rerouting/release.ts). At `next_at` a worker checks
 *   whether it can, and opens the gate. The order has no slot of its key meanwhile.
 *
 * Additions may have gates of this second kind, whose bits each installation assigns (src/service/assignments.ts).
 */
export const GATES = { parent: 1, batch: 2, reference: 4, route: 8 } as const;

const PLACE_GATES = GATES.parent | GATES.batch;

type Gate = keyof typeof GATES;

/**
 * A gate of an addition: an order that waits at it has its place in the queue and its deadline, and is not claimed
 * until the addition opens the gate.
 * @example { closes: ({ input_json }) => JSON.parse(input_json).stamp_text !== undefined }
 */
export interface AddedGate {
  /**
   * Whether an order waits at the gate. Called when the order is placed.
   * @param order.input_json the request as answers show it, with the fields of additions
   */
  readonly closes: (order: Pick<TaskRow, 'input_json'>) => boolean;
}

/** A gate with its addition, and the bit that this installation has assigned to it. */
export type AssignedGate = AddedGate & { readonly addition: string; readonly bit: number };

/** Tells whether a gate of an order is closed. */
export function isClosed({ gates }: Pick<TaskRow, 'gates'>, gate: Gate): boolean {
  return (gates & GATES[gate]) !== 0;
}

/** Tells whether a gate of an addition is closed for an order. */
export function isClosedByAddition({ gates }: Pick<TaskRow, 'gates'>): boolean {
  return (gates & ~Object.values(GATES).reduce((all, bit) => all | bit, 0)) !== 0;
}

/** Condition for orders whose gate of this kind is closed. */
export const isClosedIn = (gate: Gate) => sql<boolean>`(gates & ${sql.lit(GATES[gate])}) <> 0`;

/** Tells whether an order has its place in the queue, claimable or not. */
export const hasPlace = ({ gates }: Pick<TaskRow, 'gates'>) => (gates & PLACE_GATES) === 0;

/** Value of `rank` of a queued order without a place: the queue's indexes skip all such orders. */
export const NO_PLACE = -1;

/** Condition for queued orders with a place in the queue, claimable or not, as indexes have it. */
export const IN_QUEUE = sql<boolean>`rank >= 0`;

/**
 * Condition for orders that only their batch holds back. It lists the other values: PostgreSQL assumes that an equality
 * of an expression is rare, and would read all orders of a large batch and sort them to find the next few.
 */
export const HELD_BY_BATCH = sql<boolean>`(gates & ${sql.lit(PLACE_GATES)}) not in (0, ${sql.lit(GATES.parent)}, ${sql.lit(PLACE_GATES)})`;

/** The value of `gates` once a gate is open. */
export const withoutGate = (gate: Gate) => sql<number>`gates & ${sql.lit(~GATES[gate])}`;

/** Returns the gates that media close: media are fetched before their order is submitted. */
export function gatesOfMedia(media: readonly TaskMedia[]): number {
  return media.some(isUnfetched) ? GATES.reference : 0;
}
