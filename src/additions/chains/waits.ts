import { ServiceError } from '@darkroom-service/contract';
import { type Argument, DeferUnit, requestWork } from '@darkroom-service/store';
import { sql } from 'kysely';
import {
  type Addition,
  databaseNow,
  type Follower,
  isClosed,
  lockTask,
  prepare,
  type Session,
  type TaskHooks,
  type TaskRow,
  type Transaction,
} from '../../kernel.ts';

/** Maximum length of a chain of blocked tasks. */
const MOST_DEPTH = 16;

const BIT = 8;

/** Makes a worker release the orders that wait for one that ends. They follow it from their placement on. */
export const CHILDREN: Follower = {
  name: 'children',
  bit: BIT,
  follows: () => false,
  ended(unit, { id }, { now }) {
    requestWork(unit, { kind: 'children', subject: id, owner: '', now });
    unit.wakeAfterCommit('children');
  },
};

const IS_AWAITED = sql<boolean>`exists (select 1 from task_waits where task_waits.parent_id = tasks.id)`;

export const CHAIN_HOOKS: TaskHooks = {
  needs: sql`(${IS_AWAITED} or exists (select 1 from work where work.kind = 'children' and work.subject = tasks.id))`,
  /** Makes the children of a task be examined again, also those that wait for another one: its outputs are gone. */
  async erased(trx, { id }, wakeAfterCommit) {
    if ((await trx.first(anyChild, { parent: id })) === undefined) return;
    trx.send(forgetMet, { parent: id });
    await releaseChildren(trx, id);
    wakeAfterCommit('children');
  },
};

const anyChild = prepare<{ parent: string }, { child_id: string }>('waits_any', (builder, argument) =>
  builder.selectFrom('task_waits').select('child_id').where('parent_id', '=', argument('parent')).limit(1),
);

/**
 * Marks the parent as not met, except for children that others are writing, which it must not wait for: such a child
 * ends, or is examined once more.
 */
const forgetMet = prepare<{ parent: string }, unknown>('waits_forget', (builder, argument) =>
  builder
    .with(
      (name) => name('free').materialized(),
      (inner) =>
        inner
          .selectFrom('task_waits')
          .select('child_id')
          .where('parent_id', '=', argument('parent'))
          .forUpdate()
          .skipLocked(),
    )
    .updateTable('task_waits')
    .set({ met: 0 })
    .where('parent_id', '=', argument('parent'))
    .where('child_id', 'in', (inner) => inner.selectFrom('free').select('child_id')),
);

type Parent = Pick<TaskRow, 'id' | 'step' | 'gates' | 'deadline_at' | 'followed'>;

const selectParent = (builder: Session['builder'], argument: Argument<{ id: string }>) =>
  builder
    .selectFrom('tasks')
    .select(['id', 'step', 'gates', 'deadline_at', 'followed'])
    .where('id', '=', argument('id'))
    .forKeyShare();

/**
 * Locks the parent: until this transaction ends, no worker can decide that the parent has no children left. The lock
 * does not wait for settlements and other writes of the parent, nor do they wait for it.
 */
const lockParent = prepare<{ id: string }, Parent>('waits_lock_parent', selectParent);

const lockFreeParent = prepare<{ id: string }, Parent>('waits_lock_free_parent', (builder, argument) =>
  selectParent(builder, argument).skipLocked(),
);

/** Marks the parent. Waits for a settlement in progress. */
const markParent = prepare<{ id: string }, Pick<Parent, 'step'>>('waits_mark_parent', (builder, argument) =>
  builder
    .updateTable('tasks')
    .set({ followed: sql<number>`followed | ${sql.lit(BIT)}` })
    .where('id', '=', argument('id'))
    .returning('step'),
);

const insertWait = prepare<
  { parent: string; child: string; met: 0 | 1; position: number | null; depth: number },
  unknown
>('waits_insert', (builder, argument) =>
  builder.insertInto('task_waits').values({
    parent_id: argument('parent'),
    child_id: argument('child'),
    met: argument('met'),
    position: argument('position'),
    depth: argument('depth'),
  }),
);

