import { world } from '@darkroom-service/contract';
import { createTurns, type Turns } from '../../base/turns.ts';
import type { Database } from '../../database/database.ts';

/** Notifies followers of a task's changes: at once in this process, shortly after in others. */
export interface TaskEvents<End = unknown> {
  /** Notifies followers of a change. Call it after the commit. @param end ending of the task, if it has ended */
  changed(taskId: string, end?: End): void;
  /**
   * Follows a task until closed. Changes from now on are reported by `next`.
   * @param options.untilEnd leaves out changes that do not end the task
   */
  watch(taskId: string, options?: { readonly untilEnd: boolean }): TaskWatch<End>;
  /** Calls back after the change of any task, in any process. @returns a function that unsubscribes */
  onAny(listener: () => void): () => void;
  /** Turns, by key, in which woken watchers read their tasks. */
  readonly reads: Turns;
}

interface TaskWatch<End> {
  /**
   * Resolves when the task may have a revision other than the given one, which the caller has read since the last call;
   * also at the timeout and when the signal is aborted. The caller then reads the task again, unless the promise has
   * the end.
   */
  next(
    revision: number,
    options: { readonly timeoutMs?: number; readonly signal: AbortSignal },
  ): Promise<End | undefined>;
  close(): void;
}

type Relay = Pick<Database, 'announce' | 'listenTo' | 'onRemoteChange' | 'changeCounter' | 'kind' | 'read'>;

/** The maximum delay until a change by another process is seen if no announcement arrives. */
const POLL_MS = 1_000;
/** Tasks per query. Every query is padded to this number, so that few statements are prepared. */
const BATCH = 200;
/** Channels of one task: every change, and its end. Progress reaches those who follow it only. */
const changesOf = (taskId: string) => `task:${taskId}`;
const endOf = (taskId: string) => `end:${taskId}`;
/** Channel of the watchers of all tasks. */
const ANY = 'tasks';
const ANY_TASK = 'any-task';
/**
 * Concurrent reads per key. Hundreds of waiting requests are woken at once, and the database has few readers: without
 * the limit, the requests of other keys would queue behind all of them.
 */
const READS_AT_ONCE = 2;

interface Watch<End> {
  readonly taskId: string;
  readonly untilEnd: boolean;
  /** Ending of the task by this process. */
  end: End | undefined;
  /** The revision that the caller has read; null while it is reading. */
  revision: number | null;
  /** Whether the task changed while the caller was reading. */
  isStale: boolean;
  /** Whether a change by another process may have been missed since the caller began to read. */
  isUnsure: boolean;
  wake: (() => void) | null;
}

/**
 * Finds changes by other processes with one poll for all watches of this process. While nobody commits anything, a
 * watch costs nothing.
 */
