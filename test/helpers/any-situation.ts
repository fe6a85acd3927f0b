import { UPSTREAM_FAULTS } from '@darkroom-service/contract';
import type { EngineErrorClass } from '@darkroom-service/engines';
import fc from 'fast-check';
import type { TaskStep } from '../../src/record/task.ts';
import type { TaskRecord } from '../../src/record/task-record.ts';
import type { Verdict } from '../../src/worker/collect/collected.ts';
import type { EventOf, EventType, TaskEvent } from '../../src/worker/decide/event.ts';
import type { Facts } from '../../src/worker/decide/facts.ts';

/** Tasks, events and facts for decisions without a database. */

export const STEPS = ['waiting', 'preparing', 'submitting', 'deferred', 'running', 'final'] as const;
/** The ways in which an upstream may treat a second submission of one order. */
export const IDEMPOTENCY_KINDS = ['replays', 'refuses_duplicates', 'findable', 'none'] as const;
export const NOW = 10_000_000;
const JOB = { engine: 'alpha', name: 'job-1' };
const ALPHA = { engine: 'alpha', model: null, parameters: null, fixed: {} };
const DELIVERY = { outputs: [{ source: { path: '/nowhere' }, seed: null, revisedPrompt: null, tiles: null }] };
/** A result whose file is at a URL. */
export const HOSTED = {
  outputs: [{ source: { url: 'https://files.test/1' }, seed: null, revisedPrompt: null, tiles: null }],
};

/** A claimed task of 1.00. */
export function claimedTask(step: TaskStep, changes: Partial<TaskRecord> = {}): TaskRecord {
  const isRunning = step === 'running';
  return {
    id: 'img_1',
    type: 'image',
    mode: 'live',
    step,
    status: step === 'waiting' || step === 'preparing' ? 'queued' : 'processing',
    progress: 0,
    revision: 1,
    model_id: 'model',
    parent_task_id: null,
    request: { output: {} },
    media: [],
    simulate: null,
    price: 1_000_000,
    quote: { amount: 1_000_000, lines: [], basis: null, tariff: null },
    route: ALPHA,
    queue: 'alpha:live',
    claimable: 1,
    fence: 1,
    operation_json: isRunning ? '{"id":"job-1"}' : null,
    attempts: 0,
    created_at: NOW - 1000,
    started_at: null,
    progressed_at: null,
    completed_at: step === 'final' ? NOW - 500 : null,
    deadline_at: NOW + 3_600_000,
    cancel_requested_at: null,
    ...changes,
  } as unknown as TaskRecord;
}

export const anyTask = (step: TaskStep): fc.Arbitrary<TaskRecord> =>
  fc
    .record({
      attempts: fc.integer({ min: 0, max: 9 }),
      deadline_at: fc.constantFrom(NOW - 1, NOW + 3_600_000),
      cancel_requested_at: fc.constantFrom(null, NOW - 5),
      progressed_at: fc.constantFrom(null, NOW - 3_600_000),
      operation_json: step === 'final' ? fc.constantFrom(null, '{"id":"job-1"}') : fc.constant(undefined),
      completed_at: fc.constantFrom(NOW - 5, NOW - 90_000_000),
      refused_at: fc.constantFrom(undefined, NOW - 1000, NOW - 50_000, NOW - 3_600_000),
      losses: fc.constantFrom(undefined, 1, 2),
      afterContentPolicy: fc.constantFrom(undefined, false, true),
    })
    .map(({ operation_json, refused_at, losses, afterContentPolicy, completed_at, ...changes }) =>
      claimedTask(step, {
        ...changes,
        ...(operation_json === undefined ? {} : { operation_json }),
        ...(step === 'final' ? { completed_at } : {}),
        route: {
          ...ALPHA,
          ...(refused_at === undefined ? {} : { refused_at }),
          ...(losses === undefined ? {} : { losses }),
          ...(afterContentPolicy === undefined
            ? {}
            : { models: { requested: 'sketch', afterContentPolicy, left: [], next: [] } }),
        },
      }),
    );

export const AS_ORDERED: Verdict = { isAsOrdered: true, charge: { amount: 1_000_000, lines: [] }, warnings: [] };
const anyVerdict = fc.constantFrom<Verdict>(AS_ORDERED, {
  isAsOrdered: false,
  message: 'a video was ordered, the engine delivered image/png',
});

const anyShut = fc.option(
  fc.record({
    subject: fc.constant('alpha'),
    kind: fc.constantFrom(
      'outage' as const,
      'pause' as const,
      'spend_limit' as const,
      'not_loaded' as const,
      'rate' as const,
    ),
    fault: fc.constantFrom(...UPSTREAM_FAULTS),
    call: fc.constantFrom('start' as const, 'check' as const),
    message: fc.constant('alpha is down'),
    times: fc.integer({ min: 0, max: 3 }),
    since: fc.constant(NOW - 1000),
    retry_at: fc.constantFrom(NOW - 1, NOW + 10_000, NOW + 300_000),
  }),
);

