import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { plainLoad } from '../../../test/helpers/plain-load.ts';
import { ONLY_PROCESS } from '../../../test/helpers/process-state.ts';
import { createScriptedEngine } from '../../../test/helpers/scripted-engine.ts';
import { startTestRefresh } from '../../../test/helpers/start-refresh.ts';
import { openTestServices } from '../../../test/helpers/task-services.ts';
import { SharedValves } from '../../routing/valves.ts';
import type { WorkerServices } from '../worker-services.ts';
import { ValveWatch } from './valve-watch.ts';

test('no order tests an account of which its upstream tells that nothing is left', async (t) => {
  const { services, clock, database } = await openTestServices(t);
  const valves = await SharedValves.open({
    database,
    clock,
    onChange: () => {},
    onError: () => {},
    startRefresh: startTestRefresh,
  });
  t.after(() => valves.stop());
  await valves.failed('scripted', 'start', 'img_1', new EngineError('billing', 'no credit', { took: 'no' }));
  let left = '0';
  const engine = { ...createScriptedEngine(), balance: async () => ({ amount: left, unit: 'credits' }) };
  const work = {
    services,
    valves,
    processState: ONLY_PROCESS,
    load: plainLoad(clock),
    engines: new Map([['scripted', engine]]),
  } as unknown as WorkerServices;
  const watch = new ValveWatch(work, () => {});
  t.after(() => watch.stop());
  for (let looks = 0; looks < 3; looks++) {
    clock.advance(5 * 60_000);
    await watch.run();
    assert.deepEqual([valves.stateOf('scripted'), valves.hasTrial('scripted')], ['shut', false]);
    assert.equal(valves.of('scripted')?.fault, 'billing');
  }
  left = '12.5';
  clock.advance(5 * 60_000);
  await watch.run();
  assert.deepEqual([valves.stateOf('scripted'), valves.hasTrial('scripted')], ['on_trial', true]);
});

test('a stop does not wait for a probe of an upstream, and draws no conclusion from it', async (t) => {
  const { services, clock, database } = await openTestServices(t);
  const valves = await SharedValves.open({
    database,
    clock,
    onChange: () => {},
    onError: () => {},
    startRefresh: startTestRefresh,
  });
  t.after(() => valves.stop());
  await valves.failed('scripted', 'start', 'img_1', new EngineError('auth', 'no key', { took: 'no' }));
  const shut = valves.of('scripted');
  assert.ok(shut !== null);
  clock.advance(shut.retry_at - clock.now());
  const asked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Error>();
  const engine = {
    ...createScriptedEngine(),
    probe: ({ signal }: { readonly signal: AbortSignal }) => {
      asked.resolve();
      return new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          ended.resolve(signal.reason);
          reject(signal.reason);
        });
      });
    },
  };
  const work = {
    services,
    valves,
    processState: ONLY_PROCESS,
    load: plainLoad(clock),
    engines: new Map([['scripted', engine]]),
  } as unknown as WorkerServices;
  const watch = new ValveWatch(work, () => assert.fail('there is nothing to try'));
  void watch.run();
  await asked.promise;
  await watch.stop();
  assert.notEqual((await ended.promise).name, 'TimeoutError', 'the stop ended the probe, and not its timeout');
  assert.deepEqual(valves.of('scripted'), shut);
});