const deleteWaits = prepare<{ child: string }, unknown>('waits_delete', (builder, argument) =>
  builder.deleteFrom('task_waits').where('child_id', '=', argument('child')),
);

const selectDepth = prepare<{ child: string }, { depth: number }>('waits_depth', (builder, argument) =>
  builder.selectFrom('task_waits').select('depth').where('child_id', '=', argument('child')).limit(1),
);

/** Keeps in `task_waits` a row for each task that an order waits for, which that task then names as its follower. */
export const PARENT_GATE: NonNullable<Addition['parentGate']> = {
  isAwaited: IS_AWAITED,
  depthOf,
  assertDepth,
  forget(trx, childId) {
    trx.send(deleteWaits, { child: childId });
  },

  async enter(trx, childId, { parents: parentIds, used }, wakeAfterCommit) {
    const parents: Parent[] = [];
    // In the same order in every unit, which waits only while its group holds nothing, to avoid deadlocks.
    for (const id of parentIds.toSorted()) {
      const mayWait = trx.mayWait();
      const parent = await trx.first(mayWait ? lockParent : lockFreeParent, { id });
      if (parent === undefined && !mayWait) throw new DeferUnit(`another process writes ${id}`);
      if (parent === undefined) throw new Error(`the task ${id}, which ${childId} waits for, is not there`);
      const isMarked = (parent.followed & BIT) !== 0 || parent.step === 'final';
      if (!isMarked && !mayWait) await lockTask(trx, id);
      const step = isMarked ? parent.step : ((await trx.first(markParent, { id }))?.step ?? parent.step);
      parents.push({ ...parent, step });
    }
    let depth = 1;
    for (const parent of parents)
      if (isClosed(parent, 'parent')) depth = Math.max(depth, 1 + (await depthOf(trx, parent.id)));
    assertDepth(depth);
    for (const [position, parent] of parentIds.entries())
      trx.send(insertWait, { parent, child: childId, met: 0, position, depth });
    for (const parent of new Set(used))
      if (!parentIds.includes(parent)) trx.send(insertWait, { parent, child: childId, met: 1, position: null, depth });
    const ended = parents.filter(({ step }) => step === 'final');
    // No settlement will release it.
    for (const { id } of ended) await releaseChildren(trx, id);
    if (ended.length > 0) wakeAfterCommit('children');
    return Math.max(...parents.map(({ deadline_at }) => deadline_at));
  },

  async waitingFor(session, taskIds) {
    const { builder } = session;
    const rows = await session.all(
      builder
        .selectFrom('task_waits')
        .select(['child_id', 'parent_id', 'met', 'position'])
        .where('child_id', 'in', taskIds)
        .where('position', 'is not', null)
        .orderBy('position'),
    );
    return new Map([...Map.groupBy(rows, ({ child_id: id }) => id)].map(([id, waits]) => [id, unmetOf(waits)]));
  },
};

/**
 * Returns the ids of the parents that have not succeeded. Once one of them has succeeded, the others are ordered by
 * their ids.
 */
function unmetOf(waits: readonly { readonly parent_id: string; readonly met: number }[]): string[] {
  const unmet = waits.filter(({ met }) => met === 0).map(({ parent_id: id }) => id);
  return unmet.length === waits.length ? unmet : unmet.sort();
}

async function depthOf(session: Session, childId: string): Promise<number> {
  return (await session.first(selectDepth, { child: childId }))?.depth ?? 0;
}

function assertDepth(depth: number): void {
  if (depth <= MOST_DEPTH) return;
  throw new ServiceError(
    'invalid_request',
    `wait_for_parent: ${depth} orders would wait one behind the other; the maximum is ${MOST_DEPTH}. Retry when the first of them has started.`,
    { param: 'wait_for_parent' },
  );
}

/** Makes a worker release the children of an ended task. */
async function releaseChildren(trx: Transaction, parentId: string): Promise<void> {
  requestWork(trx, { kind: 'children', subject: parentId, owner: '', now: await databaseNow(trx) });
}
