import { endWork } from '@darkroom-service/store';
import { type Claim, isClosed, prepare, type TaskRow, type WorkQueue } from '../../kernel.ts';
import { type FetchKernel, fetchReferences } from './fetch-references.ts';

/** Concurrent downloads in this process, of these from one host, and orders of one key. */
const DOWNLOADS = 64;
const PER_HOST = 8;
const PER_KEY = 8;
/** Claimed orders per simultaneous download: more than one, because some wait for a busy host. */
const CLAIMED_PER_DOWNLOAD = 4;

const selectTask = prepare<{ id: string }, TaskRow>('fetch_task', (builder, argument) =>
  builder.selectFrom('tasks').selectAll().where('id', '=', argument('id')),
);

/**
 * Fetches the references of waiting orders until it is stopped, so that no order holds an engine's slot while its
 * references are fetched. A canceled order ends its download.
 */
export function startReferenceFetcher(kernel: FetchKernel): WorkQueue {
  const { work } = kernel;
  return work.start({
    kind: 'references',
    concurrency: DOWNLOADS * CLAIMED_PER_DOWNLOAD,
    concurrencyPerOwner: PER_KEY,
    // A missing reference would fail an order that the original of a held copy may have made.
    isSuspended: () => work.copiedAt() !== null,
    perform: createFetch(kernel),
  });
}

/** Returns the function that fetches the references of a claimed order. */
export function createFetch(kernel: FetchKernel): (claim: Claim, signal: AbortSignal) => Promise<void> {
  const { store, work } = kernel;
  const turns = { hosts: work.turns(PER_HOST), all: work.turns(DOWNLOADS) };
  return async (claim, signal) => {
    const task = await store.read.first(selectTask, { id: claim.subject });
    if (task !== undefined && isClosed(task, 'reference'))
      return await fetchReferences(kernel, turns, { claim, task }, signal);
    await store.write('fetch_forgotten', (trx) => endWork(trx, claim));
  };
}
