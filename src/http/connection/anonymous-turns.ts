import type { onRequestHookHandler } from 'fastify';
import { ANONYMOUS, type Budgets } from '../../accounts/budgets.ts';

/** Answered between two looks for new requests. */
const AT_ONCE = 8;

/**
 * Gives requests without a key a small share of the process: they wait in one queue, and each turn of the event loop answers a few of them.
 * Requests with a key are answered at once. Without other requests, the queue uses the whole process. If the queue is full, requests are
 * refused.
 */
export function createAnonymousTurns(budgets: Budgets): onRequestHookHandler {
  const line: (() => void)[] = [];
  let isServing = false;
  function serve(): void {
    for (const next of line.splice(0, AT_ONCE)) next();
    isServing = line.length > 0;
    if (isServing) setImmediate(serve);
  }
  return (request, _reply, done) => {
    const share = budgets.acquire(ANONYMOUS, 'anonymous_requests', 1);
    line.push(() => {
      share.release();
      if (!request.raw.destroyed) done();
    });
    if (isServing) return;
    isServing = true;
    setImmediate(serve);
  };
}
