import { type EventRows, IMPOSSIBLE, type Row, type Rows } from './row.ts';
import { FOUND_NOTHING } from './unknown-outcome.ts';

/**
 * Decisions about an order without an operation whose engine was, or may have been, called. It is sent again only if it
 * certainly was not sent before, its engine is free of charge, or its upstream replays or refuses what it has.
 */

/** The pause if another process of this machine has the answer: that process stores it. */
const ANSWER_ELSEWHERE_MS = 1000;

export const CLAIMED_WITHOUT_TRACE: readonly [Row<'claimed'>, ...Rows<'claimed'>] = [
  {
    when: 'this process had it and did not hand it over',
    if: ({ facts }) => facts.wasNotSent,
    does: 'take_back',
  },
  { when: 'otherwise', does: 'find_trace' },
];

const SEARCHED_ROWS: Rows<'searched'> = [
  {
    when: 'another process has its answer',
    if: ({ event }) => event.found === 'elsewhere',
    does: 'release',
    to: 'same',
    how: ({ task }) => ({
      afterMs: ANSWER_ELSEWHERE_MS,
      attempts: task.attempts,
    }),
  },
  {
    when: 'its engine costs nothing',
    if: ({ facts }) => facts.engine?.isFree === true,
    does: 'take_back',
  },
  ...FOUND_NOTHING,
];

export const SEARCHED: EventRows<'searched'> = { ...IMPOSSIBLE, submitting: SEARCHED_ROWS };
