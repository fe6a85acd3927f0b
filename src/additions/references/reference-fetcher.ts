import {
  type Claim,
  createTurns,
  endWork,
  isClosed,
  prepare,
  startWorkQueue,
  type TaskRow,
  type TaskServices,
  type WorkQueue,
} from '../../kernel.ts';
import { type FetchServices, fetchReferences } from './fetch-references.ts';

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
export function startReferenceFetcher(services: FetchServices & Pick<TaskServices, 'obstacles'>): WorkQueue {
  const { database, log, obstacles } = services;
  return startWorkQueue({
    database,
    log,
    kind: 'references',
    concurrency: DOWNLOADS * CLAIMED_PER_DOWNLOAD,
    concurrencyPerOwner: PER_KEY,
    // A missing reference would fail an order that the original of a held copy may have made.
    isSuspended: () => obstacles.copiedAt() !== null,
    perform: createFetch(services),
  });
}

/** Returns the function that fetches the references of a claimed order. */
export function createFetch(services: FetchServices): (claim: Claim, signal: AbortSignal) => Promise<void> {
  const { database } = services;
  const turns = { hosts: createTurns(PER_HOST), all: createTurns(DOWNLOADS) };
  return async (claim, signal) => {
    const task = await database.read.first(selectTask, { id: claim.subject });
    if (task !== undefined && isClosed(task, 'reference'))
      return await fetchReferences(services, turns, { claim, task }, signal);
    await database.write('fetch_forgotten', (trx) => endWork(trx, claim));
  };
}
