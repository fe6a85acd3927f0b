/** Result of one check of a dependency. */
interface CheckOutcome {
  readonly ok: boolean;
  /** Time of the check by a clock that never jumps, in milliseconds. */
  readonly at: number;
  /** Time without an answer, in milliseconds; null = it answered. */
  readonly silentMs: number | null;
  /** Total time that this process itself has stood still, in milliseconds. Only its growth counts. */
  readonly stalledMs: number;
}

/** Failed checks within `FAILURES_WITHIN_MS` that make an outage. */
const FAILURES = 3;
const FAILURES_WITHIN_MS = 15_000;
const SILENT_MS = 10_000;
/** Maximum standstill that is subtracted: a dependency that hangs may make this process look busy for ever. */
const EXCUSED_AT_MOST_MS = 30_000;

/**
 * Distinguishes outages of a dependency from moments in which a busy machine had no time to ask: an outage begins after
 * three failed checks, or after ten seconds without an answer in which this process did not stand still itself.
 */
export function createOutageJudge(): (outcome: CheckOutcome) => 'began' | 'ended' | null {
  let isOut = false;
  let failures: number[] = [];
  let silence: { readonly since: number; readonly stalledMs: number } | null = null;
  return ({ ok, at, silentMs, stalledMs }) => {
    if (ok) {
      const wasOut = isOut;
      [isOut, failures, silence] = [false, [], null];
      return wasOut ? 'ended' : null;
    }
    if (silentMs === null) {
      silence = null;
      failures = [...failures.filter((failed) => at - failed <= FAILURES_WITHIN_MS), at];
    } else {
      silence ??= { since: at - silentMs, stalledMs };
    }
    const excusedMs = silence === null ? 0 : Math.min(stalledMs - silence.stalledMs, EXCUSED_AT_MOST_MS);
    const isSilent = silence !== null && at - silence.since - excusedMs >= SILENT_MS;
    if (isOut || !(isSilent || failures.length >= FAILURES)) return null;
    isOut = true;
    return 'began';
  };
}
