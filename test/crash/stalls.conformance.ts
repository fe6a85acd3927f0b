import { test } from 'node:test';
import { blockLoop, loseLine, pauseWorker } from './stalls.ts';

/** The same as `stalls.test.ts`, in the lengths that the service itself has. */
const onPostgres = process.env.DARKROOM_TEST_DATABASE === 'postgres';

test('three paid orders at an upstream that answers after 12 s, and an event loop that stands still for 60 s', (t) =>
  blockLoop(t, onPostgres, { answersAfterMs: 12_000, stalledForMs: 60_000 }));

test('a worker paused for 60 s, with another one killed meanwhile', { skip: !onPostgres }, (t) =>
  pauseWorker(t, { answersAfterMs: 12_000, stalledForMs: 60_000 }),
);

test('a line to PostgreSQL that is away for 24 s', { skip: !onPostgres }, (t) =>
  loseLine(t, { answersAfterMs: 12_000, stalledForMs: 24_000 }),
);
