import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GATES } from '../../../../src/queue/gates.ts';
import { type StandingFacts, standingOf } from './standing.ts';

const NOW = Date.UTC(2026, 10, 24, 2, 33);
const SINCE = NOW - 600_000;
const ISO = '2026-11-24T02:23:00.000Z';

const task = (changes: Partial<StandingFacts['task']>): StandingFacts['task'] => ({
  step: 'waiting',
  claimable: 1,
  gates: 0,
  worker: null,
  started_at: NOW - 90_000,
  next_at: null,
  cancel_requested_at: null,
  ...changes,
});
const running = task({ step: 'running', worker: 'w' });
const asked = { at: NOW - 12_000, outcome: 'pending', said: 'IN_QUEUE' } as const;

/** What is known, what it is told as, and the cause. */
const CASES: readonly (readonly [Partial<StandingFacts>, cause: string, sentence: string])[] = [
  [{ position: 13 }, 'turn', 'Waits for its turn at fal behind 12 orders.'],
  [{ position: 1 }, 'turn', 'Is next at fal.'],
  [{ position: null }, 'turn', 'Waits for its turn at fal behind more than a hundred orders.'],
  [{ task: task({ claimable: 0 }) }, 'key_limit', 'Its key has as many orders in progress as it may.'],
  [{ task: task({ gates: GATES.batch }) }, 'batch', 'Waits until its batch lets it into the queue.'],
  [
    { task: task({ gates: GATES.parent | GATES.batch }), parents: ['img_1', 'img_2'] },
    'parent',
    'Waits for img_1 and 1 more.',
  ],
  [{ task: task({ gates: GATES.reference }) }, 'references', 'Waits until its input files are fetched.'],
  [{ addition: { name: 'brands' } }, 'addition', "Waits until the addition 'brands' lets it pass."],
  [
    { addition: 'missing' },
    'addition',
    'Waits for an addition that is not installed. Bring it back, or cancel the order.',
  ],
  [{ isConfigured: false }, 'not_configured', 'fal is not configured any more.'],
  [{ isPaused: true }, 'paused', 'An operator has paused fal.'],
  [
    { suspension: { since: SINCE, reason: 'An operator holds it.' } },
    'held',
    `The service sends nothing since ${ISO}. An operator holds it.`,
  ],
  [
    { shut: { since: SINCE, reason: 'no answer within 30 s' } },
    'circuit_open',
    `fal gets no orders since ${ISO}: no answer within 30 s.`,
  ],
  [
    { task: task({ step: 'deferred', next_at: NOW + 5_000 }) },
    'deferred',
    'fal did not accept it. It is sent again in 5 s.',
  ],
  [{ task: task({ step: 'preparing', worker: 'w' }) }, 'preparing', 'Is made ready for fal.'],
  [
    { task: task({ step: 'submitting', worker: 'w' }) },
    'submitting',
    'Was sent to fal 90 s ago; there is no answer yet.',
  ],
  [
    { task: task({ step: 'submitting' }) },
    'submitting',
    'It is not known whether fal accepted it. fal is asked again soon.',
  ],
  [{ task: running }, 'upstream', 'fal has it since 90 s.'],
  [{ task: running, check: asked }, 'upstream', 'fal was asked 12 s ago and said IN_QUEUE.'],
  [
    { task: running, check: asked, shut: { since: SINCE, reason: 'down' } },
    'upstream',
    `fal was asked 12 s ago and said IN_QUEUE. fal gets no new orders since ${ISO}.`,
  ],
  [
    { task: running, check: { ...asked, outcome: 'result', said: 'its host cannot be reached' } },
    'check_failed',
    'fal has made it. Its result could not be fetched 12 s ago and is asked for again: its host cannot be reached.',
  ],
  [
    { task: running, check: { ...asked, outcome: 'failed', said: 'the upstream answered 502' } },
    'check_failed',
    'fal was asked 12 s ago and did not tell: the upstream answered 502.',
  ],
  [
    { task: running, check: { ...asked, outcome: 'storage' }, storage: { since: SINCE, reason: 'the disk is full' } },
    'storage',
    `Its result cannot be stored since ${ISO}: the disk is full.`,
  ],
  [
    { task: running, check: asked, silent: { process: 'w', since: SINCE } },
    'process_silent',
    `Its process w is silent since ${ISO}. Another one takes the order over.`,
  ],
  [
    { task: { ...running, cancel_requested_at: SINCE }, check: asked },
    'canceling',
    `Was to be canceled at ${ISO}; fal has not confirmed it. fal was asked 12 s ago and said IN_QUEUE.`,
  ],
];

test('every cause for which an order stands still has one sentence', () => {
  for (const [known, cause, sentence] of CASES) {
    const told = standingOf({
      now: NOW,
      task: task({}),
      engine: 'fal',
      addition: null,
      isConfigured: true,
      isPaused: false,
      suspension: null,
      position: 1,
      parents: [],
      shut: null,
      storage: null,
      silent: null,
      check: null,
      ...known,
    });
    assert.deepEqual([told.cause, told.sentence], [cause, sentence]);
  }
});
