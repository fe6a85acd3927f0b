import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDesk } from '../../test/desk.ts';
import { createScriptedEngine } from '../../test/scripted-engine.ts';
import { EngineError } from '../engines/engine.ts';
import { startCircuitWatch } from './circuit-watch.ts';
import { openCircuits } from './circuits.ts';
import type { WorkerDesk } from './worker-desk.ts';

test('a stop does not wait for an upstream that is asked how it is, and learns nothing from not having heard', async (t) => {
  const { desk, clock, database } = await openTestDesk(t);
  const circuits = await openCircuits({ database, clock, onChange: () => {}, onError: () => {} });
  t.after(() => circuits.stop());
  await circuits.failed('scripted', 'start', 'img_1', new EngineError('auth', 'no key', { took: 'no' }));
  const opened = circuits.of('scripted');
  assert.ok(opened !== null);
  clock.advance(opened.retry_at - clock.now());
  const asked = Promise.withResolvers<void>();
  const engine = {
    ...createScriptedEngine(),
    probe: ({ signal }: { readonly signal: AbortSignal }) => {
      asked.resolve();
      return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  };
  const work = { desk, circuits, engines: new Map([['scripted', engine]]) } as unknown as WorkerDesk;
  const watch = startCircuitWatch(work, () => assert.fail('there is nothing to try'));
  void watch.look();
  await asked.promise;
  const startedAt = performance.now();
  await watch.stop();
  assert.ok(performance.now() - startedAt < 5_000);
  assert.deepEqual(circuits.of('scripted'), opened);
});
