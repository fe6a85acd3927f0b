import { sql } from 'kysely';
import type { Session, Transaction } from '../../database/database.ts';
import { databaseNow } from '../../database/database-now.ts';
import { prepare } from '../../database/prepared.ts';
import type { TaskRow } from '../../tasks/task.ts';
import { type Waiting, waitingOf } from '../../tasks/task-json.ts';
import { updateUnlocked } from '../../tasks/update-unlocked.ts';
import type { ParentRow } from './resolve-child.ts';

/**
 * Ended tasks whose children are to be released. A second process that works on the same children does no harm, so the
 * lease is short.
 */
const LEASE_MS = 5_000;

const nextParent = prepare<object, { at: number | null }>('chain_next_parent', (builder) =>
  builder
    .selectFrom('tasks')
    .select((expression) => expression.fn.min<number | null>('children_at').as('at'))
    .where('step', '=', sql.lit('final'))
    .where('children_at', 'is not', null),
);

const claim = prepare<{ now: number; until: number; limit: number }, { id: string }>(
  'chain_claim_parents',
  (builder, argument) =>
    updateUnlocked(
      builder,
      builder
        .selectFrom('tasks')
        .select('id')
        .where('step', '=', sql.lit('final'))
        .where('children_at', '<=', argument('now'))
        .orderBy('children_at')
        .limit(sql<number>`${argument('limit')}`),
    )
      .set({ children_at: argument('until') })
      .returning('id'),
);

const setLook = prepare<{ id: string; at: number | null }, unknown>('chain_set_look', (builder, argument) =>
  builder
    .updateTable('tasks')
    .set({ children_at: argument('at') })
    .where('id', '=', argument('id'))
    .where('step', '=', 'final'),
);

/** A transaction that is entering a child holds the row. Its child is found at the next look. */
const lockParent = prepare<{ id: string }, { id: string }>('chain_lock_parent', (builder, argument) =>
  builder.selectFrom('tasks').select('id').where('id', '=', argument('id')).forUpdate().skipLocked(),
);

const unmetChildren = prepare<{ parent: string; after: string; limit: number }, { child_id: string }>(
  'chain_unmet_children',
  (builder, argument) =>
    builder
      .selectFrom('task_waits')
      .select('child_id')
      .where('parent_id', '=', argument('parent'))
      .where('met', '=', sql.lit(0))
      .where('child_id', '>', argument('after'))
      .orderBy('child_id')
      .limit(sql<number>`${argument('limit')}`),
);

const selectChild = prepare<{ id: string }, TaskRow>('chain_child', (builder, argument) =>
  builder.selectFrom('tasks').selectAll().where('id', '=', argument('id')),
);

const selectParents = prepare<{ child: string }, ParentRow>('chain_parents', (builder, argument) =>
  builder
    .selectFrom('task_waits')
    .innerJoin('tasks', 'tasks.id', 'task_waits.parent_id')
    .select(['tasks.id', 'status', 'step', 'outputs_json', 'input_json', 'request_json', 'erased_at', 'deleted_at'])
    .where('child_id', '=', argument('child')),
);

const setMet = prepare<{ parent: string; child: string }, unknown>('chain_met', (builder, argument) =>
  builder
    .updateTable('task_waits')
    .set({ met: 1 })
    .where('parent_id', '=', argument('parent'))
    .where('child_id', '=', argument('child')),
);

const unmetParents = prepare<{ child: string }, { parent_id: string }>('chain_unmet_parents', (builder, argument) =>
  builder
    .selectFrom('task_waits')
    .select('parent_id')
    .where('child_id', '=', argument('child'))
    .where('met', '=', sql.lit(0))
    .orderBy('parent_id'),
);

const showWaiting = prepare<{ child: string; waiting: string }, unknown>('chain_show_waiting', (builder, argument) =>
  builder
    .updateTable('tasks')
    .set((expression) => ({ waiting_json: argument('waiting'), revision: expression('revision', '+', 1) }))
    .where('id', '=', argument('child'))
    .where('step', '=', 'blocked'),
);

/** Returns when the next ended parent is due, in ms from now by the database's clock; null if there is none. */
export async function nextParentInMs(read: Session): Promise<number | null> {
  const at = (await read.first(nextParent, {}))?.at ?? null;
  if (at === null) return null;
  return at === 0 ? 0 : at - (await databaseNow(read));
}

/** Claims ended parents for a short time. @returns their ids */
export async function claimParents(trx: Transaction, limit: number): Promise<string[]> {
  const now = await databaseNow(trx);
  return (await trx.all(claim, { now, until: now + LEASE_MS, limit })).map(({ id }) => id);
}

/** Renews the claim on a parent. */
export async function renewParent(trx: Transaction, id: string): Promise<void> {
  trx.send(setLook, { id, at: (await databaseNow(trx)) + LEASE_MS });
}

/**
 * Ends the claim on a parent. While it has children that were not looked at, it is looked at again: at once, or after
 * the lease if some of them failed for reasons of our own.
 */
export async function endClaim(trx: Transaction, id: string, hadFaults: boolean): Promise<void> {
  const isOurs = (await trx.first(lockParent, { id })) !== undefined;
  // Read after the lock: a child that was entered before is seen.
  const left = isOurs ? await trx.first(unmetChildren, { parent: id, after: '', limit: 1 }) : undefined;
  if (!isOurs || (left !== undefined && hadFaults)) return await renewParent(trx, id);
  trx.send(setLook, { id, at: left === undefined ? null : 0 });
}

/** Returns the next children of a parent that were not looked at since it ended. */
export async function childrenOf(
  read: Session,
  page: { readonly parent: string; readonly after: string; readonly limit: number },
): Promise<string[]> {
  return (await read.all(unmetChildren, page)).map(({ child_id }) => child_id);
}

export async function readChild(
  read: Session,
  id: string,
): Promise<{ readonly child: TaskRow | undefined; readonly parents: readonly ParentRow[] }> {
  const [child, parents] = await Promise.all([read.first(selectChild, { id }), read.all(selectParents, { child: id })]);
  return { child, parents };
}

/** Notes that a parent has succeeded while the child waits for others, which its `waiting_for` then lists. */
export async function noteMet(trx: Transaction, parent: string, child: TaskRow): Promise<void> {
  // Parents that end at the same time write the same list.
  await trx.lock(`waits:${child.id}`);
  await trx.run(setMet, { parent, child: child.id });
  const left = await trx.all(unmetParents, { child: child.id });
  const waiting: Waiting = { depth: 1, ...waitingOf(child), for: left.map(({ parent_id }) => parent_id) };
  trx.send(showWaiting, { child: child.id, waiting: JSON.stringify(waiting) });
}
