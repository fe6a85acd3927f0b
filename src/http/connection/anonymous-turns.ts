import type { onRequestHookHandler } from 'fastify';
import { ANONYMOUS, type Budgets } from '../../accounts/budgets.ts';
import { chooseCoding } from '../bodies/coding.ts';

/** Answered between two looks for new requests. */
const AT_ONCE = 8;
/** An answer that is not compressed is several times larger, and counts as this many. */
const UNCOMPRESSED = 4;

/**
 * Gives requests without a key a small share of the process: they wait in one queue, and each turn of the event loop answers a few of them.
 * Requests with a key are answered at once. Without other requests, the queue uses the whole process. If the queue is full, requests are
 * refused.
 */
export function createAnonymousTurns(budgets: Budgets): onRequestHookHandler {
  const line: { readonly weight: number; readonly next: () => void }[] = [];
  let isServing = false;
  function serve(): void {
    for (let room = AT_ONCE; room > 0; ) {
      const first = line.shift();
      if (first === undefined) break;
      room -= first.weight;
      first.next();
    }
    isServing = line.length > 0;
    if (isServing) setImmediate(serve);
  }
  return (request, _reply, done) => {
    const share = budgets.acquire(ANONYMOUS, 'anonymous_requests', 1);
    const next = () => {
      share.release();
      if (!request.raw.destroyed) done();
    };
    const isCompressed = chooseCoding(request.headers['accept-encoding'], ['gzip', 'br', 'identity']) !== 'identity';
    line.push({ weight: isCompressed ? 1 : UNCOMPRESSED, next });
    if (isServing) return;
    isServing = true;
    setImmediate(serve);
  };
}