export const anyFacts: fc.Arbitrary<Facts> = fc
  .record({
    chance: fc.double({ min: 0, max: 0.999, noNaN: true }),
    engine: fc.oneof(
      fc.constant(null),
      fc.constant({ isRepeatable: true, isFree: true, idempotency: 'replays' as const }),
      fc.record({
        isRepeatable: fc.constant(false),
        isFree: fc.boolean(),
        idempotency: fc.constantFrom(...IDEMPOTENCY_KINDS, 'none' as const),
      }),
    ),
    isCancelWanted: fc.boolean(),
    isResubmission: fc.boolean(),
    isExcluded: fc.constantFrom(false, false, false, true),
    isTest: fc.boolean(),
    shut: fc.record({ engine: anyShut, route: anyShut }),
    hasRoute: fc.boolean(),
    isSuspended: fc.constantFrom(false, false, false, false, false, false, false, true),
    isMemoryFull: fc.boolean(),
    hasAnswer: fc.boolean(),
    wasNotSent: fc.boolean(),
    awaitsCallback: fc.boolean(),
    typicalSeconds: fc.constantFrom(null, 20),
  })
  .map(({ hasRoute, ...facts }) => ({
    ...facts,
    now: NOW,
    nextRoute: () =>
      hasRoute
        ? { route: { engine: 'beta', model: null, parameters: null, fixed: {}, tried: [] }, queue: 'beta:live' }
        : null,
    settings: { softDeadlineMs: 600_000, routePatienceMs: 45_000, upstreamWaitMs: 300_000 },
  }));

const anyFault = fc.record({
  class: fc.constantFrom<EngineErrorClass>(...UPSTREAM_FAULTS, 'invalid_input', 'content_policy'),
  took: fc.constantFrom('no' as const, 'no' as const, 'yes' as const, 'unknown' as const),
  message: fc.constant('alpha says no'),
  retryAfterMs: fc.constantFrom(null, 500, 600_000),
  scope: fc.constantFrom('engine' as const, 'route' as const),
  elsewhere: fc.boolean(),
});

const ANY_EVENT: { readonly [T in EventType]: fc.Arbitrary<EventOf<T>> } = {
  claimed: fc.constant({ type: 'claimed' }),
  prepared: fc.constantFrom<EventOf<'prepared'>>(
    { type: 'prepared', preparation: { ready: true } },
    { type: 'prepared', preparation: { ready: false, failure: { code: 'content_policy', message: 'no' } } },
  ),
  submission_blocked: fc.constant({ type: 'submission_blocked' }),
  route_excluded: fc.constant({ type: 'route_excluded', reason: 'its retention is unknown' }),
  no_slot: fc.constant({ type: 'no_slot' }),
  slot_claimed: fc.constant({ type: 'slot_claimed' }),
  start_failed: anyFault.map((fault) => ({ type: 'start_failed', fault })),
  machine_short: fc.constant({ type: 'machine_short' }),
  file_unreadable: fc.constant({ type: 'file_unreadable' }),
  file_gone: fc.constant({ type: 'file_gone' }),
  searched: fc.constantFrom('nothing' as const, 'elsewhere' as const).map((found) => ({ type: 'searched', found })),
  stored: fc.constantFrom(null, 0, 1000).map((checkAfterMs) => ({ type: 'stored', checkAfterMs })),
  same_job: fc.constant({ type: 'same_job', job: JOB, taskId: 'img_0' }),
  checked: fc.constantFrom<EventOf<'checked'>>(
    { type: 'checked', checked: { status: 'pending' } },
    { type: 'checked', checked: { status: 'pending', progress: 50, checkAfterMs: 100, estimatedSeconds: 3 } },
    { type: 'checked', checked: { status: 'canceled' } },
    { type: 'checked', checked: { status: 'lost', message: 'alpha no longer knows the order' } },
    { type: 'checked', checked: { status: 'failed', error: { code: 'upstream_error', message: 'no' } } },
    { type: 'checked', checked: { status: 'failed', error: { code: 'content_policy', message: 'no' } } },
    { type: 'checked', checked: { status: 'failed', error: { code: 'timeout', message: 'no' }, lateResult: true } },
    { type: 'checked', checked: { status: 'succeeded', delivery: DELIVERY } },
  ),
  check_failed: anyFault.map((fault) => ({ type: 'check_failed', fault })),
  collected: fc
    .tuple(fc.constantFrom(null, 'refused'), anyVerdict)
    .map(([refusal, verdict]) => ({ type: 'collected', delivery: DELIVERY, outputs: [], refusal, verdict })),
  collect_failed: fc.tuple(fc.boolean(), fc.constantFrom(DELIVERY, HOSTED)).map(([mayPass, delivery]) => ({
    type: 'collect_failed',
    delivery,
    message: 'it is broken',
    error: new Error('broken'),
    mayPass,
    address: null,
  })),
  broke_off: fc.record({
    type: fc.constant('broke_off' as const),
    cause: fc.constantFrom('claim_lost' as const, 'interrupted' as const, 'storage' as const, 'other' as const),
    couldNotSettle: fc.boolean(),
  }),
};

export const EVENT_TYPES = Object.keys(ANY_EVENT) as EventType[];

export function anyEvent(type: EventType): fc.Arbitrary<TaskEvent> {
  return ANY_EVENT[type];
}
