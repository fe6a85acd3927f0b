import { ServiceError } from '@darkroom-service/contract/errors';
import { sql } from 'kysely';
import type { Session, Transaction } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import { prepare } from '../database/prepared.ts';
import { askForWork } from '../database/work.ts';
import type { Follower } from './follower.ts';
import { isClosed } from './gates.ts';
import type { TaskRow } from './task.ts';
import { type Waiting, waitingOf } from './task-json.ts';

/**
 * Orders that wait for other orders. A blocked task has one row in `task_waits` for each parent, and follows it: the
 * settlement of such a parent enters the work of releasing its children (src/worker/chains).
 */

/** The maximum number of blocked tasks that wait one behind the other. */
const MOST_DEPTH = 16;

type Parent = Pick<TaskRow, 'id' | 'step' | 'gates' | 'waiting_json' | 'deadline_at' | 'followed'>;

/**
 * Until this transaction ends, no worker can decide that the parent has no children left. The lock does not wait for
 * settlements and other writes of the parent, nor do they wait for it.
 */
const lockParent = prepare<{ id: string }, Parent>('waits_lock_parent', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(['id', 'step', 'gates', 'waiting_json', 'deadline_at', 'followed'])
    .where('id', '=', argument('id'))
    .forKeyShare(),
);

const BIT = 8;

/** Waits for a settlement that is under way. */
const markParent = prepare<{ id: string }, Pick<Parent, 'step'>>('waits_mark_parent', (builder, argument) =>
  builder
    .updateTable('tasks')
    .set({ followed: sql<number>`followed | ${sql.lit(BIT)}` })
    .where('id', '=', argument('id'))
    .returning('step'),
);

/** Lets a worker release the orders that wait for one that ends. They follow it from their placing on. */
export const CHILDREN: Follower = {
  name: 'children',
  bit: BIT,
  follows: () => false,
  ended(unit, { id }, { now }) {
    askForWork(unit, { kind: 'children', subject: id, owner: '', now });
    unit.wakeAfterCommit('children');
  },
};

const insertWait = prepare<{ parent: string; child: string; met: 0 | 1 }, unknown>(
  'waits_insert',
  (builder, argument) =>
    builder
      .insertInto('task_waits')
      .values({ parent_id: argument('parent'), child_id: argument('child'), met: argument('met') }),
);

const deleteWaits = prepare<{ child: string }, unknown>('waits_delete', (builder, argument) =>
  builder.deleteFrom('task_waits').where('child_id', '=', argument('child')),
);

interface Blocked {
  readonly waiting: Waiting;
  /** When the last parent is final at the latest. */
  readonly parentsDeadlineAt: number;
  /** Whether a parent is final already, so that no settlement will wake those who release. */
  readonly hasEndedParent: boolean;
}

/**
 * Enters that a new task waits for its parents, final or not: whatever becomes of them from now on, the child is looked
 * at after it.
 * @param parentIds tasks of the same key, without repetition
 * @param usedIds finished tasks whose outputs it uses: they are kept until it is released
 * @throws ServiceError if too many tasks would wait one behind the other
 */
export async function waitForParents(
  trx: Transaction,
  childId: string,
  parentIds: readonly string[],
  usedIds: readonly string[],
): Promise<Blocked> {
  const parents: Parent[] = [];
  // In the same order in every transaction, to avoid deadlocks.
  for (const id of parentIds.toSorted()) {
    const parent = await trx.first(lockParent, { id });
    if (parent === undefined) throw new Error(`the task ${id}, which ${childId} waits for, is not there`);
    const isMarked = (parent.followed & BIT) !== 0 || parent.step === 'final';
    const step = isMarked ? parent.step : ((await trx.first(markParent, { id }))?.step ?? parent.step);
    parents.push({ ...parent, step });
    trx.send(insertWait, { parent: id, child: childId, met: 0 });
    if (step === 'final') await releaseChildren(trx, id);
  }
  for (const id of new Set(usedIds))
    if (!parentIds.includes(id)) trx.send(insertWait, { parent: id, child: childId, met: 1 });
  const depth = 1 + Math.max(...parents.map(depthOf));
  assertDepth(depth);
  return {
    waiting: { for: parentIds, depth },
    parentsDeadlineAt: Math.max(...parents.map(({ deadline_at }) => deadline_at)),
    hasEndedParent: parents.some(({ step }) => step === 'final'),
  };
}

const selectParent = prepare<{ id: string }, Pick<TaskRow, 'gates' | 'waiting_json'>>(
  'waits_parent',
  (builder, argument) => builder.selectFrom('tasks').select(['gates', 'waiting_json']).where('id', '=', argument('id')),
);

/** Returns how many blocked tasks wait one behind the other up to this one. It never increases. */
export async function readDepth(session: Session, id: string): Promise<number> {
  const row = await session.first(selectParent, { id });
  return row === undefined ? 0 : depthOf(row);
}

function depthOf(row: Pick<TaskRow, 'gates' | 'waiting_json'>): number {
  return isClosed(row, 'parent') ? (waitingOf(row)?.depth ?? 0) : 0;
}

/**
 * Checks the length of a chain of waiting tasks.
 * @throws ServiceError if too many tasks would wait one behind the other
 */
export function assertDepth(depth: number): void {
  if (depth <= MOST_DEPTH) return;
  throw new ServiceError(
    'invalid_request',
    `wait_for_parent: ${depth} orders would wait one behind the other; the maximum is ${MOST_DEPTH}. Retry when the first of them has started.`,
    { param: 'wait_for_parent' },
  );
}

/** Deletes the waits of a task that is blocked no longer. */
export function endWaits(trx: Transaction, childId: string): void {
  trx.send(deleteWaits, { child: childId });
}

const anyChild = prepare<{ parent: string }, { child_id: string }>('waits_any', (builder, argument) =>
  builder.selectFrom('task_waits').select('child_id').where('parent_id', '=', argument('parent')).limit(1),
);

/** Tells whether any task waits for this one, perhaps besides others. */
export async function isAwaited(trx: Transaction, parentId: string): Promise<boolean> {
  return (await trx.first(anyChild, { parent: parentId })) !== undefined;
}

const forget = prepare<{ parent: string }, unknown>('waits_forget', (builder, argument) =>
  builder.updateTable('task_waits').set({ met: 0 }).where('parent_id', '=', argument('parent')),
);

/**
 * Lets the children of an ended task be looked at again, also those that wait for another one: its outputs are gone.
 */
export async function lookAgainAtChildren(trx: Transaction, parentId: string): Promise<void> {
  trx.send(forget, { parent: parentId });
  await releaseChildren(trx, parentId);
}

/** Lets a worker release the children of an ended task. */
export async function releaseChildren(trx: Transaction, parentId: string): Promise<void> {
  askForWork(trx, { kind: 'children', subject: parentId, owner: '', now: await databaseNow(trx) });
}
