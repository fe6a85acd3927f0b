import { outcomeUnknown } from './endings.ts';
import { type EventRows, IMPOSSIBLE, type Row, type Rows } from './row.ts';

/**
 * Decisions about an order without an operation whose engine was, or may have been, called. It is sent again only if it certainly was not
 * sent before, or its engine is free of charge.
 */

/** The pause if another process of this machine has the answer: that process stores it. */
const ANSWER_ELSEWHERE_MS = 1000;

export const CLAIMED_WITHOUT_TRACE: readonly [Row<'claimed'>, ...Rows<'claimed'>] = [
  {
    when: 'this process had it and did not hand it over',
    if: ({ facts }) => facts.wasNotSent,
    does: 'take_back',
    how: () => ({ then: 'claimed' }),
  },
  { when: 'otherwise', does: 'find_trace' },
];

const SEARCHED_ROWS: Rows<'searched'> = [
  {
    when: 'another process has its answer',
    if: ({ event }) => event.found === 'elsewhere',
    does: 'let_go',
    how: ({ task }) => ({
      afterMs: ANSWER_ELSEWHERE_MS,
      attempts: task.attempts,
      progress: null,
      estimatedEndAt: null,
    }),
  },
  {
    when: 'its engine costs nothing',
    if: ({ facts }) => facts.engine?.isRepeatable === true,
    does: 'take_back',
    how: () => ({ then: 'restarted' }),
  },
  { when: 'otherwise', does: 'settle', how: ({ task }) => outcomeUnknown(task) },
];

export const SEARCHED: EventRows<'searched'> = { ...IMPOSSIBLE, submitting: SEARCHED_ROWS, collecting: SEARCHED_ROWS };
