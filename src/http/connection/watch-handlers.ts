import { ServiceError, world } from '@darkroom-service/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../../base/log.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether this POST changes nothing by itself. */
    onlyReads?: boolean;
  }
  interface FastifyRequest {
    /** Time when its handler began, which is after its body has arrived: milliseconds of the monotonic clock. */
    handledAt: number;
  }
}

/** CPU time of a request's synchronous part from which on it counts as blocking the event loop. */
const LONGEST_CPU_MS = 2_000;
/** Time for which a reading of the CPU time is used: a system call per request would cost a tenth of an order. */
const READING_LASTS_MS = 100;
const HOUR_MS = 3_600_000;
const BLOCKS_ALLOWED = 1;
const MOST_REMEMBERED = 10_000;

/** Receives the current work of the main thread. */
export interface RunningHandler {
  begin(description: string): void;
  end(): void;
}

interface HandlerWatch {
  /** Left out in tests that have no heartbeat. */
  readonly running?: RunningHandler | undefined;
  readonly log: Log;
  readonly now: () => number;
  /** The CPU time of this thread in milliseconds. */
  readonly cpuMs?: () => number;
  /** Milliseconds that have passed since some moment. */
  readonly elapsedMs?: () => number;
}

/** A request of a key to a route. */
interface Watched {
  readonly url: string;
  /** Names method, route and key. */
  readonly place: string;
  readonly mayBeClosed: boolean;
}

/**
 * Records the running handler, and measures the CPU time of its synchronous part: time in which it waits, or in which
 * others run, does not count. A route that has blocked the loop twice within an hour by requests of one key is closed
 * for that key for an hour. Orders and admin keys are never refused in this way.
 */
export function watchHandlers(
  app: FastifyInstance,
  { running, log, now, cpuMs = threadCpuMs, elapsedMs = () => world.monotonic() }: HandlerWatch,
): void {
  /** Times at which the requests of a key blocked the event loop, by route and key. */
  const blocks = new Map<string, number[]>();
  /** The last reading of the CPU time, and its time. */
  let reading = { cpuMs: cpuMs(), at: elapsedMs() };

  function report({ url, place, mayBeClosed }: Watched, requestId: string, keyId: string, usedMs: number): void {
    const time = now();
    const times = [...(blocks.get(place) ?? []), time].filter((at) => time - at < HOUR_MS);
    blocks.delete(place);
    blocks.set(place, times);
    const [oldest] = blocks.keys();
    if (blocks.size > MOST_REMEMBERED && oldest !== undefined) blocks.delete(oldest);
    const isClosed = times.length > BLOCKS_ALLOWED && mayBeClosed;
    log.warn(
      { request_id: requestId, route: url, key_id: keyId, cpu_ms: Math.round(usedMs) },
      isClosed
        ? 'request blocked the event loop again; its route is closed for its key for an hour. Look at what the key sends, or revoke it'
        : 'request blocked the event loop',
    );
  }

  function secondsClosed(place: string): number {
    const time = now();
    const recent = (blocks.get(place) ?? []).filter((at) => time - at < HOUR_MS);
    const last = recent.at(-1);
    if (last === undefined || recent.length <= BLOCKS_ALLOWED) return 0;
    return Math.ceil((last + HOUR_MS - time) / 1000);
  }

  app.decorateRequest('handledAt', 0);
  app.addHook('onRoute', (route) => {
    const { handler, url, config } = route;
    route.handler = function watched(request, reply) {
      const key = (request.apiKey as FastifyRequest['apiKey'] | undefined) ?? null;
      const keyId = key?.id ?? null;
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const place = `${method} ${url} ${keyId}`;
      // Reads, and requests that only compute: everything else may be an order or end one.
      const mayBeClosed = key !== null && key.mode !== 'admin' && (method === 'GET' || config?.onlyReads === true);
      const seconds = mayBeClosed ? secondsClosed(place) : 0;
      if (seconds > 0) throw closed(url, seconds);
      running?.begin(`${request.method} ${url} key_id=${keyId ?? 'none'} request_id=${request.id}`);
      const begunAt = elapsedMs();
      request.handledAt = world.monotonic();
      if (begunAt - reading.at > READING_LASTS_MS) reading = { cpuMs: cpuMs(), at: begunAt };
      try {
        return handler.call(this, request, reply);
      } finally {
        running?.end();
        // No part uses more CPU time than elapses, so most need no second reading.
        if (keyId !== null && elapsedMs() - begunAt > LONGEST_CPU_MS) {
          const usedMs = cpuMs() - reading.cpuMs - (begunAt - reading.at);
          if (usedMs > LONGEST_CPU_MS) report({ url, place, mayBeClosed }, request.id, keyId, usedMs);
        }
      }
    };
  });
}

function closed(url: string, seconds: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    `Requests of this API key to ${url} stopped the service for more than ${LONGEST_CPU_MS / 1000} s each, twice within an hour. The route is closed for the key. Retry in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  );
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
