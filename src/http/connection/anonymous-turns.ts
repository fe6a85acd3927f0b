import { world } from '@darkroom-service/contract';
import type { onRequestHookHandler } from 'fastify';
import { ANONYMOUS, type Budgets } from '../../accounts/budgets.ts';
import { chooseCoding } from '../bodies/coding.ts';

/** Number of requests answered in one turn of the event loop. */
const AT_ONCE = 8;
/** Pause between uncompressed answers, which may be several times larger. */
const UNCOMPRESSED_EVERY_MS = 10;

/**
 * Gives requests without a key a small share of the process: they wait in one queue, and each turn of the event loop
 * answers a few of them. Requests with a key are answered at once. Clients that take no compressed answers have a queue
 * of their own, which is answered at a fixed pace. If the queues are full, requests are refused.
 */
export function createAnonymousTurns(budgets: Budgets): onRequestHookHandler {
  const compressed = createQueue(AT_ONCE, (serve) => world.setImmediate(serve));
  const uncompressed = createQueue(1, (serve) => world.setTimeout(serve, UNCOMPRESSED_EVERY_MS));
  return (request, _reply, done) => {
    const share = budgets.take(ANONYMOUS, 'anonymous_requests', 1);
    const coding = chooseCoding(request.headers['accept-encoding'], ['gzip', 'br', 'identity']);
    const queue = coding === 'identity' ? uncompressed : compressed;
    queue(() => {
      share.release();
      if (!request.raw.destroyed) done();
    });
  };
}

/** Creates a queue that starts `concurrency` entries at a time, and the next ones when `later` calls its callback. */
function createQueue(concurrency: number, later: (serve: () => void) => void): (entry: () => void) => void {
  const waiting: (() => void)[] = [];
  let isServing = false;
  function serve(): void {
    const entries = waiting.splice(0, concurrency);
    isServing = entries.length > 0;
    for (const entry of entries) entry();
    if (isServing) later(serve);
  }
  return (entry) => {
    waiting.push(entry);
    if (isServing) return;
    isServing = true;
    world.setImmediate(serve);
  };
}
