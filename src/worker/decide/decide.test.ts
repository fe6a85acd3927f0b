import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  anyEvent,
  anyFacts,
  anyTask,
  claimedTask,
  EVENT_TYPES,
  NOW,
  STEPS,
} from '../../../test/helpers/any-situation.ts';
import { stepsBefore, type TaskStep } from '../../record/task.ts';
import { type Action, type ActionType, RESULTS } from './action.ts';
import { decide, rowsOf, stepsAfter, TABLE } from './decide.ts';
import type { EventType } from './event.ts';

type KeptStep = Extract<Action, { type: 'release'; step: 'same' }>;
type Cell = readonly [TaskStep, EventType];

const cells: readonly Cell[] = STEPS.flatMap((step) => EVENT_TYPES.map((event) => [step, event] as const));
const possible = cells.filter(([step, event]) => rowsOf(step, event).length > 0);
/** Called by the action; a handler of an event that follows from it settles or lets go. */
/** Enough for the rarest row; the same each time. */
const SAMPLES = { numRuns: 6_000, seed: 1 };
const CALLS: readonly ActionType[] = ['call_engine'];

test('the table has a cell for each step and event, which says impossible or ends with a row that always matches', () => {
  assert.deepEqual(Object.keys(TABLE).sort(), [...EVENT_TYPES].sort());
  for (const [step, event] of cells) {
    const cell = TABLE[event][step];
    if (cell === 'impossible') continue;
    assert.equal(cell.at(-1)?.if, undefined, `${event} at ${step}`);
    assert.ok(cell.slice(0, -1).every((row) => row.when !== 'otherwise' && row.when !== 'always'));
  }
});

test('exactly the cells that actions lead to are possible', () => {
  const reached = new Set<string>();
  const reach = (step: TaskStep, event: EventType) => {
    const key = `${event} at ${step}`;
    if (reached.has(key)) return;
    reached.add(key);
    for (const { does } of rowsOf(step, event))
      for (const [next, to] of Object.entries(RESULTS[does].events ?? {}))
        reach(to === 'same' ? step : to, next as EventType);
  };
  // A worker may claim a task in any step, and any action may throw.
  for (const step of STEPS) {
    reach(step, 'claimed');
    reach(step, 'broke_off');
  }
  assert.deepEqual([...reached].sort(), possible.map(([step, event]) => `${event} at ${step}`).sort());
});

test('for any task, event and facts there is one action', () => {
  for (const [step, event] of possible)
    fc.assert(
      fc.property(anyTask(step), anyEvent(event), anyFacts, (task, happened, facts) => {
        const action = decide(task, happened, facts);
        assert.deepEqual(decide(task, happened, facts), action, 'the same decision each time');
        assert.ok(rowsOf(step, event).some(({ does }) => does === action.type));
        if ('afterMs' in action) assert.ok(Number.isFinite(action.afterMs), `${action.afterMs} ms`);
      }),
      { numRuns: 100 },
    );
});

test('an event that cannot occur in a step is an error, not a guess', () => {
  for (const [step, event] of cells.filter((cell) => !possible.includes(cell)))
    fc.assert(
      fc.property(anyTask(step), anyEvent(event), anyFacts, (task, happened, facts) => {
        assert.throws(() => decide(task, happened, facts), /cannot occur/);
      }),
      { numRuns: 3 },
    );
});

test('every row is the first that matches for some task, event and facts', () => {
  for (const [step, event] of possible) {
    const rows = rowsOf(step, event);
    const matched = new Set<number>();
    for (const [task, happened, facts] of fc.sample(fc.tuple(anyTask(step), anyEvent(event), anyFacts), SAMPLES)) {
      const situation = { task, event: happened, facts };
      const matches = (row: (typeof rows)[number]) =>
        row.if?.(situation) !== false && (row.how === undefined || row.how(situation) !== null);
      matched.add(rows.findIndex(matches));
    }
    for (const [index, { when }] of rows.entries())
      assert.ok(matched.has(index), `${event} at ${step}: "${when}" never matches`);
  }
});

test('every step that an action writes may follow the step before', () => {
  for (const [step, event] of possible)
    for (const row of rowsOf(step, event))
      for (const to of stepsAfter(step, row))
        if (to !== 'same' && to !== step) assert.ok(stepsBefore(to).includes(step), `${row.does}: ${step} → ${to}`);
});

