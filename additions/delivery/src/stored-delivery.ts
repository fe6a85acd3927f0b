import type { OutputDeliveryView } from '@darkroom-service/contract';
import { deliveryOf, prepare, type StoredOutput, type Transaction } from '@darkroom-service/darkroom/kernel';
import { restartWork } from '@darkroom-service/store';
import { sql } from 'kysely';

/** The target to which the outputs of a task are delivered. */
export type Target =
  /** A destination, with the template of names at the time of the order. */
  | { readonly destination: string; readonly path: string }
  /** Presigned URLs without their queries, and as sealed JSON with them. */
  | { readonly urls: readonly string[]; readonly sealed: string };

/** Time for which deliveries are tried, in milliseconds; their files are kept for an hour more. */
export const TRIED_FOR_MS = 24 * 3_600_000;
const FILES_KEPT_MS = TRIED_FOR_MS + 3_600_000;

/** Returns the stored form of an order's `deliver_to`, before any delivery. */
export function storedFor(to: Target): string {
  return JSON.stringify({ to, deliveries: [] });
}

export function targetOf(deliverJson: string | null): Target | null {
  return (deliveryOf({ deliver_json: deliverJson })?.to ?? null) as Target | null;
}

/** A task whose outputs are to be delivered. */
interface Deliverable {
  readonly id: string;
  readonly accountId: string;
  readonly completedAt: number;
  readonly outputs: readonly StoredOutput[];
}

const keepUntilDelivered = prepare<{ id: string; deliver: string; until: number }, unknown>(
  'delivery_begins',
  (builder, argument) =>
    builder
      .updateTable('tasks')
      .set((expression) => ({
        deliver_json: argument('deliver'),
        expires_at: sql<number>`case when expires_at < ${argument('until')} then ${argument('until')} else expires_at end`,
        revision: expression('revision', '+', 1),
      }))
      .where('id', '=', argument('id')),
);

/**
 * Inserts the deliveries of a task's outputs, in the unit that ends the task or that repeats them. The names of the
 * objects depend on the task only, so they are the same each time.
 */
export function beginDeliveries(trx: Pick<Transaction, 'send'>, task: Deliverable, to: Target, now: number): void {
  const deliveries = task.outputs.map((output, index) => plan(task, output, index, to));
  const deliver = JSON.stringify({ to, deliveries, since: now });
  trx.send(keepUntilDelivered, { id: task.id, deliver, until: now + FILES_KEPT_MS });
  restartWork(trx, { kind: 'delivery', subject: task.id, owner: task.accountId, now });
}

/**
 * Returns the name under which an object is stored: the client's URL drops segments `.`, which templates of older
 * versions have.
 */
export function nameInBucket(name: string): string {
  return new URL(name, 'https://bucket/').pathname.slice(1);
}

function plan({ id, completedAt }: Deliverable, output: StoredOutput, index: number, to: Target): OutputDeliveryView {
  const isNamed = 'destination' in to;
  const url = isNamed ? null : (to.urls[index] ?? null);
  const values: Readonly<Record<string, string>> = {
    date: new Date(completedAt).toISOString().slice(0, 10),
    task_id: id,
    n: String(index + 1),
    ext: output.key.slice(output.key.lastIndexOf('.') + 1),
  };
  const isPossible = isNamed || url !== null;
  return {
    output: index + 1,
    state: isPossible ? 'pending' : 'failed',
    destination: isNamed ? to.destination : null,
    key: isNamed ? nameInBucket(to.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')) : null,
    url,
    attempts: 0,
    reason: isPossible ? null : 'deliver_to has no URL for this output.',
    etag: null,
    delivered_at: null,
  };
}
