import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import type { LoadAnswer, LoadOrder } from './load.ts';

/**
 * Sends one round of load, in a process of its own so that it shares no event loop with what it measures. Told by
 * `load.ts`.
 */
process.once('message', (order: LoadOrder) => void send(order));

async function send(order: LoadOrder): Promise<void> {
  let turn = 0;
  const result = await autocannon({
    url: order.url,
    connections: order.connections,
    duration: order.seconds,
    ...(order.amount === undefined ? {} : { amount: order.amount }),
    requests: [
      {
        method: order.method,
        path: order.paths[0] ?? '/',
        headers: order.headers,
        ...(order.body === null ? {} : { body: order.body }),
        setupRequest: (request) => {
          turn++;
          const path = order.paths[turn % order.paths.length] ?? '/';
          const key = order.keys?.[turn % order.keys.length];
          if (!order.idempotent && key === undefined) return { ...request, path };
          return {
            ...request,
            path,
            headers: {
              ...order.headers,
              ...(order.idempotent ? { 'idempotency-key': randomUUID() } : {}),
              ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
            },
          };
        },
      },
    ],
  });
  const answer: LoadAnswer = {
    answered: order.expected === 304 ? result['3xx'] : result['2xx'],
    others: order.expected === 304 ? result['2xx'] + result.non2xx - result['3xx'] : result.non2xx,
    errors: result.errors + result.timeouts,
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
  process.send?.(answer, () => process.disconnect?.());
}
