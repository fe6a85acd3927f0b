import type { Micros } from '@darkroom-service/contract';
import { isStatementFault } from '@darkroom-service/store';
import { recordAct } from '../accounts/audit.ts';
import { type GroupHooks, selectOpenGroups } from '../accounts/open-groups.ts';
import type { Log } from '../base/log.ts';
import type { Session, Transaction } from '../database/database.ts';
import type { WorkKind } from '../database/work.ts';
import type { StoredOutput, TaskRow } from '../record/task.ts';

/** The columns of an order or a batch that followers read. */
export const FOLLOWED_COLUMNS = ['webhook_url', 'deliver_json'] as const satisfies readonly (keyof TaskRow)[];

type FollowedFields = Pick<TaskRow, (typeof FOLLOWED_COLUMNS)[number]>;

/** An order or a batch, as its followers see it. */
export interface Followed extends Pick<TaskRow, 'id' | 'account_id' | 'api_key_id'>, FollowedFields {}

/**
 * Follows orders to their end. Each order names its followers in `tasks.followed`, and only those are called, so an
 * order without followers costs no statement. The methods run within the unit that writes the event, and run again with
 * it.
 */
export interface Follower {
  /** Name of the follower in the audit log. */
  readonly name: string;
  /**
   * The power of two that orders stored for this follower before each installation assigned the bits. Absent for all
   * newer ones.
   */
  readonly bit?: number;
  /**
   * Whether it follows such an order. Called when the order is placed, and when a batch ends.
   * @param order.input_json the request as answers show it, with the fields of additions; absent for a batch
   */
  readonly follows: (order: FollowedFields & { readonly input_json?: string }) => boolean;
  /**
   * Called when the order is being placed, and its row is written. Sends statements in that commit, and waits for
   * nothing. An order of a batch is placed when its row is inserted. If this throws, the order is not placed.
   */
  readonly placed?: (unit: Pick<FollowerUnit, 'send'>, order: Placed) => void;
  /**
   * Kind of work whose queue in this process is woken with the id of each order that begins, ends, or is released by
   * the orders that it waited for, once that is on disk. Events of other processes wake no queue here.
   */
  readonly wakes?: WorkKind;
  /**
   * Called when an order or a batch has ended, and its row says so. If this throws, its statements are left out of the
   * unit and the audit log informs the operator: an order always ends. The same applies if the database refuses its
   * statements, once the end is written again.
   */
  readonly ended?: (unit: FollowerUnit, subject: Followed, end: FollowedEnd) => void;
  /**
   * Called when the charge of a succeeded order, in micro-dollars, is given back. If this throws, it is not given back.
   */
  readonly refunded?: (
    unit: FollowerUnit,
    subject: Followed,
    refund: { readonly amount: Micros; readonly now: number },
  ) => void;
  /**
   * Called when the outputs of a succeeded order have been delivered to the customer's target, or some of them cannot
   * be. May be called again if the customer requests another delivery.
   */
  readonly delivered?: (
    unit: FollowerUnit,
    subject: Followed,
    delivery: { readonly isComplete: boolean; readonly now: number },
  ) => void;
  /**
   * Called when an addition notifies the customer of an event other than an order's: the webhooks' receiver gets `data`
   * as it is. `subject` names the order with which the event is stored and erased, and to whose receiver it is sent.
   */
  readonly told?: (unit: FollowerUnit, subject: Followed, event: AddedEvent) => void;
  /**
   * Drops what is still to be sent, because this installation is a copy: its original sends the outstanding events, and
   * those of all orders and batches placed until `since`. May read and wait for the database. Returns the number of
   * dropped items.
   */
  readonly dropped?: (trx: Transaction, since: number) => Promise<number>;
}

/** A follower with the bit that this installation has assigned to it: orders that name it have that bit. */
export type AssignedFollower = Follower & { readonly bit: number };

/** An order that is being placed, as its followers see it. */
export type Placed = Pick<
  TaskRow,
  'id' | 'account_id' | 'api_key_id' | 'end_user' | 'mode' | 'model_id' | 'input_json' | 'created_at'
>;

