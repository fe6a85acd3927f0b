import type { Checked, Simulate, TaskFailure } from '@darkroom-service/engines';

const SHORTEST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
const STUCK_PROGRESS = 50;

const FAILURES: Readonly<Record<Exclude<Simulate['outcome'], 'succeeded' | 'stuck'>, TaskFailure>> = {
  content_policy: {
    code: 'content_policy',
    message: 'simulated: the engine refuses this prompt by its content policy',
  },
  upstream_error: { code: 'upstream_error', message: 'simulated: the engine broke while it worked on this order' },
  timeout: { code: 'timeout', message: 'simulated: the engine did not finish in time' },
  outcome_unknown: {
    code: 'outcome_unknown',
    message: 'simulated: it cannot be known whether the engine took this order',
  },
  late: { code: 'timeout', message: 'simulated: the engine did not finish in time; its result arrives later' },
};

/**
 * Returns the status of an order that waits until `readyAt`, or for ever if stuck. Null once the wait is over.
 * @param waitedProgress the progress that is reached when the wait ends.
 */
export function waitAsSimulated(
  { startedAt, readyAt }: { readonly startedAt: number; readonly readyAt: number },
  simulate: Simulate | null,
  now: number,
  waitedProgress: number,
): Checked | null {
  const stuck = simulate?.outcome === 'stuck';
  const remaining = readyAt - now;
  if (!stuck && remaining <= 0) return null;
  const total = readyAt - startedAt;
  const part = total > 0 ? Math.min(1, Math.max(0, now - startedAt) / total) : 1;
  if (stuck) return { status: 'pending', progress: part * STUCK_PROGRESS, checkAfterMs: LONGEST_WAIT_MS };
  return {
    status: 'pending',
    progress: part * waitedProgress,
    checkAfterMs: Math.min(remaining, Math.max(SHORTEST_WAIT_MS, Math.min(LONGEST_WAIT_MS, total / 10))),
    estimatedSeconds: Math.ceil(remaining / 1000),
  };
}

/** Returns the failure that the order simulates; null if it is to succeed. */
export function simulatedFailure(simulate: Simulate | null): Extract<Checked, { status: 'failed' }> | null {
  if (simulate === null || simulate.outcome === 'succeeded' || simulate.outcome === 'stuck') return null;
  const failed = { status: 'failed', error: FAILURES[simulate.outcome] } as const;
  return simulate.outcome === 'late' ? { ...failed, lateResult: true } : failed;
}
