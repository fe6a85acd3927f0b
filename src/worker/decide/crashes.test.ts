import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineErrorClass } from '@darkroom-service/engines';
import fc from 'fast-check';
import { IDEMPOTENCY_KINDS } from '../../../test/helpers/any-situation.ts';
import { MemoryWorld } from '../../../test/helpers/memory-life.ts';
import type { Behaviour, Check, Start } from '../../../test/helpers/upstream-behaviour.ts';

const start: fc.Arbitrary<Start> = fc.oneof(
  fc.constantFrom<Start>('operation', 'result', {
    class: 'invalid_input',
    took: 'no',
    scope: 'engine',
    elsewhere: false,
  }),
  fc.record({
    class: fc.constantFrom<EngineErrorClass>('busy', 'upstream', 'timeout', 'auth', 'billing', 'invalid_input'),
    took: fc.constantFrom('no' as const, 'no' as const, 'yes' as const, 'unknown' as const),
    scope: fc.constantFrom('engine' as const, 'engine' as const, 'route' as const),
    elsewhere: fc.boolean(),
  }),
);

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  isRepeatable: fc.constantFrom(false, false, false, true),
  isFree: fc.constantFrom(false, false, true),
  idempotency: fc.constantFrom(...IDEMPOTENCY_KINDS),
  refusesWhatItHas: fc.constantFrom(false, false, true),
  starts: fc.array(start, { minLength: 1, maxLength: 5 }),
  checks: fc.array(fc.constantFrom<Check>('pending', 'succeeded', 'failed', 'canceled', 'gone', 'lost'), {
    minLength: 1,
    maxLength: 4,
  }),
  isResultRefused: fc.constantFrom(false, false, true),
  unreadable: fc.constantFrom(0, 0, 1, 2, 3),
  mishaps: fc.array(
    fc.record({
      after: fc.integer({ min: 0, max: 14 }),
      mishap: fc.constantFrom('killed' as const, 'write fails' as const, 'taken over' as const),
    }),
    { maxLength: 6 },
  ),
});

test('wherever a worker crashes, a task ends once, money is conserved, and its upstream makes it once at most, whatever it does with repeated submissions', async () => {
  const seen = {
    succeeded: 0,
    unknown: 0,
    refusedLater: 0,
    offeredAgain: 0,
    startedAgain: 0,
    readLater: 0,
    foundAgain: 0,
    replays: 0,
    refuses_duplicates: 0,
    findable: 0,
  };
  await fc.assert(
    fc.asyncProperty(behaviour, async (given) => {
      const world = new MemoryWorld(given);
      for (let rounds = 0; rounds < 8; rounds++) {
        world.now += 10_000;
        await world.claimAndWork();
      }
      await world.settleDown();
      assert.equal(world.row.step, 'final', 'it ends');
      assert.equal(world.settlements.length, 1, 'it is settled once');
      const [ending] = world.settlements;
      assert.equal(world.balance, ending?.status === 'succeeded' ? -ending.charge.amount : 0);
      const taken = world.submissions.findIndex((took) => took !== 'no');
      const last = world.submissions.length - 1;
      const { idempotency } = given;
      const isFree = given.isRepeatable || given.isFree;
      const isKeyed = idempotency === 'replays' || idempotency === 'refuses_duplicates';
      const wasSentAgain = taken !== -1 && taken !== last;
      if (!isFree) assert.ok(world.made.length <= 1, `made by ${world.made}`);
      if (!isFree && !isKeyed) assert.ok(!wasSentAgain, `sent again: ${world.submissions}`);
      // Twice at each of its two routes.
      assert.ok(world.offeredAgain <= (isFree ? 4 : 0), `offered again ${world.offeredAgain} times`);
      if (ending?.status === 'succeeded') assert.ok(taken !== -1, 'only what was made is charged');
      // Interceptors and checks judge results of orders that were accepted.
      const isJudged = given.isResultRefused || world.settledAt === 'running';
      const isCertain = ending?.status === 'failed' && ending.failure.code !== 'outcome_unknown';
      if (!isFree && isCertain && !isJudged) assert.deepEqual(world.made, [], 'only what nobody has was not accepted');
      if (ending?.status === 'succeeded') seen.succeeded++;
      if (ending?.status === 'failed' && ending.failure.code === 'outcome_unknown') seen.unknown++;
      if (world.settledAt === 'submitting' && world.made.length > 0 && world.submissions[last] === 'no')
        seen.refusedLater++;
      if (last > 0 && !isFree) seen.offeredAgain++;
      if (wasSentAgain && isFree) seen.startedAgain++;
      if (world.readLater && ending?.status === 'succeeded') seen.readLater++;
      if (world.offeredAgain > 0 && ending?.status === 'succeeded') seen.foundAgain++;
      // It became known after all.
      if (idempotency !== 'none' && !isFree && taken !== -1 && ending?.status === 'succeeded') {
        const wasUnknown = world.submissions[taken] === 'unknown' || given.mishaps.length > 0;
        if (wasUnknown) seen[idempotency]++;
      }
    }),
    { numRuns: 4000 },
  );
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 20, `${what}: ${times}`);
});
