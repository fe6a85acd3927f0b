import { nextTurn, ServiceError } from '@darkroom-service/contract';
import { type Claim, isClosed, type Kernel, type TaskRow, type Transaction, type WorkQueue } from '../../kernel.ts';
import { LostClaim } from '../../kernel-orders.ts';
import { childrenOf, endRelease, markParentDone, readChild } from './children.ts';
import type { Outlook } from './outlook.ts';
import { type ReleaseKernel, releaseTask } from './release-task.ts';
import { failureBy, resolveChild } from './resolve-child.ts';
import { PARENT_GATE } from './waits.ts';

const PARENTS_AT_ONCE = 16;
/** Children per portion: their writes share a commit, and other work runs after them. */
const PORTION = 20;
/** Lease of a parent, in milliseconds: short, because a second process that works on the same children does no harm. */
const LEASE_MS = 5_000;

type ReleaserKernel = ReleaseKernel & Pick<Kernel, 'log' | 'orders' | 'tasks' | 'work'>;

/**
 * Releases orders that waited for others, in portions, until it is stopped. The settlement of a parent does not do it,
 * so ten thousand children do not lengthen it, and a chain that fails ends one link after the other, without recursion
 * in a transaction.
 */
export function startReleaser(kernel: ReleaserKernel): WorkQueue {
  const { work } = kernel;
  return work.start({
    kind: 'children',
    concurrency: PARENTS_AT_ONCE,
    leaseMs: LEASE_MS,
    // The original of a held copy may have released and made them.
    isSuspended: () => work.copiedAt() !== null,
    perform: createRelease(kernel),
  });
}

/** Returns the function that releases the children of a parent that has ended. An abort ends it after its portion. */
export function createRelease(kernel: ReleaserKernel): (claim: Claim, signal: AbortSignal) => Promise<void> {
  const { gates, log, orders, store, tasks } = kernel;
  return releaseChildrenOf;

  async function releaseChildrenOf(claim: Claim, signal: AbortSignal): Promise<void> {
    const parent = claim.subject;
    let hadFaults = false;
    let after = '';
    for (;;) {
      const children = await childrenOf(store.read, { parent, after, limit: PORTION });
      hadFaults = !(await releasePortion(parent, children)) || hadFaults;
      if (signal.aborted || children.length < PORTION) break;
      after = children.at(-1) ?? after;
      await nextTurn();
    }
    await store.write('parent_done', (trx) => endRelease(kernel, trx, claim, hadFaults), { together: true });
  }

  /** @returns false if some must be examined again because something of our own failed */
  async function releasePortion(parent: string, children: readonly string[]): Promise<boolean> {
    const read = children.map((id) => ({ id, write: prepare(parent, id) }));
    // They are written in their order, all at once: a batch enqueues the first of those that were released.
    await Promise.allSettled(read.map(({ write }) => write));
    const done = await Promise.all(read.map(conclude));
    return !done.includes(false);
  }

  async function conclude({ id, write }: { id: string; write: Promise<() => Promise<void>> }): Promise<boolean> {
    try {
      await (await write)();
      return true;
    } catch (error) {
      // Somebody else released or canceled it.
      if (error instanceof LostClaim) return true;
      log.error({ err: error, task_id: id }, 'could not release an order that waits for others; retrying');
      return false;
    }
  }

  /** @returns the function that settles or releases the child */
  async function prepare(parent: string, id: string): Promise<() => Promise<void>> {
    const { child, parents } = await readChild(store.read, id);
    if (child === undefined || !isClosed(child, 'parent')) {
      // It no longer waits, and must not be examined again and again.
      return () => store.write('forget_child', (trx) => forget(kernel, trx, id, child), { together: true });
    }
    const failure = parents.map(failureBy).find((one) => one !== null);
    if (failure !== undefined) return () => follow(child, { failure });
    if (parents.some(({ step }) => step !== 'final')) {
      return async () => {
        await store.write('parent_met', (trx) => markParentDone(kernel, trx, parent, id), { together: true });
        tasks.events.changed(id);
      };
    }
    const outlook = await resolveChild(kernel, child, parents);
    return () =>
      follow(child, outlook).catch(async (error: unknown) => {
        if (!(error instanceof ServiceError && error.code === 'storage_limit_reached')) throw error;
        await follow(child, { failure: { code: 'invalid_input', message: error.message } });
      });
  }

  async function follow(child: TaskRow, outlook: Outlook): Promise<void> {
    if (!('failure' in outlook)) return await releaseTask(kernel, child, outlook);
    const ending = { status: 'failed', failure: outlook.failure } as const;
    const settle = async (trx: Transaction) => {
      // Processes that release the children of several parents would lock them in different orders.
      await gates.lockSlots(trx, child.api_key_id);
      await orders.lock(trx, child.id);
      await orders.settle(trx, child, ending);
    };
    await store.write('settle_failed', settle, { together: true });
  }
}

async function forget(
  { orders }: Pick<Kernel, 'orders'>,
  trx: Transaction,
  id: string,
  child: TaskRow | undefined,
): Promise<void> {
  if (child !== undefined) await orders.lock(trx, id);
  PARENT_GATE.forget(trx, id);
}
