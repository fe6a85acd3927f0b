import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundedLimit, createAnswers } from '../../../../src/routing/engine-limits.ts';
import { createShareTable } from '../../test/share-table.ts';
import { SHARE_TIMES } from './next-share.ts';
import { createShareKeeper } from './share-keeper.ts';
import type { Whole } from './share-store.ts';

const ENGINE = { name: 'fal', concurrency: 64, adapts: { floor: 2, ceiling: 128 } };
const STEP_MS = 1_000;

test('a full upstream that refuses orders of every cell halves the limit once, and again when it refuses again', async () => {
  let now = 0;
  const table = createShareTable(() => now);
  const cells = ['eu1', 'us1', 'us2'].map((cell) => {
    const answers = createAnswers();
    const account = {
      id: ENGINE.name,
      limit: ENGINE.concurrency,
      perMinute: {},
      count: async () => ({ used: 0, wanted: 0 }),
      clamp: (limit: number) => boundedLimit(ENGINE, limit),
      adapt: (limit: number, isFull: boolean) => answers.nextLimit(ENGINE, limit, isFull),
      onAdapted: () => answers.forget(ENGINE),
    };
    const keeper = createShareKeeper({
      cell,
      store: table.store,
      accounts: () => [account],
      times: SHARE_TIMES,
      submits: true,
      steady: () => now,
      wall: () => now,
    });
    return { answers, keeper };
  });
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed++) {
      now += STEP_MS;
      for (const { keeper } of cells) await keeper.refresh();
    }
  };
  const limit = () => (table.stateOf(ENGINE.name, '') as Whole).limit;

  await pass(60);
  for (const { answers } of cells) answers.refused(ENGINE);
  await pass(60);
  assert.equal(limit(), 32);
  cells[1]!.answers.refused(ENGINE);
  await pass(60);
  assert.equal(limit(), 16);
});
