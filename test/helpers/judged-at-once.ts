import assert from 'node:assert/strict';
import type { Engine } from '@darkroom-service/engines';

/** The engine, with a `start` that also throws if the upstream refuses the order only after it has taken it. */
export function judgedAtOnce(engine: Engine): Engine {
  return {
    ...engine,
    async start(order, context) {
      const started = await engine.start(order, context);
      const checked = 'done' in started ? null : await engine.check(started.operation, order, context);
      assert.notEqual(checked?.status, 'failed', JSON.stringify(checked));
      return started;
    },
  };
}