test('an order is submitted only if certainly no engine has it, its engine is free of charge, or its upstream makes it once', () => {
  const handsOver = (type: ActionType) => CALLS.includes(type) || type === 'claim_slot';
  for (const [step, event] of possible)
    fc.assert(
      fc.property(anyTask(step), anyEvent(event), anyFacts, (task, happened, facts) => {
        const action = decide(task, happened, facts);
        const isSafe = facts.engine?.idempotency === 'replays' || facts.engine?.idempotency === 'refuses_duplicates';
        const isResubmitted = event === 'searched' && isSafe && facts.engine?.isRepeatable === false;
        if (isResubmitted && action.type === 'call_engine') return;
        if (handsOver(action.type)) assert.ok(['preparing', 'submitting', 'deferred'].includes(step));
        if (action.type === 'call_engine') assert.equal(event, 'slot_claimed');
        // From submitting back to where it can be handed over.
        const isOffered =
          ['take_back', 'reroute'].includes(action.type) || (action.type === 'release' && action.step === 'deferred');
        if (!isOffered || ['waiting', 'preparing', 'deferred'].includes(step)) return;
        const isCertain =
          !facts.isResubmission &&
          ((happened.type === 'start_failed' && happened.fault.took === 'no') ||
            ['machine_short', 'file_unreadable'].includes(event));
        const isRefusedContent =
          happened.type === 'checked' &&
          happened.checked.status === 'failed' &&
          happened.checked.error.code === 'content_policy' &&
          task.route.models?.afterContentPolicy === true;
        const isNotSent = event === 'claimed' && facts.wasNotSent;
        const isFree = facts.engine?.isFree === true && ['searched', 'start_failed', 'checked'].includes(event);
        assert.ok(isCertain || isRefusedContent || isNotSent || isFree, `${event} at ${step}`);
      }),
      { numRuns: 200 },
    );
});

test('an order with an unknown outcome ends so only where its upstream cannot tell, no longer can, refuses it on another submission, or must not get it again', () => {
  for (const [step, event] of possible.filter(([, name]) => name === 'searched' || name === 'start_failed'))
    fc.assert(
      fc.property(anyTask(step), anyEvent(event), anyFacts, (task, happened, facts) => {
        const action = decide(task, happened, facts);
        if (action.type !== 'settle' || action.name !== 'settle_unknown') return;
        const kind = facts.engine?.idempotency ?? 'none';
        const isNamed = happened.type === 'start_failed' && happened.fault.took === 'yes';
        const isLong = NOW - (task.progressed_at ?? NOW) > 20 * 3_600_000;
        const isRefused = kind === 'refuses_duplicates' && isNamed;
        const isJudged =
          facts.isResubmission &&
          happened.type === 'start_failed' &&
          happened.fault.took === 'no' &&
          ['invalid_input', 'content_policy'].includes(happened.fault.class);
        const isExcluded = facts.isExcluded && kind !== 'findable';
        const isKnown = kind !== 'none' && NOW < task.deadline_at && !isRefused && !isLong && !isJudged && !isExcluded;
        assert.ok(!isKnown, `${event} at ${step}: ${kind}`);
        const mayBeRepeated = event === 'searched' && (kind === 'replays' || kind === 'refuses_duplicates');
        if (mayBeRepeated) assert.doesNotMatch(JSON.stringify(action.ending), /not sent again/);
      }),
      { numRuns: 3000 },
    );
});

test('what an upstream says to a repeated submission is no certain refusal: the first one may have been accepted', () => {
  for (const [step, event] of possible.filter(([, name]) => name === 'start_failed'))
    fc.assert(
      fc.property(anyTask(step), anyEvent(event), anyFacts, (task, happened, facts) => {
        if (facts.engine?.isFree === true) return;
        const action = decide(task, happened, { ...facts, isResubmission: true });
        const isOpen = isReleasedAsItIs(action) || (action.type === 'settle' && action.name === 'settle_unknown');
        assert.ok(isOpen, `${step}: ${action.type}`);
        if (action.type !== 'settle' || action.ending.status !== 'failed') return;
        const { failure, detail } = action.ending;
        assert.match(failure.message, /alpha says no/);
        assert.doesNotMatch(failure.message, /not sent again/);
        assert.notEqual((detail as { took?: string }).took, 'no');
      }),
      { numRuns: 300 },
    );
});

test('a free engine gets an order again twice after it lost it, and no outcome there is unknown', () => {
  for (const [step, event] of possible.filter(([, name]) => name === 'checked' || name === 'start_failed'))
    fc.assert(
      fc.property(anyTask(step), anyEvent(event), anyFacts, (task, happened, facts) => {
        if (step === 'final') return;
        const action = decide(task, happened, facts);
        const { losses = 0 } = task.route;
        const isLost = action.type === 'release' && action.step === 'deferred' && action.why === 'lost';
        if (isLost) assert.ok(facts.engine?.isFree === true && losses < 2);
        if (facts.engine?.isFree !== true || step !== 'submitting') return;
        assert.ok(action.type !== 'settle' || action.name !== 'settle_unknown');
      }),
      { numRuns: 300 },
    );
});

test('a task is charged only for a result that is in our storage and that moderation allows', () => {
  for (const [step, event] of possible)
    fc.assert(
      fc.property(anyTask(step), anyEvent(event), anyFacts, (task, happened, facts) => {
        const action = decide(task, happened, facts);
        if (action.type !== 'settle' || action.ending.status !== 'succeeded') return;
        assert.ok(happened.type === 'collected' && happened.refusal === null);
        assert.ok(action.ending.charge.amount <= task.price);
      }),
      { numRuns: 100 },
    );
});

