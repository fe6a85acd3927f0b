import { type CheckResult, reasonOf, world } from '@darkroom-service/contract';
import { wordsOf } from '../base/system-fault.ts';

/** The result of a check of this process. */
export interface OwnResult extends CheckResult {
  /** Whether it has not answered in time. */
  readonly isSilent: boolean;
}

interface CheckOptions {
  readonly name: string;
  /** @returns a detail to show. @throws Error with the reason if the check fails. */
  readonly run: () => Promise<string>;
  /** Time that a caller waits for a running check. */
  readonly deadlineMs: number;
  /** Time for which a success is cached. */
  readonly freshMs: number;
  /**
   * Called with each new result.
   * @param silentMs milliseconds without an answer of the running check; null = it answered
   * @param cause for the log: it may name paths
   */
  readonly onResult?: (result: CheckResult, silentMs: number | null, cause: string) => void;
}

/** Failures are checked again sooner than successes, so that a recovery is noticed at once. */
const FAILURE_FRESH_MS = 1_000;

/**
 * Creates a check that answers within its deadline and never runs twice concurrently. While a run hangs, callers get
 * the time it has been hanging.
 */
export function createCheck({ name, run, deadlineMs, freshMs, onResult }: CheckOptions): () => Promise<OwnResult> {
  let last: { readonly at: number; readonly result: OwnResult } | null = null;
  let running: { readonly since: number; readonly ended: Promise<OwnResult> } | null = null;

  return async () => {
    const now = world.monotonic();
    if (running === null && last !== null) {
      if (now - last.at < (last.result.ok ? freshMs : Math.min(freshMs, FAILURE_FRESH_MS))) return last.result;
    }
    const { since, ended } = start(now);
    return await within(Math.max(0, since + deadlineMs - now), ended, () => {
      const silentMs = world.monotonic() - since;
      const detail = `no answer for ${Math.round(silentMs / 100) / 10} s`;
      return report({ name, ok: false, detail, isSilent: true }, silentMs);
    });
  };

  function start(now: number) {
    running ??= {
      since: now,
      ended: run()
        .then(
          (detail) => ({ result: { name, ok: true, detail, isSilent: false }, cause: detail }),
          (error: unknown) => {
            return { result: { name, ok: false, detail: wordsOf(error), isSilent: false }, cause: reasonOf(error) };
          },
        )
        .then(({ result, cause }) => {
          running = null;
          last = { at: world.monotonic(), result };
          return report(result, null, cause);
        }),
    };
    return running;
  }

  function report(result: OwnResult, silentMs: number | null, cause = result.detail): OwnResult {
    onResult?.(result, silentMs, cause);
    return result;
  }
}

async function within<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = world.setTimeout(() => resolve(late()), ms);
  });
  return await Promise.race([work, timeout]).finally(() => world.clearTimeout(timer));
}
