import { world } from '@darkroom-service/contract';
import { backOff, pauseAfter } from '../../base/back-off.ts';
import { createTurns, type Turns } from '../../base/turns.ts';
import { startWorkLoop, type WorkLoop } from '../../base/work-loop.ts';
import type { WorkKind } from '../../database/work.ts';
import { startWorkQueue, type WorkQueue, type WorkQueueOptions } from '../../database/work-queue.ts';
import { erasedBefore } from '../../erasure/chore.ts';
import type { LocalQueue } from '../../tasks/events/runner-relay.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import type { Tracer } from '../../tasks/tracer.ts';
import type { AddedTempo } from '../added-tempo.ts';

/** Work that some process does once, and loops of one process. */
export interface Work {
  /**
   * Starts to do the due work of a kind in this process, and stops with it.
   * @example kernel.work.start({ kind: 'delivery', concurrency: 4, perform: async () => {} });
   */
  start(options: Omit<WorkQueueOptions, 'database' | 'log'>): WorkQueue;
  /**
   * Makes `wake` reach a queue that `start` has not made.
   * @example kernel.work.serve('delivery', { wake: () => {} });
   */
  serve(kind: WorkKind, queue: LocalQueue): void;
  /**
   * Wakes the queue of a kind of work, in this process or else in one other; left out = of all kinds. Call it after the
   * commit.
   * @example kernel.work.wake('delivery');
   */
  wake(kind?: WorkKind, subject?: string): void;
  /**
   * Tells the worker of this process that there may be orders to claim. Call it after the commit.
   * @example kernel.work.wakeRunner();
   */
  wakeRunner(): void;
  /**
   * Starts a loop of this process, and stops it with the process. `run` returns the rest until its next call, in ms.
   * @example kernel.work.loop({ run: async () => 60_000, restMs: 1_000, onError: () => {} });
   */
  loop(options: Parameters<typeof startWorkLoop>[0]): WorkLoop;
  /**
   * Returns the pause before the next attempt, in ms: 1 s, doubled for each attempt that failed up to `longestMs`, by
   * default a minute; or as `pausesMs` says, and null after the last of these.
   * @example const inMs = kernel.work.pause(claim.attempts);
   */
  pause(attempts: number, longestMs?: number): number;
  pause(attempts: number, pausesMs: readonly number[]): number | null;
  /**
   * Limits how much runs at once per name.
   * @example const end = await kernel.work.turns(8).take('example.com', signal);
   */
  turns(limit: number): Turns;
  /**
   * Tells whether nothing is sent because an operator holds the service.
   * @example if (kernel.work.isSuspended()) return;
   */
  isSuspended(): boolean;
  /**
   * Returns a time, in ms since 1970: the files and texts of all orders that were placed before it are erased.
   * @example const before = kernel.work.erasedBefore();
   */
  erasedBefore(): number;
  /**
   * Returns the time of the copy while this installation is a held copy, in ms since 1970: its original may have
   * continued every older order. Null = no copy, or released.
   * @example const isHeldCopy = kernel.work.copiedAt() !== null;
   */
  copiedAt(): number | null;
  /**
   * Times of work that tests shorten; undefined = the addition's own.
   * @example const everyMs = kernel.work.tempo.addedEveryMs ?? 5_000;
   */
  readonly tempo: AddedTempo;
  /**
   * Receives the parts of requests and orders, if an addition traces them.
   * @example const headers = kernel.work.tracer.headers();
   */
  readonly tracer: Tracer;
}

/**
 * Opens the work for additions.
 * @param parts.queues the queues of this process, by kind of work
 */
export function openWork(
  services: Pick<
    TaskServices,
    'clock' | 'database' | 'log' | 'obstacles' | 'settings' | 'tracer' | 'wakeRunner' | 'wakeWork'
  >,
  { queues, tempo }: { readonly queues: Pick<Map<WorkKind, LocalQueue>, 'set'>; readonly tempo: AddedTempo },
  closers: Pick<AsyncDisposableStack, 'defer'>,
): Work {
  const { database, log, obstacles } = services;
  return {
    start(options) {
      const queue = startWorkQueue({ ...options, database, log });
      queues.set(options.kind, queue);
      closers.defer(() => queue.stop());
      return queue;
    },
    serve(kind, queue) {
      queues.set(kind, queue);
    },
    wake: (kind, subject) => services.wakeWork(kind, subject),
    wakeRunner: () => services.wakeRunner(),
    loop(options) {
      const loop = startWorkLoop(options);
      closers.defer(() => loop.stop());
      return loop;
    },
    pause,
    turns: createTurns,
    isSuspended: () => obstacles.isSuspended(),
    erasedBefore: () => erasedBefore(services),
    copiedAt: () => obstacles.copiedAt(),
    tempo,
    tracer: services.tracer,
  };
}

function pause(attempts: number, longestMs?: number): number;
function pause(attempts: number, pausesMs: readonly number[]): number | null;
function pause(attempts: number, limit?: number | readonly number[]): number | null {
  return typeof limit === 'object' ? pauseAfter(attempts, limit) : backOff(attempts, world.random(), limit);
}