interface FollowedEnd {
  /** Type of the end, with its status. */
  readonly event:
    | `task.${'succeeded' | 'failed' | 'canceled'}`
    | `batch.${'succeeded' | 'failed' | 'canceled' | 'partial'}`;
  /** The outputs of a task that succeeded; empty for all others. */
  readonly outputs: readonly StoredOutput[];
  /** Charge in micro-dollars. */
  readonly charged: Micros;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** An event that an addition reports to a customer, and that is no end of an order. */
export interface AddedEvent {
  /**
   * Type of the event as customers see it, such as `brands.approved`: it begins with the name of the addition. Types
   * that begin with `task.` or `batch.` belong to orders and batches.
   */
  readonly type: `${string}.${string}`;
  readonly data: object;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** The unit of a follower: it sends statements and asks for work, and reads and waits for nothing. */
export interface FollowerUnit extends Pick<Transaction, 'send'> {
  readonly createId: (prefix: string) => string;
  /** Wakes the queue of a kind of work in this process, once the unit is on disk. */
  readonly wakeAfterCommit: (kind: WorkKind) => void;
}

/** The parts of the process that notify followers. */
export interface FollowerServices {
  /** The followers of all additions, in the order of their list. */
  readonly followers: readonly AssignedFollower[];
  readonly createId: (prefix: string) => string;
  /**
   * Wakes the queue of a kind of work, in this process or else in one other, perhaps about a subject, which only this
   * process gets; without a kind, all queues.
   */
  readonly wakeWork: (kind?: WorkKind, subject?: string) => void;
}

/** The parts of the process that notify followers of an end. */
export type EndServices = FollowerServices & { readonly log: Log };

/** Returns the id of a follower's outstanding work, or of an open order or batch with its wish; null = nothing. */
export async function findPendingDelivery(
  session: Session,
  hooks: readonly GroupHooks[],
  kind: WorkKind,
  column: keyof FollowedFields,
): Promise<string | null> {
  const { builder } = session;
  const found =
    (await session.first(builder.selectFrom('work').select('subject as id').where('kind', '=', kind).limit(1))) ??
    (await session.first(
      builder.selectFrom('tasks').select('id').where('step', '!=', 'final').where(column, 'is not', null).limit(1),
    )) ??
    (await session.first(selectOpenGroups(session, hooks).select('id').where(column, 'is not', null).limit(1)));
  return found?.id ?? null;
}

/** Returns the bits of the followers of such an order. */
export function followedBy(followers: readonly AssignedFollower[], order: Parameters<Follower['follows']>[0]): number {
  return followers.reduce((bits, { bit, follows }) => (follows(order) ? bits | bit : bits), 0);
}

/** Notifies the followers of an order that its row has been written. */
export function notifyPlaced(
  { followers }: Pick<FollowerServices, 'followers'>,
  trx: Transaction,
  order: Placed & Pick<TaskRow, 'followed'>,
): void {
  if (order.followed === 0) return;
  const send: FollowerUnit['send'] = (query, values) => trx.send(query, values);
  for (const { bit, placed } of followers) if ((order.followed & bit) !== 0) placed?.({ send }, order);
}

/** Wakes the queues of this process whose work depends on an order. To be called once its change is on disk. */
export function wakeFollowers(
  { followers, wakeWork }: Pick<FollowerServices, 'followers' | 'wakeWork'>,
  { id, followed }: Pick<TaskRow, 'id' | 'followed'>,
): void {
  if (followed === 0) return;
  for (const { bit, wakes } of followers) if (wakes !== undefined && (followed & bit) !== 0) wakeWork(wakes, id);
}

/** Notifies the followers of an order about the change that is being written. @param followed the bits of the order */
export function notifyFollowers(
  { followers, ...services }: FollowerServices,
  trx: Transaction,
  followed: number,
  notify: (follower: Follower, unit: FollowerUnit) => void,
): void {
  if (followed === 0) return;
  const unit = unitOf(services, trx);
  for (const follower of followers) if ((followed & follower.bit) !== 0) notify(follower, unit);
}

const MOST_REFUSALS = 10_000;

/**
 * Number of times that the database has refused an end to this process, and the error, by order or batch. Removed once
 * this process commits the end. Another process may commit it, so the oldest entry is dropped when there are too many;
 * its order would begin to count again.
 */
const refusals = new Map<string, { readonly times: number; readonly error: unknown }>();

/**
 * Notifies the followers of an order or a batch that it has ended. A follower that throws is left out: none of its
 * statements is written, and an act in the audit log says so. If the database refuses the unit, it does not say whose
 * statement it was: the next attempts leave out the first follower, then the second, at last all.
 */
export async function notifyEnded(
  { followers, log, ...services }: EndServices,
  trx: Transaction,
  { followed, ...subject }: Followed & { readonly followed: number },
  end: FollowedEnd,
): Promise<void> {
  if (followed === 0) return;
  const unit = unitOf(services, trx);
  const { id } = subject;
  const notified = followers.filter(({ bit, ended }) => (followed & bit) !== 0 && ended !== undefined);
  const { times: refused, error: refusal } = refusals.get(id) ?? { times: 0, error: null };
  if (refused > 0) trx.afterCommit(() => refusals.delete(id));
  trx.onFault((error) => {
    if (!isStatementFault(error)) return;
    refusals.delete(id);
    refusals.set(id, { times: refused + 1, error });
    const [oldest] = refusals.keys();
    if (refusals.size > MOST_REFUSALS && oldest !== undefined) refusals.delete(oldest);
  });
  for (const [place, { name, ended }] of notified.entries()) {
    const writes: (() => void)[] = [];
    const send: FollowerUnit['send'] = (query, values) => writes.push(() => unit.send(query, values));
    const wakeAfterCommit: FollowerUnit['wakeAfterCommit'] = (kind) => writes.push(() => unit.wakeAfterCommit(kind));
    try {
      if (refused === place + 1 || refused > notified.length) throw refusal;
      ended?.({ ...unit, send, wakeAfterCommit }, subject, end);
    } catch (error) {
      log.error({ err: error, follower: name, subject: id }, 'an order ended without one of its followers');
      const by = { actor: 'settlement', now: end.now, createId: services.createId };
      await recordAct(trx, by, { act: 'follower.left_out', target: id, detail: { name } });
      continue;
    }
    for (const write of writes) write();
  }
}

function unitOf(
  { createId, wakeWork }: Pick<FollowerServices, 'createId' | 'wakeWork'>,
  trx: Transaction,
): FollowerUnit {
  return {
    createId,
    send: (query, values) => trx.send(query, values),
    wakeAfterCommit: (kind) => trx.afterCommit(() => wakeWork(kind)),
  };
}
