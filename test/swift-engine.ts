import sharp from 'sharp';
import { type Clock, systemClock } from '../src/base/clock.ts';
import type { Engine } from '../src/engines/engine.ts';
import { simulatedFailure, waitAsSimulated } from '../src/engines/sketch/simulate.ts';
import { plainFilm } from './plain-film.ts';

/**
 * An engine that stands in for the built-in one where the picture does not matter: it obeys `simulate` as that one
 * does, and delivers a plain picture or film of the right size without a painter.
 */
export function createSwiftEngine(changes: Partial<Engine> = {}, clock: Clock = systemClock): Engine {
  return {
    name: 'sketch',
    concurrency: 64,
    repeatable: true,
    async start(order) {
      const startedAt = clock.now();
      const readyAt = startedAt + Math.round((order.simulate?.seconds ?? 0) * 1000);
      return { operation: { startedAt, readyAt }, checkAfterMs: 0 };
    },
    async check(operation, { request, simulate }) {
      const times = operation as { startedAt: number; readyAt: number };
      const early = waitAsSimulated(times, simulate, clock.now(), 90) ?? simulatedFailure(simulate);
      if (early !== null) return early;
      const { width, height, tiles, format } = request.output;
      const data =
        format === 'mp4'
          ? await plainFilm(request.output)
          : await sharp({ create: { width, height, channels: 3, background: '#345' } })
              .png()
              .toBuffer();
      return {
        status: 'succeeded',
        delivery: { outputs: [{ source: { data }, seed: 1, revisedPrompt: null, tiles }] },
      };
    },
    ...changes,
  };
}

/** The same, but it stops an order when it is asked to. */
export function createStoppableEngine(): Engine {
  const stopped = new Set<string>();
  const engine = createSwiftEngine();
  return {
    ...engine,
    cancel: async (_operation, { taskId }) => Boolean(stopped.add(taskId)),
    check: async (operation, order, context) =>
      stopped.has(order.taskId) ? { status: 'canceled' } : await engine.check(operation, order, context),
  };
}
