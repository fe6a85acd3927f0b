import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Setting } from './premises.ts';
import { runChaos } from './run-chaos.ts';

/** The short form of `npm run chaos`; the program itself runs for longer, with any seed. */
const RUNS: readonly { readonly setting: Setting; readonly what: string }[] = [
  { setting: 'shared', what: 'six processes on PostgreSQL and S3' },
  { setting: 'embedded', what: 'one process with everything in it' },
];
const SECONDS = 5;
const HARD_DEADLINE_MS = 10_000;
const SEED = 20;

describe('every promise is kept', { concurrency: true }, () => {
  for (const { setting, what } of RUNS) {
    test(`by ${what} through ${SECONDS} seconds of a hard life`, { timeout: 600_000 }, async (t) => {
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
});