export function createTaskEvents<End>(relay: Relay): TaskEvents<End> {
  const watches = new Map<string, Set<Watch<End>>>();
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | null = null;
  let polling = false;
  /** The database's change counter at the last poll; null = poll regardless of it. */
  let polledAt: number | null = null;

  const wakeAll = (taskId: string) => {
    for (const watch of watches.get(taskId) ?? []) wake(watch);
  };
  const tellAny = () => {
    for (const listener of listeners) listener();
  };
  relay.onRemoteChange((topics) => {
    for (const topic of topics) {
      if (topic === ANY_TASK) tellAny();
      else wakeAll(topic);
    }
  });
  /** Watches that began to listen to other processes, and must compare the revisions that they know. */
  const unsure = new Set<Watch<End>>();

  return {
    reads: createTurns(READS_AT_ONCE),
    changed(taskId, end) {
      for (const watch of watches.get(taskId) ?? []) {
        watch.end = end;
        if (!watch.untilEnd || end !== undefined) wake(watch);
      }
      tellAny();
      relay.announce(changesOf(taskId), [taskId]);
      if (end !== undefined) relay.announce(endOf(taskId), [taskId]);
      relay.announce(ANY, [ANY_TASK]);
    },
    onAny(listener) {
      listeners.add(listener);
      const endListening = relay.listenTo(ANY);
      return () => {
        listeners.delete(listener);
        endListening();
      };
    },
    watch(taskId, { untilEnd } = { untilEnd: false }) {
      const watch: Watch<End> = {
        taskId,
        untilEnd,
        end: undefined,
        revision: null,
        isStale: false,
        isUnsure: false,
        wake: null,
      };
      const ofTask = watches.get(taskId) ?? new Set();
      watches.set(taskId, ofTask.add(watch));
      timer ??= world.setInterval(() => void poll(), POLL_MS).unref();
      const endListening = relay.listenTo(untilEnd ? endOf(taskId) : changesOf(taskId), () => {
        watch.isUnsure = true;
        compareSoon(watch);
      });
      return {
        async next(revision, { timeoutMs, signal }) {
          if (watch.isStale || signal.aborted) {
            watch.isStale = false;
            return watch.end;
          }
          watch.revision = revision;
          if (watch.isUnsure) compareSoon(watch);
          // The task may have changed between the read and now, when no poll checked it.
          polledAt = null;
          await sleepUntil(watch, timeoutMs, signal);
          watch.revision = null;
          watch.isStale = false;
          return watch.end;
        },
        close() {
          endListening();
          unsure.delete(watch);
          watch.wake?.();
          ofTask.delete(watch);
          if (ofTask.size === 0 && watches.get(taskId) === ofTask) watches.delete(taskId);
          if (watches.size > 0 || timer === null) return;
          world.clearInterval(timer);
          timer = null;
          polledAt = null;
        },
      };
    },
  };

  async function poll(): Promise<void> {
    if (polling) return;
    polling = true;
    try {
      const counter = relay.changeCounter();
      // On PostgreSQL an announcement between processes may get lost.
      if (counter === polledAt && relay.kind === 'sqlite') return;
      polledAt = counter;
      const asleep = [...watches.values()].flatMap((ofTask) => [...ofTask]).filter((watch) => watch.revision !== null);
      for (let from = 0; from < asleep.length; from += BATCH) await wakeChanged(asleep.slice(from, from + BATCH));
    } catch {
      // The database cannot be reached: the next poll checks all watches.
      polledAt = null;
    } finally {
      polling = false;
    }
  }

  /** Compares the watch's revision once it waits, together with the other watches of this turn of the event loop. */
  function compareSoon(watch: Watch<End>): void {
    if (watch.revision === null) return;
    if (unsure.size === 0) world.setImmediate(() => void compareUnsure());
    unsure.add(watch);
  }

  async function compareUnsure(): Promise<void> {
    const asleep = [...unsure].filter((watch) => watch.revision !== null);
    unsure.clear();
    for (const watch of asleep) watch.isUnsure = false;
    try {
      for (let from = 0; from < asleep.length; from += BATCH) await wakeChanged(asleep.slice(from, from + BATCH));
    } catch {
      // The database cannot be reached: the next poll compares them.
    }
  }

  async function wakeChanged(asleep: readonly Watch<End>[]): Promise<void> {
    const ids = asleep.map(({ taskId }) => taskId);
    const padded = [...ids, ...Array<string>(BATCH - ids.length).fill(ids[0]!)];
    const { read } = relay;
    const rows = await read.all(read.builder.selectFrom('tasks').select(['id', 'revision']).where('id', 'in', padded));
    const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
    for (const watch of asleep) {
      if (watch.revision !== null && revisions.get(watch.taskId) !== watch.revision) wake(watch);
    }
  }
}

function wake(watch: Watch<unknown>): void {
  if (watch.wake === null) watch.isStale = true;
  else watch.wake();
}

function sleepUntil(watch: Watch<unknown>, timeoutMs: number | undefined, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = timeoutMs === undefined ? undefined : world.setTimeout(end, timeoutMs);
    signal.addEventListener('abort', end, { once: true });
    watch.wake = end;
    function end() {
      world.clearTimeout(timer);
      signal.removeEventListener('abort', end);
      watch.wake = null;
      resolve();
    }
  });
}
