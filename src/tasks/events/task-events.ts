import { world } from '@darkroom-service/contract';
import { createTurns } from '../../base/turns.ts';
import type { Database } from '../../database/database.ts';
import { TaskWatch } from './task-watch.ts';

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

/**
 * Notifies followers of a task's changes: at once in this process, shortly after in others. One poll finds the changes
 * by other processes for all watches (`#poll`). While nobody commits anything, a watch costs nothing.
 */
export class TaskEvents<End = unknown> {
  /** Turns, by key, in which woken watchers read their tasks. */
  readonly reads = createTurns(READS_AT_ONCE);
  readonly #relay: Relay;
  /** By the task's id. */
  readonly #watches = new Map<string, Set<TaskWatch<End>>>();
  /** Watches that began to listen to other processes, and must compare the revisions that they know. */
  readonly #unsure = new Set<TaskWatch<End>>();
  readonly #listeners = new Set<() => void>();

  #timer: NodeJS.Timeout | null = null;
  #isPolling = false;
  /** The database's change counter at the last poll; null = poll regardless of it. */
  #polledAt: number | null = null;

  constructor(relay: Relay) {
    this.#relay = relay;
    relay.onRemoteChange((topics) => {
      for (const topic of topics) {
        if (topic === ANY_TASK) this.#notifyListeners();
        else for (const watch of this.#watches.get(topic) ?? []) watch.wake();
      }
    });
  }

  /** Notifies followers of a change. Call it after the commit. @param end ending of the task, if it has ended */
  changed(taskId: string, end?: End): void {
    for (const watch of this.#watches.get(taskId) ?? []) watch.changed(end);
    this.#notifyListeners();
    this.#relay.announce(changesOf(taskId), [taskId]);
    if (end !== undefined) this.#relay.announce(endOf(taskId), [taskId]);
    this.#relay.announce(ANY, [ANY_TASK]);
  }

  /** Calls back after the change of any task, in any process. @returns a function that unsubscribes */
  onAny(listener: () => void): () => void {
    this.#listeners.add(listener);
    const endListening = this.#relay.listenTo(ANY);
    return () => {
      this.#listeners.delete(listener);
      endListening();
    };
  }

  /**
   * Follows a task until closed. Changes from now on are reported by `next`.
   * @param options.untilEnd leaves out changes that do not end the task
   */
  watch(taskId: string, { untilEnd } = { untilEnd: false }): Pick<TaskWatch<End>, 'next' | 'close'> {
    const watch = new TaskWatch<End>({
      taskId,
      untilEnd,
      onWait: () => {
        if (watch.isUnsure) this.#compareSoon(watch);
        // The task may have changed between the read and now, when no poll checked it.
        this.#polledAt = null;
      },
      onClose: () => {
        endListening();
        this.#remove(watch);
      },
    });
    this.#watches.set(taskId, (this.#watches.get(taskId) ?? new Set()).add(watch));
    this.#timer ??= world.setInterval(() => void this.#poll(), POLL_MS).unref();
    const endListening = this.#relay.listenTo(untilEnd ? endOf(taskId) : changesOf(taskId), () => {
      watch.isUnsure = true;
      this.#compareSoon(watch);
    });
    return watch;
  }

  #remove(watch: TaskWatch<End>): void {
    this.#unsure.delete(watch);
    const ofTask = this.#watches.get(watch.taskId);
    ofTask?.delete(watch);
    if (ofTask?.size === 0) this.#watches.delete(watch.taskId);
    if (this.#watches.size > 0 || this.#timer === null) return;
    world.clearInterval(this.#timer);
    this.#timer = null;
    this.#polledAt = null;
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener();
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      const counter = this.#relay.changeCounter();
      // On PostgreSQL an announcement between processes may get lost.
      if (counter === this.#polledAt && this.#relay.kind === 'sqlite') return;
      this.#polledAt = counter;
      await this.#wakeChanged([...this.#watches.values()].flatMap((ofTask) => [...ofTask]));
    } catch {
      // The database cannot be reached: the next poll checks all watches.
      this.#polledAt = null;
    } finally {
      this.#isPolling = false;
    }
  }

  /** Compares the watch's revision once it waits, together with the other watches of this turn of the event loop. */
  #compareSoon(watch: TaskWatch<End>): void {
    if (!watch.isWaiting) return;
    if (this.#unsure.size === 0) world.setImmediate(() => void this.#compareUnsure());
    this.#unsure.add(watch);
  }

  async #compareUnsure(): Promise<void> {
    const waiting = [...this.#unsure].filter((watch) => watch.isWaiting);
    this.#unsure.clear();
    for (const watch of waiting) watch.isUnsure = false;
    try {
      await this.#wakeChanged(waiting);
    } catch {
      // The database cannot be reached: the next poll compares them.
    }
  }

  /** Wakes the waiting ones of these watches whose task has another revision. */
  async #wakeChanged(watches: readonly TaskWatch<End>[]): Promise<void> {
    const { read } = this.#relay;
    const waiting = watches.filter((watch) => watch.isWaiting);
    for (let from = 0; from < waiting.length; from += BATCH) {
      const batch = waiting.slice(from, from + BATCH);
      const ids = batch.map(({ taskId }) => taskId);
      const padded = [...ids, ...Array<string>(BATCH - ids.length).fill(ids[0]!)];
      const rows = await read.all(
        read.builder.selectFrom('tasks').select(['id', 'revision']).where('id', 'in', padded),
      );
      const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
      for (const watch of batch) watch.compare(revisions.get(watch.taskId));
    }
  }
}
