import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Setting } from './premises.ts';
import { runChaos } from './run-chaos.ts';

const SECONDS = 5;
const HARD_DEADLINE_MS = 10_000;
const SEED = 155;

/** Defines a test that is the short form of `npm run chaos`; the program itself runs for longer, with any seed. */
export function testShortRun(setting: Setting, what: string): void {
  test(`all guarantees hold for ${what} during ${SECONDS} seconds of random faults`, {
    timeout: 600_000,
  }, async (t) => {
    const { faults } = await runChaos({
      setting,
      seed: SEED,
      seconds: SECONDS,
      hardDeadlineMs: HARD_DEADLINE_MS,
      signal: t.signal,
    });
    assert.ok(faults.size > 2, `only ${[...faults.keys()]} happened`);
  });
}
