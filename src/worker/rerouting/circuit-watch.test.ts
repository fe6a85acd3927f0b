import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { ONLY_PROCESS } from '../../../test/own-facts.ts';
import { plainLoad } from '../../../test/plain-load.ts';
import { createScriptedEngine } from '../../../test/scripted-engine.ts';
import { startTestRefresh } from '../../../test/start-refresh.ts';
import { openTestServices } from '../../../test/task-services.ts';
import { openCircuits } from '../../routing/circuits.ts';
import type { WorkerServices } from '../worker-services.ts';
import { startCircuitWatch } from './circuit-watch.ts';

test('a stop does not wait for a probe of an upstream, and draws no conclusion from it', async (t) => {
  const { services, clock, database } = await openTestServices(t);
  const circuits = await openCircuits({
    database,
    clock,
    onChange: () => {},
    onError: () => {},
    startRefresh: startTestRefresh,
  });
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
  const work = {
    services,
    circuits,
    ownFacts: ONLY_PROCESS,
    load: plainLoad(clock),
    engines: new Map([['scripted', engine]]),
  } as unknown as WorkerServices;
  const watch = startCircuitWatch(work, () => assert.fail('there is nothing to try'));
  void watch.look();
  await asked.promise;
  const startedAt = performance.now();
  await watch.stop();
  assert.ok(performance.now() - startedAt < 5_000);
  assert.deepEqual(circuits.of('scripted'), opened);
});
