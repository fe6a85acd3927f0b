import { Worker } from 'node:worker_threads';
import { world } from '@darkroom-service/contract';
import { type HeartbeatReport, monotonicMs, RUNNING_AT, type ThreadSettings } from './heartbeat-report.ts';
import { createRunningRequest, RUNNING_BYTES, type RunningRequest } from './running-request.ts';

/** Writes this process's heartbeats from a separate thread, and ends the process when its event loop is blocked. */
export interface Heartbeat {
  /** Milliseconds since the last confirmed heartbeat; infinite before the first. */
  ageMs(): number;
  /** Calls back with the last report and every later one. @returns a function that unsubscribes. */
  onReport(listener: (report: HeartbeatReport) => void): () => void;
  /**
   * Allows the event loop to be blocked for the duration of a call that cannot be resumed, until cancelled. @returns a
   * function that cancels it.
   */
  expectCall(timeoutMs: number): () => void;
  /** Publishes facts that only this process knows, as JSON, with the next heartbeat and every later one. */
  publish(facts: string): void;
  /** The running request or tasks, named in the report if the event loop stands still. */
  readonly running: RunningRequest;
  stop(): Promise<void>;
}

const TURN_EVERY_MS = 500;
const RESTART_AFTER_MS = 1_000;
const STOPS_WITHIN_MS = 2_000;
const MEMORY = { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 2, codeRangeSizeMb: 8, stackSizeMb: 1 };

/**
 * Starts the heartbeat of this process in a thread of its own.
 * @param onFault called when the thread fails; it is restarted.
 */
export function startHeartbeat(settings: Omit<ThreadSettings, 'shared'>, onFault: (error: unknown) => void): Heartbeat {
  const shared = new SharedArrayBuffer(RUNNING_AT + RUNNING_BYTES);
  const turns = new Int32Array(shared, 0, 1);
  const openCall = new Int32Array(shared, 4, 1);
  const listeners = new Set<(report: HeartbeatReport) => void>();
  const calls = new Set<{ readonly timeoutMs: number }>();
  let last: HeartbeatReport | null = null;
  let confirmedAtMs = Number.NEGATIVE_INFINITY;
  let stopping = false;
  let facts: string | null = null;
  let restart: NodeJS.Timeout | undefined;
  let thread = startThread();
  const turning = world.setInterval(() => Atomics.add(turns, 0, 1), TURN_EVERY_MS);
  turning.unref();

  function startThread(): Worker {
    const worker = new Worker(new URL('./heartbeat-thread.ts', import.meta.url), {
      name: 'heartbeat',
      workerData: { ...settings, shared } satisfies ThreadSettings,
      resourceLimits: MEMORY,
    });
    worker.unref();
    worker.on('message', (report: HeartbeatReport) => {
      last = report;
      if (report.kind === 'confirmed') confirmedAtMs = report.atMs;
      for (const listener of [...listeners]) listener(report);
    });
    worker.on('error', onFault);
    if (facts !== null) worker.postMessage({ facts });
    worker.on('exit', () => {
      if (stopping) return;
      restart = world.setTimeout(() => {
        thread = startThread();
      }, RESTART_AFTER_MS);
      restart.unref();
    });
    return worker;
  }

  const recordCalls = () => Atomics.store(openCall, 0, Math.max(0, ...[...calls].map(({ timeoutMs }) => timeoutMs)));
  return {
    running: createRunningRequest(shared, RUNNING_AT),
    ageMs: () => monotonicMs() - confirmedAtMs,
    onReport(listener) {
      listeners.add(listener);
      if (last !== null) listener(last);
      return () => void listeners.delete(listener);
    },
    expectCall(timeoutMs) {
      const call = { timeoutMs };
      calls.add(call);
      recordCalls();
      return () => {
        if (calls.delete(call)) recordCalls();
      };
    },
    publish(told) {
      facts = told;
      thread.postMessage({ facts });
    },
    async stop() {
      if (stopping) return;
      stopping = true;
      world.clearTimeout(restart);
      world.clearInterval(turning);
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      thread.postMessage('stop');
      const late = world.setTimeout(() => void thread.terminate(), STOPS_WITHIN_MS);
      if (thread.threadId !== -1) await ended;
      world.clearTimeout(late);
    },
  };
}
