import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DELAY_CODES } from '@darkroom-service/contract';
import { GATES } from '../queue/gates.ts';
import type { ViewRow } from '../record/task-columns.ts';
import { viewDelay } from './task-delay.ts';
import { delayOf } from './task-view.ts';

const NOW = 1_000_000;
const SINCE = NOW - 10_000;
const ROW = {
  id: 'img_1',
  model_id: 'painted',
  route_json: '{"engine":"pool","model":"large","refused_at":990001}',
  created_at: SINCE,
  started_at: null,
  step: 'waiting',
  gates: 0,
  claimable: 1,
  next_at: NOW + 5_000,
};

interface Facts {
  readonly row?: Partial<ViewRow>;
  readonly obstacle?: string | null;
  readonly heldSince?: number | null;
  readonly storage?: number | null;
  readonly isSpoolAway?: boolean;
  readonly hasNoWorker?: boolean;
  readonly engine?: string;
}

function delay({ row = {}, obstacle = null, engine = 'pool', ...facts }: Facts) {
  const asked: (string | null)[] = [];
  const services = {
    clock: { now: () => NOW },
    routing: {
      kindOf: () => 'painter',
      obstacleOf: (_: string, __: string, model: string | null) => {
        asked.push(model);
        return obstacle === null ? null : { code: obstacle, since: SINCE, retryAt: NOW };
      },
    },
    obstacles: {
      heldSince: () => facts.heldSince ?? null,
      storageAwaySince: () => facts.storage ?? null,
      isSpoolAway: () => facts.isSpoolAway ?? false,
      hasNoWorker: () => facts.hasNoWorker ?? false,
    },
  } as never;
  const found = viewDelay(services, delayOf(services, { ...ROW, ...row } as ViewRow, engine), engine);
  return { ...found, asked };
}

/** For each code the facts that alone cause it. Each cause hides those that follow. */
const CASES: readonly (readonly [(typeof DELAY_CODES)[number], Facts])[] = [
  ['parent', { row: { gates: GATES.parent } }],
  ['batch', { row: { gates: GATES.batch } }],
  ['held', { heldSince: SINCE }],
  ['inputs', { row: { gates: GATES.reference } }],
  ['step', { row: { gates: 2 ** 9 } }],
  ...(
    [
      'model_paused',
      'upstream_paused',
      'upstream_refuses',
      'upstream_away',
      'upstream_not_ready',
      'upstream_pause',
      'upstream_limit',
    ] as const
  ).map((code) => [code, { obstacle: code }] as const),
  ['storage', { isSpoolAway: true }],
  ['no_process', { hasNoWorker: true }],
  ['upstream_declined', { row: { step: 'deferred', started_at: SINCE } }],
  ['key_limit', { row: { claimable: 0 } }],
  ['turn', {}],
];

test('an order that waits tells the cause that lasts longest, and every code has a cause', () => {
  for (const [code, facts] of CASES) assert.equal(delay(facts).delay?.code, code);
  assert.deepEqual(new Set(CASES.map(([code]) => code)), new Set(DELAY_CODES));
  const causes = CASES.filter(([code]) => !/^upstream_|^key|^turn/.test(code));
  for (const [at, [code, facts]] of causes.entries())
    for (const [, later] of causes.slice(at)) {
      const row = { ...later.row, ...facts.row, gates: (later.row?.gates ?? 0) | (facts.row?.gates ?? 0) };
      assert.equal(delay({ ...later, ...facts, row }).delay?.code, code);
    }
});

test('the words name neither the instance nor an operation, and only an upstream is named by its kind', () => {
  for (const [code, facts] of CASES) {
    const { delay: found } = delay(facts);
    assert.ok(found !== undefined);
    assert.equal(found.upstream, code.startsWith('upstream_') || code === 'turn' ? 'painter' : null, code);
    assert.doesNotMatch(JSON.stringify(found), /pool/);
    assert.match(found.message, /^[A-Z].*\.$/);
    assert.match(found.ends_when, /^[a-z].*[a-z]$/);
  }
});

test('an order with the key of its account tells that this key is refused', () => {
  const facts = { obstacle: 'upstream_refuses' };
  assert.match(delay(facts).delay?.message ?? '', /access of the service/);
  assert.match(delay({ ...facts, engine: 'fal@upk_1' }).delay?.message ?? '', /your account's key/);
});

test('a refused order asks for the state of its upstream model, and tells when it is sent again', () => {
  const { delay: found, asked } = delay({ row: { step: 'deferred', started_at: SINCE } });
  assert.deepEqual(
    [found?.since, found?.retry_at],
    [new Date(990_001).toISOString(), new Date(NOW + 5_000).toISOString()],
  );
  assert.deepEqual([asked, delay({}).asked], [['large'], [null]]);
});

test('an order that an upstream has is delayed by nothing but the storage', () => {
  const row = { step: 'running', started_at: SINCE } as const;
  for (const [, { row: _, ...facts }] of CASES) assert.deepEqual(delay({ ...facts, row }).delay, undefined);
  const { delay: found, delayed_by } = delay({ row, storage: SINCE });
  assert.deepEqual([found?.code, found?.since, delayed_by], ['storage', new Date(SINCE).toISOString(), 'storage']);
});
