import type { LockState } from '../../base/process-lock.ts';
import type { Engine } from '../../engines/engine.ts';
import type { TaskRow } from '../../tasks/task.ts';
import { isWithoutTrace } from '../without-trace.ts';

/** Another process that holds tasks, as this one sees it. */
export interface OwnerState {
  readonly lock: LockState;
  /** Seen silent by this process without a gap. */
  readonly silentForMs: number;
  /** Since its last heartbeat, by the database's clock. */
  readonly beatAgeMs: number;
}

export interface OwnershipTerms {
  readonly leaseMs: number;
  /** For how long the heartbeats of this process have been confirmed without a gap. */
  readonly confirmedForMs: number;
}

/**
 * What another process does with a task: `keep` leaves it to its owner, `take over` goes on from its step, `unknown outcome` ends it (unless
 * its engine can be asked), because a paid call of its owner may have been answered to nobody.
 */
export type Verdict = 'keep' | 'take over' | 'unknown outcome';

/** A call that has timed out leaves its process this long to write down what came of it. */
const AFTER_TIMEOUT_MS = 60_000;

/** Whether a task can be taken up again by another process without a risk of paying for it twice. */
export function isResumable(
  task: Pick<TaskRow, 'step' | 'operation_json'>,
  engine: Pick<Engine, 'repeatable'>,
): boolean {
  return engine.repeatable === true || !isWithoutTrace(task);
}

/**
 * Decides about a task of another process. A process that has ended (its lock is free) has no say. One that is silent may be paused or cut
 * off and come back with a paid answer: only what can be resumed changes hands after a lease. A call that cannot be resumed stays with its
 * owner until it must have timed out. A process whose own heartbeats were not confirmed for a whole lease takes nothing from the silent: the
 * silence may be its own.
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
