import type { Clock } from '@darkroom-service/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Session, Transaction } from '../database/database.ts';
import type { WorkKind } from '../database/work.ts';
import { GATES, NO_PLACE } from '../queue/gates.ts';
import type { OrderTimes } from '../record/order-times.ts';
import type { TaskRow } from '../record/task.ts';

/** The tasks that an order waits for. */
export interface AwaitedTasks {
  /** The tasks whose ends it waits for, of its own key and without repetition. */
  readonly parents: readonly string[];
  /** Finished tasks whose outputs it uses. */
  readonly used: readonly string[];
}

/**
 * Records which tasks orders wait for, and opens their gate `parent` (src/queue/gates.ts) by its own work. Methods run
 * within units of the core: they read and send statements, and wait for nothing but the database.
 */
export interface ParentGate {
  /**
   * Records that a new order waits, whose row the caller inserts. From then on, every end of an awaited task leads to a
   * check of the order.
   * @param wakeAfterCommit wakes the queue of a kind of work once the unit is on disk
   * @returns the latest time at which the last of its parents ends, in milliseconds since 1970 UTC
   * @throws ServiceError if the chain of waiting orders would be too long
   */
  enter(
    trx: Transaction,
    taskId: string,
    awaited: AwaitedTasks,
    wakeAfterCommit: (kind: WorkKind) => void,
  ): Promise<number>;
  /** Removes the record of an order's awaited tasks: it has ended, or its gate is open. */
  forget(trx: Transaction, taskId: string): void;
  /**
   * Condition on a row of `tasks` while an order waits for it or uses its outputs: the row's files are kept that long.
   */
  readonly isAwaited: RawBuilder<boolean>;
  /** Reads the tasks that have not succeeded yet, for each of these orders that waits, in the order of its request. */
  waitingFor(session: Session, taskIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * Reads the length of the chain of waiting orders that ends with this one; 0 if it waits for none. It never
   * increases.
   */
  depthOf(session: Session, taskId: string): Promise<number>;
  /** @throws ServiceError if a chain of waiting orders may not be so long */
  assertDepth(depth: number): void;
}

/** The part of the services that has the gate; null = no addition lets orders wait. */
interface HasParentGate {
  readonly parentGate: ParentGate | null;
}

interface CloseServices extends HasParentGate {
  readonly clock: Clock;
  readonly settings: Pick<OrderTimes, 'hardDeadlineMs'>;
  readonly wakeWork: (kind: WorkKind) => void;
}

/**
 * Lets a new order wait for its parents. Its own time begins when its gate opens, at the latest at their deadline.
 * `next_at` stays null, so no worker claims it.
 * @returns the columns of its row while it waits
 * @throws ServiceError if the chain of waiting orders would be too long
 */
export async function closeParentGate(
  services: CloseServices,
  trx: Transaction,
  taskId: string,
  awaited: AwaitedTasks,
): Promise<Pick<TaskRow, 'gates' | 'rank' | 'claimable' | 'next_at' | 'deadline_at'>> {
  const { clock, settings, wakeWork } = services;
  const endsBy = await parentGateOf(services).enter(trx, taskId, awaited, (kind) =>
    trx.afterCommit(() => wakeWork(kind)),
  );
  const deadline_at = Math.max(endsBy, clock.now()) + settings.hardDeadlineMs;
  return { gates: GATES.parent, rank: NO_PLACE, claimable: 0, next_at: null, deadline_at };
}

/**
 * Returns the gate for orders that were accepted although they must wait: without a gate they would have been refused.
 */
export function parentGateOf({ parentGate }: HasParentGate): ParentGate {
  if (parentGate === null) throw new Error('no addition lets orders wait for others');
  return parentGate;
}

/** Returns the condition on a row of `tasks` while an order waits for it or uses its outputs. */
export function isAwaited({ parentGate }: HasParentGate): RawBuilder<boolean> {
  return parentGate?.isAwaited ?? sql<boolean>`1 = 0`;
}
