import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { windowEnd } from '@darkroom-service/contract';
import { ONLY_PROCESS } from '../../../test/helpers/process-state.ts';
import { createScriptedEngine } from '../../../test/helpers/scripted-engine.ts';
import { startTestRefresh } from '../../../test/helpers/start-refresh.ts';
import { openTestServices } from '../../../test/helpers/task-services.ts';
import type { Valves } from '../../routing/valves.ts';
import { SharedValves } from '../../routing/valves.ts';
import { startSpendWatch } from './spend-watch.ts';

type Limit = number | null;

/** An engine that a worker has shut because its spend limit is reached. */
async function openLimited(t: TestContext) {
  const { services, clock, database } = await openTestServices(t);
  const options = { database, clock, onChange: () => {}, onError: assert.ifError, startRefresh: startTestRefresh };
  const valves = await SharedValves.open({ ...options, acceptedUntilTrusted: () => 10 });
  t.after(() => valves.stop());
  const midnight = windowEnd('day', clock.now());
  assert.ok(midnight !== null);
  await valves.limitReached(
    'scripted',
    "the operator's spend limit of this upstream is reached for this day",
    midnight,
  );

  /** Looks as a worker whose own limit of a day and the lowest one of all workers are these. */
  const run = async (own: Limit, lowest: Limit) => {
    const instance = { kind: 'scripted', spendLimits: { day: own, month: null } };
    const engine = { ...createScriptedEngine(), instance } as unknown as ReturnType<typeof createScriptedEngine>;
    const work = {
      valves,
      services,
      engines: new Map([['scripted', engine]]),
      processState: { ...ONLY_PROCESS, spendLimit: (_: string, period: string) => (period === 'day' ? lowest : null) },
    };
    const watch = startSpendWatch(work, () => {});
    await watch.run();
    await watch.stop();
  };
  return { valves, clock, midnight, run };
}

const isFree = (valves: Valves) => valves.of('scripted') === null;

test('a worker without a spend limit leaves an upstream alone that the limit of another worker has taken out', async (t) => {
  const { valves, run } = await openLimited(t);
  await run(null, 10_000);
  assert.equal(isFree(valves), false);
  await run(10_000, 10_000);
  assert.equal(isFree(valves), true, 'a worker with the limit finds it not reached');
});

test('when no worker has a spend limit any more, any worker puts the upstream back', async (t) => {
  const { valves, run } = await openLimited(t);
  await run(null, null);
  assert.equal(isFree(valves), true);
});

test('when a spend limit of the day ends at midnight, the orders that waited begin slowly', async (t) => {
  const { valves, clock, midnight, run } = await openLimited(t);
  clock.advance(midnight - clock.now());
  await run(10_000, 10_000);
  assert.deepEqual([isFree(valves), valves.beginning('scripted')?.maxOpen], [true, 1]);
});
