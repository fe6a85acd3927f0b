import type { Engine } from '@darkroom-service/engines';
import type { LockState } from '@darkroom-service/store';
import { isWithoutTrace, type TaskRow } from '../../record/task.ts';

/** Another process that has claimed tasks, as this one sees it. */
interface OwnerState {
  readonly lock: LockState;
  /** Time for which this process has observed the silence without a gap. */
  readonly silentForMs: number;
  /** Time since its last heartbeat, by the database's clock. */
  readonly beatAgeMs: number;
}

export interface OwnershipTerms {
  readonly leaseMs: number;
  /** Time for which the heartbeats of this process have been confirmed without a gap. */
  readonly confirmedForMs: number;
}

/**
 * The decision about a task of another process: `keep` leaves it to its owner, `take over` continues from its step,
 * `unknown outcome` ends it (unless its engine can be asked), because the answer to a paid call of its owner may be
 * lost.
 */
type Verdict = 'keep' | 'take over' | 'unknown outcome';

/** The time that a process has after a call's timeout to store the result. */
const AFTER_TIMEOUT_MS = 60_000;

/** Tells whether another process can continue the task without the risk of paying twice. */
export function isResumable(task: Pick<TaskRow, 'step'>, engine: Pick<Engine, 'repeatable'>): boolean {
  return engine.repeatable === true || !isWithoutTrace(task);
}

/**
 * Decides about a task of another process. All tasks of an ended process (its lock is free) are taken over. A silent
 * one may return with a paid answer, so only its resumable tasks are, after a lease; a call that cannot be resumed is
 * left until it must have timed out. A process whose own heartbeats were not confirmed for a lease may be the
 * disconnected one, and takes nothing from silent processes.
 */
export function judgeOwnership(
  task: { readonly isResumable: boolean; readonly callTimeoutMs: number },
  owner: OwnerState,
  { leaseMs, confirmedForMs }: OwnershipTerms,
): Verdict {
  const isEnded = owner.lock === 'free';
  const isSilent = Math.min(owner.silentForMs, confirmedForMs) >= leaseMs;
  if (!isEnded && !isSilent) return 'keep';
  if (task.isResumable) return 'take over';
  const isTimedOut = owner.beatAgeMs >= task.callTimeoutMs + AFTER_TIMEOUT_MS;
  return isEnded || isTimedOut ? 'unknown outcome' : 'keep';
}
