import type { Deadline } from './deadline.ts';
import { FetchFault } from './fetch-fault.ts';

/** The minimum speed of a host, so that a slow one cannot keep a download open indefinitely. */
export interface PaceLimits {
  /** Maximum milliseconds from the call to the headers of the last response, redirects included. */
  readonly answerWithinMs: number;
  /** Minimum bytes in each later period of `perMs`. */
  readonly minBytes: number;
  readonly perMs: number;
}

/** Watches one fetch and fails it when its host is too slow. */
export interface Pace {
  answered(): void;
  received(bytes: number): void;
  stop(): void;
}

const UNWATCHED: Pace = { answered: () => {}, received: () => {}, stop: () => {} };

export function watchPace(host: string, limits: PaceLimits | undefined, deadline: Deadline): Pace {
  if (limits === undefined) return UNWATCHED;
  const { answerWithinMs, minBytes, perMs } = limits;
  let bytes = 0;
  const fail = (what: string) => deadline.fail(new FetchFault('timeout', `${host} ${what}`, { sent: 'unknown' }));
  let timer = setTimeout(() => fail(`did not answer within ${answerWithinMs / 1000} s`), answerWithinMs);
  const check = () => {
    if (bytes < minBytes) fail(`delivered ${bytes} bytes in ${perMs / 1000} s; at least ${minBytes} are expected`);
    bytes = 0;
  };
  return {
    answered() {
      clearTimeout(timer);
      timer = setInterval(check, perMs);
    },
    received(count) {
      bytes += count;
    },
    stop: () => clearInterval(timer),
  };
}
