import { test } from 'node:test';
import { blockLoop, loseLine, pauseWorker } from './stalls.ts';

/**
 * A process that stalls with paid calls open, beside others that could take its tasks. The full lengths are in
 * `stalls.conformance.ts`.
 */
const TIMES = { lease: { ms: 600, renewEveryMs: 100 }, answersAfterMs: 700, stalledForMs: 1_800 };

for (const [database, onPostgres] of [
  ['the embedded database', false],
  ['PostgreSQL', true],
] as const) {
  test(`paid orders of a process whose event loop stands still for longer than the lease succeed, on ${database}`, (t) =>
    blockLoop(t, onPostgres, TIMES));
}

test('paid orders of a paused worker are left to it, and those of a killed one are not waited for', (t) =>
  pauseWorker(t, { ...TIMES, answersAfterMs: 400 }));

test('paid orders of a process that loses its line to the database succeed once it is back', (t) => loseLine(t, TIMES));
