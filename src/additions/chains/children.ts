import { releaseWork, renewWork } from '@darkroom-service/store';
import { sql } from 'kysely';
import {
  type Claim,
  isClosedIn,
  type Kernel,
  prepare,
  type Session,
  type TaskRow,
  type Transaction,
} from '../../kernel.ts';
import type { ParentRow } from './resolve-child.ts';

/** Pause after which a transaction that was inserting a child has ended. */
const LOOK_AGAIN_MS = 200;

/**
 * Locks the parent's row. A transaction that is inserting a child holds it, and its child is found at the next look.
 */
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

const showWaiting = prepare<{ child: string }, unknown>('chain_show_waiting', (builder, argument) =>
  builder
    .updateTable('tasks')
    .set((expression) => ({ revision: expression('revision', '+', 1) }))
    .where('id', '=', argument('child'))
    .where(isClosedIn('parent')),
);

/** Ends the work in one statement, since other units of the group may insert a child between two. */
const endUnlessAwaited = prepare<Pick<Claim, 'subject' | 'fence'>, unknown>('chain_end_parent', (builder, argument) =>
  builder
    .deleteFrom('work')
    .where('kind', '=', 'children')
    .where('subject', '=', argument('subject'))
    .where('fence', '=', argument('fence'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('task_waits').select('child_id').whereRef('parent_id', '=', 'work.subject').where('met', '=', 0),
        ),
      ),
    ),
);

/**
 * Ends the claim on a parent. While it has children that were not examined, it is claimed again: at once, or after a
 * pause if some of them failed for reasons of our own.
 */
export async function endRelease(
  { work }: Pick<Kernel, 'work'>,
  trx: Transaction,
  claim: Claim,
  hadFaults: boolean,
): Promise<void> {
  // First, so that the transaction that requested this work is waited for, and its child is seen.
  if (!(await renewWork(trx, claim, 0))) return;
  const { subject, fence } = claim;
  const isFree = (await trx.first(lockParent, { id: subject })) !== undefined;
  if (isFree && (await trx.run(endUnlessAwaited, { subject, fence })) > 0) return;
  const inMs = hadFaults ? work.pause(3) : isFree ? 0 : LOOK_AGAIN_MS;
  await releaseWork(trx, claim, { inMs });
}

/** Returns the next children of a parent that were not examined since it ended. */
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

/**
 * Records that a parent has succeeded while the child waits for others, which its `waiting_for` then lists. A
 * transaction that ends or releases the child has its row locked, and deletes its awaited tasks.
 */
export async function markParentDone(
  { orders }: Pick<Kernel, 'orders'>,
  trx: Transaction,
  parent: string,
  child: string,
): Promise<void> {
  await orders.lock(trx, child);
  trx.send(setMet, { parent, child });
  trx.send(showWaiting, { child });
}
