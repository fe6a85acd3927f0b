import { sleep } from '@darkroom-service/contract';
import { AnswerFault } from './answer-fault.ts';
import { isDiskFault } from './check-machine.ts';
import { LocalFault } from './local-fault.ts';
import type { OnWait } from './transport.ts';

interface RetryOptions {
  /** Name of the file in messages. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** First pause after a failure, in milliseconds; it doubles with each further one. */
  readonly pauseMs: number;
  /** Called at the start of a longer pause, with a sentence for the operator. */
  readonly onWait?: OnWait | undefined;
}

/** Maximum number of failures in a row without a single byte. */
const MAX_FAILURES = 8;
const MAX_PAUSE_MS = 60_000;
const TELL_FROM_MS = 1_000;

/** Waits before the next try. @throws the error if it will not pass, or did not pass so far. */
type Retry = (error: unknown, progressed: boolean) => Promise<void>;

/** Counts the failures of one connection. */
export function createRetry({ name, pauseMs, signal, onWait = () => {} }: RetryOptions): Retry {
  let failures = 0;
  return async (error, progressed) => {
    signal.throwIfAborted();
    if (error instanceof LocalFault || isDiskFault(error)) throw error;
    const fault = error instanceof AnswerFault ? error : null;
    if (fault?.kind === 'changed') throw fault;
    if (fault?.kind === 'refused') throw new LocalFault(`${name} cannot be downloaded: ${fault.message}.`);
    failures = progressed ? 1 : failures + 1;
    const why = error instanceof Error ? error.message : String(error);
    if (failures > MAX_FAILURES) {
      throw new LocalFault(
        `${name} cannot be downloaded now: ${why}. The downloaded part is kept; run the same command again to continue.`,
      );
    }
    const pause = fault?.afterMs ?? Math.min(MAX_PAUSE_MS, pauseMs * 2 ** (failures - 1));
    if (pause >= TELL_FROM_MS)
      onWait(
        `${name}: ${why}; trying again in ${Math.round(pause / 1000)} s (failure ${failures} of ${MAX_FAILURES}).`,
      );
    await sleep(pause, { signal });
  };
}

/** Repeats an action that fails for a while. @throws LocalFault, or the signal's reason. */
export async function withRetries<Result>(options: RetryOptions, act: () => Promise<Result>): Promise<Result> {
  const retry = createRetry(options);
  for (;;) {
    try {
      return await act();
    } catch (error) {
      await retry(error, false);
    }
  }
}
