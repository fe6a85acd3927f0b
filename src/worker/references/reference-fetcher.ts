import { backOff } from '../../base/back-off.ts';
import { createTurns } from '../../base/turns.ts';
import { startWorkLoop } from '../../base/work-loop.ts';
import { databaseNow } from '../../database/database-now.ts';
import type { TaskRow } from '../../tasks/task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { claimFetches, nextKeyToFetch, postponeFetch, RENEW_FETCHES_EVERY_MS, renewFetches } from './claim-fetches.ts';
import { fetchReferences } from './fetch-references.ts';

/**
 * Fetches the references of waiting orders until it is stopped, so that no order holds an engine's slot while its
 * references are fetched.
 */
export interface ReferenceFetcher {
  /** Call when there may be references to fetch. */
  wake(): void;
  /** Aborts the download of a canceled order. */
  cancelRequested(taskId: string): void;
  /** Aborts the downloads. Another process, or this one after its next start, fetches them again. */
  stop(): Promise<void>;
}

interface FetcherLimits {
  /** The maximum number of simultaneous downloads in this process. */
  readonly downloads: number;
  /** The maximum number from one host. */
  readonly perHost: number;
}

interface Fetching {
  readonly task: TaskRow;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

const LOOK_EVERY_MS = 1000;
/** Claimed orders per simultaneous download: more than one, because some wait for a busy host. */
const HELD_PER_DOWNLOAD = 4;
const STOPPED = new Error('the service stops');

export function startReferenceFetcher(services: TaskServices, worker: string, limits: FetcherLimits): ReferenceFetcher {
  const { database, budgets, log } = services;
  const turns = { hosts: createTurns(limits.perHost), all: createTurns(limits.downloads) };
  const fetching = new Map<string, Fetching>();
  /** Keys take turns: the next round begins after the key that was served last. */
  let served = '';
  const loop = startWorkLoop({
    look: claimOnce,
    restMs: LOOK_EVERY_MS,
    onError: (error) => log.error({ err: error }, 'could not claim orders with references'),
  });
  const renewal = setInterval(() => void renew(), RENEW_FETCHES_EVERY_MS);
  renewal.unref();

  return {
    wake: () => loop.wake(),
    cancelRequested: (taskId) => fetching.get(taskId)?.controller.abort(new Error('the order was canceled')),
    async stop() {
      await loop.stop();
      for (const { controller } of fetching.values()) controller.abort(STOPPED);
      await Promise.all([...fetching.values()].map(({ done }) => done));
      clearInterval(renewal);
    },
  };

  /** @returns the pause before the next round, in ms */
  async function claimOnce(): Promise<number> {
    const most = limits.downloads * HELD_PER_DOWNLOAD;
    let wrapped = served === '';
    let after = served;
    let now: number | null = null;
    const seen = new Set<string>();
    while (fetching.size < most) {
      const next = await nextKeyToFetch(database.read, after);
      if (next === null || seen.has(next.key)) {
        if (wrapped || next !== null) break;
        wrapped = true;
        after = '';
        continue;
      }
      seen.add(next.key);
      after = next.key;
      now ??= await databaseNow(database.read);
      if (next.at === null || next.at > now) continue;
      if ((await claimOf(next.key, most - fetching.size)) > 0) served = next.key;
    }
    return LOOK_EVERY_MS;
  }

  async function claimOf(key: string, room: number): Promise<number> {
    const [share] = budgets.state(key, ['reference_fetches']);
    const limit = Math.min(room, share?.remaining ?? 0);
    if (limit <= 0) return 0;
    const claimed = await database.write('claim_fetches', (trx) => claimFetches(trx, { key, worker, limit }));
    for (const task of claimed) startFetchingFor(task);
    return claimed.length;
  }

  function startFetchingFor(task: TaskRow): void {
    const share = budgets.take(task.api_key_id, 'reference_fetches', 1);
    const controller = new AbortController();
    fetching.get(task.id)?.controller.abort(new Error('claimed anew'));
    const done = fetchFor(task, controller.signal).finally(() => {
      share.release();
      if (fetching.get(task.id) === entry) fetching.delete(task.id);
      loop.wake();
    });
    const entry: Fetching = { task, controller, done };
    fetching.set(task.id, entry);
  }

  /**
   * Fetches the references of an order. If something else than a reference fails, such as the storage, the order is
   * released and retried later.
   */
  async function fetchFor(task: TaskRow, signal: AbortSignal): Promise<void> {
    try {
      await fetchReferences(services, turns, task, signal);
    } catch (error) {
      const isStop = signal.aborted && signal.reason === STOPPED;
      if (signal.aborted && !isStop) return;
      if (!isStop) log.error({ err: error, task_id: task.id }, 'could not fetch references; retrying');
      // Not a fault of the reference: this does not count as an attempt.
      const afterMs = isStop ? 0 : backOff(3);
      const wish = { mediaJson: task.media_json ?? '[]', bytes: 0, attempts: task.attempts, afterMs };
      await database
        .write('fetch_released', (trx) => postponeFetch(trx, task, wish))
        .catch((fault: unknown) =>
          log.error(
            { err: fault, task_id: task.id },
            'could not release an order with references; its lease ends by itself',
          ),
        );
    }
  }

  async function renew(): Promise<void> {
    const held = [...fetching.values()];
    if (held.length === 0) return;
    try {
      const kept = await database.write('renew_fetches', (trx) =>
        renewFetches(
          trx,
          held.map(({ task }) => task),
        ),
      );
      for (const [at, { controller }] of held.entries())
        if (kept[at] === false)
          controller.abort(new Error('the order was canceled, has ended, or is fetched by another process'));
    } catch (error) {
      log.error({ err: error }, 'could not renew the leases of orders with references');
    }
  }
}
