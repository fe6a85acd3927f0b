import type { onRequestHookHandler } from 'fastify';
import { ANONYMOUS, type Budgets } from '../../accounts/budgets.ts';

/** Answered between two looks for new requests. */
const AT_ONCE = 8;

/**
 * Gives requests without a key a small share of the process: they wait in one line, of which a few are answered each time the event loop comes
 * round, while requests with a key are answered as they come. When nobody else asks for anything, the line has the whole process.
 * A line that is full is refused.
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
