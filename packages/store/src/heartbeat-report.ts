import type { HeartbeatDatabase, ProcessRecord } from './heartbeat-store.ts';
import type { LockState } from './process-lock.ts';

export interface HeartbeatTempo {
  readonly beatEveryMs: number;
  /** Milliseconds without a heartbeat after which a process counts as silent. */
  readonly leaseMs: number;
  readonly watchEveryMs: number;
  /** Milliseconds that the event loop may be blocked before the process is ended. */
  readonly maxLoopBlockMs: number;
}

export const HEARTBEAT_TEMPO: HeartbeatTempo = {
  beatEveryMs: 3_000,
  leaseMs: 15_000,
  watchEveryMs: 1_000,
  maxLoopBlockMs: 120_000,
};

/** Offset in the shared memory at which the running request is recorded. */
export const RUNNING_AT = 8;

export interface ThreadSettings {
  readonly database: HeartbeatDatabase;
  readonly own: ProcessRecord;
  readonly tempo: HeartbeatTempo;
  /**
   * Two 32-bit integers: a counter of event loop iterations, and the longest timeout (ms) of the open calls that cannot
   * be resumed; then the running work, as `createRunningRequest` writes it.
   */
  readonly shared: SharedArrayBuffer;
}

/** A process that sent no heartbeat for the length of a lease, or has ended. */
export interface SilentProcess {
  readonly id: string;
  readonly host: string;
  /** The heartbeat counter in its row. */
  readonly beats: number;
  readonly lockPath: string;
  readonly lock: LockState;
  /** Milliseconds for which this process has observed the silence without interruption. */
  readonly silentForMs: number;
  /** Milliseconds since the last heartbeat, by the database's clock. */
  readonly beatAgeMs: number;
}

export type HeartbeatReport =
  | {
      readonly kind: 'confirmed';
      /** Time by `monotonicMs`. */
      readonly atMs: number;
      /** Milliseconds for which this process's heartbeats have been confirmed without interruption. */
      readonly confirmedForMs: number;
      readonly silent: readonly SilentProcess[];
    }
  | { readonly kind: 'failed'; readonly message: string };

/** Reads a clock that never jumps, is shared by all threads and continues while the process is paused. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