test('from its result to its settlement an order keeps its step, so that a crash finds it as it was before, unless its row says where the result is', () => {
  assert.deepEqual(new Set(Object.values(RESULTS.deliver.events ?? {})), new Set(['same']));
  const after: readonly EventType[] = ['collected', 'collect_failed'];
  const cellsAfter = possible.filter(([, event]) => after.includes(event));
  assert.deepEqual([...new Set(cellsAfter.map(([step]) => step))], ['submitting', 'running']);
  for (const [step, event] of cellsAfter)
    for (const { does, to } of rowsOf(step, event)) {
      // An answer that only this process has stays claimed, or is stored; an operation is there for any process.
      const again = step === 'submitting' ? ['break_off', 'store_delivery'] : ['release'];
      assert.ok(['settle', ...again].includes(does) && (to ?? 'same') === 'same', `${event} at ${step}: ${does} ${to}`);
      const next = Object.values(RESULTS[does].events ?? {});
      assert.ok(next.every((to) => to === (does === 'store_delivery' ? 'running' : 'same')));
    }
});

test('a fault of reading ends no order before its deadline, and then what its upstream may have made is looked for unpaid', () => {
  const faults = fc.oneof(
    anyEvent('check_failed').filter(
      (one) => one.type === 'check_failed' && !['invalid_input', 'content_policy'].includes(one.fault.class),
    ),
    anyEvent('collect_failed').filter((one) => one.type === 'collect_failed' && one.mayPass),
    anyEvent('broke_off').filter(
      (one) => one.type === 'broke_off' && (one.cause === 'storage' || one.cause === 'other') && !one.couldNotSettle,
    ),
  );
  fc.assert(
    fc.property(anyTask('running'), faults, anyFacts, (task, happened, facts) => {
      if (facts.engine?.isRepeatable === true) return;
      const action = decide(task, happened, facts);
      if (NOW < task.deadline_at) {
        assert.ok(isReleasedAsItIs(action) && action.attempts > task.attempts, action.type);
        return assert.ok(NOW + action.afterMs <= task.deadline_at || happened.type === 'broke_off');
      }
      assert.ok(action.type === 'settle' && action.ending.status === 'failed', action.type);
      assert.equal(action.ending.lateResultAfterMs !== undefined, facts.engine?.isFree !== true);
    }),
    { numRuns: 2_000 },
  );
});

test('an order that its upstream stopped is canceled only if somebody asked for it here', () => {
  const stopped = { type: 'checked', checked: { status: 'canceled' } } as const;
  fc.assert(
    fc.property(anyTask('running'), anyFacts, (task, facts) => {
      const action = decide(task, stopped, facts);
      assert.ok(action.type === 'settle');
      if (facts.isCancelWanted) return assert.equal(action.ending.status, 'canceled');
      assert.ok(action.ending.status === 'failed' && action.ending.failure.code === 'upstream_error');
      assert.match(action.ending.failure.message, /alpha stopped the order, which nobody had canceled here/);
    }),
  );
});

test('nothing that has ended is settled again', () => {
  for (const [step, event] of possible.filter(([at]) => at === 'final'))
    fc.assert(
      fc.property(anyTask(step), anyEvent(event), anyFacts, (task, happened, facts) => {
        const { type } = decide(task, happened, facts);
        assert.ok(['check_late', 'report_late', 'check_late_again', 'expect_nothing', 'stop'].includes(type), type);
      }),
    );
});

test('a cancel ends an order that no engine has, and leaves one that an engine has to the engine', () => {
  const facts = fc.sample(anyFacts, 1)[0];
  assert.ok(facts);
  const decided = (step: TaskStep) =>
    decide(claimedTask(step, { cancel_requested_at: NOW }), { type: 'claimed' }, { ...facts, wasNotSent: false }).type;
  assert.deepEqual(STEPS.filter((step) => step !== 'final').map(decided), [
    'settle',
    'settle',
    'find_trace',
    'settle',
    'check',
  ]);
});

test('after a fault an order stays claimed for an answer in hand only where nothing else tells of it', () => {
  const facts = fc.sample(anyFacts, 1)[0];
  assert.ok(facts);
  const fault = { type: 'broke_off', cause: 'storage', couldNotSettle: false } as const;
  const decided = (step: TaskStep) => decide(claimedTask(step), fault, { ...facts, hasAnswer: true }).type;
  assert.deepEqual(STEPS.filter((step) => step !== 'final').map(decided), [
    'release',
    'release',
    'stop',
    'release',
    'release',
  ]);
});

function isReleasedAsItIs(action: Action): action is KeptStep {
  return action.type === 'release' && action.step === 'same';
}
