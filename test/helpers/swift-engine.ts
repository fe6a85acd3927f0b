import { type Clock, systemClock } from '@darkroom-service/contract';
import type { OutputPlan } from '@darkroom-service/contract/catalog';
import type { Engine } from '@darkroom-service/engines';
import { simulatedFailure, waitAsSimulated } from '../../src/service/sketch/simulate.ts';
import { plainPicture } from './plain-picture.ts';

/**
 * An engine that stands in for the built-in one where the picture does not matter: it obeys `simulate` as that one
 * does, and delivers a plain picture or film of the right size without a painter. Each order gets other bytes.
 */
export function createSwiftEngine(changes: Partial<Engine> = {}, clock: Clock = systemClock): Engine {
  const lateResults = new Set<string>();
  return {
    name: 'sketch',
    concurrency: 64,
    repeatable: true,
    async start(order) {
      const startedAt = clock.now();
      const readyAt = startedAt + Math.round((order.simulate?.seconds ?? 0) * 1000);
      return { operation: { startedAt, readyAt }, checkAfterMs: 0 };
    },
    async check(operation, { taskId, request, simulate }) {
      const times = operation as { startedAt: number; readyAt: number };
      const pending = waitAsSimulated(times, simulate, clock.now(), 90);
      if (pending !== null) return pending;
      const failure = simulatedFailure(simulate);
      if (failure !== null && !lateResults.delete(taskId)) {
        if (failure.lateResult === true) lateResults.add(taskId);
        return failure;
      }
      const { output, values } = request;
      const data = output.format === 'mp4' ? await film(output, taskId) : plainPicture(output, taskId);
      return {
        status: 'succeeded',
        delivery: {
          outputs: [{ source: { data }, seed: Number(values.seed ?? 1), revisedPrompt: null, tiles: output.tiles }],
        },
      };
    },
    ...changes,
  };
}

/** Creates an engine that answers at once and stops an order when it is asked to. */
export function createStoppableEngine(clock: Clock = systemClock): Engine {
  const stopped = new Set<string>();
  const engine = createSwiftEngine({}, clock);
  return {
    ...engine,
    cancel: async (_operation, { taskId }) => Boolean(stopped.add(taskId)),
    check: async (operation, order, context) =>
      stopped.has(order.taskId) ? { status: 'canceled' } : await engine.check(operation, order, context),
  };
}

/** The encoder of films takes longer to load than most tests to run, and few of them order one. */
async function film(output: OutputPlan, name: string): Promise<Buffer> {
  const { plainFilm } = await import('@darkroom-service/testing/samples');
  return await plainFilm(output, name);
}
