import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract';
import fc from 'fast-check';
import { claimTasks } from '../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { insertProcess } from '../../test/helpers/insert-process.ts';
import { commitEnding, commitMove, commitRelease } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import type { OrderingKey } from '../accounts/api-key.ts';
import { balanceOf } from '../accounts/ledger.ts';
import { cancelTask } from '../orders/cancel-task.ts';
import { createTask } from '../orders/create-task.ts';
import { isFinal, type TaskRow, type TaskStep } from '../record/task.ts';
import { VIEW_COLUMNS } from '../record/task-columns.ts';
import { readTask } from '../record/task-record.ts';
import { LostClaim } from '../tasks/move-task.ts';
import type { Ending } from '../tasks/settle-task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { CLAIM_BEYOND_DEADLINE_MS } from './claim-tasks.ts';
import { type Scope, takeOverWithin } from './ownership/take-over.ts';
import { storeProgress } from './store-progress.ts';

const QUEUES = [{ name: 'sketch:live', capacity: 3 }];
const STEPS = ['preparing', 'submitting', 'deferred', 'running'] as const satisfies readonly TaskStep[];

type Move =
  | { readonly kind: 'create' }
  | { readonly kind: 'claim'; readonly limit: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'move'; readonly claim: number; readonly step: (typeof STEPS)[number] }
  | { readonly kind: 'progress'; readonly claim: number; readonly progress: number }
  | { readonly kind: 'let go'; readonly claim: number }
  | { readonly kind: 'take over'; readonly scope: Scope }
  | { readonly kind: 'settle'; readonly claim: number; readonly status: Ending['status']; readonly share: number }
  | { readonly kind: 'cancel'; readonly task: number };

const SCOPES: readonly Scope[] = [
  { withoutTrace: { queues: [] } },
  { withoutTrace: { queues: ['sketch:live'] } },
  { withoutTrace: { otherThan: ['sketch:live'] } },
  { withoutTrace: 'all' },
];

const nth = fc.nat({ max: 20 });
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Move>({ kind: 'create' }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 15_001, 8 * 3_600_000) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('move' as const), claim: nth, step: fc.constantFrom(...STEPS) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('progress' as const),
      claim: nth,
      progress: fc.integer({ min: -10, max: 120 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('let go' as const), claim: nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('take over' as const), scope: fc.constantFrom(...SCOPES) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      claim: nth,
      status: fc.constantFrom('succeeded' as const, 'failed' as const, 'canceled' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), task: nth }) },
);

forEachDatabase((kind) => {
  test('any interleaving of moves settles a task exactly once, and the balance is the sum of the ledger', async (t) => {
    const { services, clock } = await openTestServices(t, kind);
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 40 }), async (moves) => {
        const key = await insertKey(services);
        const claims: TaskRow[] = [];
        let before = new Map<string, TaskRow>();
        for (const each of moves) {
          await apply(services, key, claims, each, clock);
          before = await assertPromises(services, key, before);
        }
        await finishAll(services, key);
        for (const row of (await assertPromises(services, key, before)).values())
          assert.ok(isFinal(row.status), `${row.id} ended as ${row.status}`);
      }),
      { numRuns: kind === 'sqlite' ? 300 : 50 },
    );
  });
});

async function apply(
  services: TaskServices,
  key: OrderingKey,
  claims: TaskRow[],
  each: Move,
  clock: { advance(ms: number): void },
): Promise<void> {
  // Claims are kept after they were lost: a late worker goes on with the row it once read.
  const claim = 'claim' in each ? claims[each.claim % Math.max(1, claims.length)] : undefined;
  try {
    switch (each.kind) {
      case 'create':
        await createTask(services, key, {
          type: 'image',
          path: '/v1/images',
          body: { model_id: 'sketch', prompt: 'a fox' },
          idempotencyKey: null,
          simulate: null,
        });
        return;
      case 'claim':
        claims.push(...(await claimTasks(services.database, { worker: 'test', queues: QUEUES, limit: each.limit })));
        return;
      case 'take over':
        return await takeOverFrom(services, 'test', each.scope);
      case 'wait':
        return clock.advance(each.ms);
      case 'cancel': {
        const ids = await idsOf(services, key);
        const id = ids[each.task % Math.max(1, ids.length)];
        if (id !== undefined) await cancelTask(services, key, 'image', id);
        return;
      }
    }
    if (claim === undefined) return;
    if (each.kind === 'move') {
      const moved = await commitMove(services, readTask(claim), each.step);
      assert.equal(moved.fence, claim.fence, 'a late worker changes nothing');
    }
    if (each.kind === 'progress')
      await storeProgress(services, claim, { progress: each.progress, estimatedEndAt: null });
    if (each.kind === 'let go') await commitRelease(services, claim, { afterMs: 0, attempts: 1 });
    if (each.kind === 'settle')
      await commitEnding(services, 'settle', claim, endingOf(each.status, Math.floor(claim.price * each.share)));
  } catch (error) {
    if (!(error instanceof LostClaim) && !(error instanceof ServiceError && error.code === 'not_cancelable'))
      throw error;
  }
}

/** Whatever another process may think of the owner. */
async function takeOverFrom(services: TaskServices, owner: string, scope: Scope): Promise<void> {
  await services.database.write('take_over', async (trx) => {
    await trx.lock(`process:${owner}`);
    await insertProcess(trx, owner);
    await takeOverWithin(trx, { id: owner, beats: 1 }, scope);
  });
}

function endingOf(status: Ending['status'], amount: number): Ending {
  if (status === 'succeeded') return { status, outputs: [], keep: null, charge: { amount, lines: [] } };
  return status === 'failed' ? { status, failure: { code: 'upstream_error', message: 'test' } } : { status };
}

async function idsOf(services: TaskServices, key: OrderingKey): Promise<string[]> {
  const { read } = services.database;
  return (
    await read.all(read.builder.selectFrom('tasks').select('id').where('api_key_id', '=', key.id).orderBy('id'))
  ).map((row) => row.id);
}

async function assertPromises(
  services: TaskServices,
  key: OrderingKey,
  before: Map<string, TaskRow>,
): Promise<Map<string, TaskRow>> {
  const { read } = services.database;
  const ofKey = read.builder.selectFrom('tasks').where('api_key_id', '=', key.id).orderBy('id');
  const stored = await read.all(ofKey.selectAll());
  const shown = await read.all(ofKey.select(VIEW_COLUMNS));
  const rows = stored.map((row, place) => ({ ...row, ...shown[place] }));
  const entries = await read.all(
    read.builder.selectFrom('ledger').selectAll().where('account_id', '=', key.account.id),
  );
  let owed = 0;
  for (const row of rows) {
    const earlier = before.get(row.id);
    if (earlier !== undefined) {
      if (isFinal(earlier.status)) assert.deepEqual(row, earlier, 'final is final');
      assert.ok(row.progress >= earlier.progress, 'progress never falls');
      if (row.progress > earlier.progress) assert.ok(row.revision > earlier.revision, 'progress is a new revision');
      if (row.status === 'succeeded') assert.equal(row.progress, 100);
      assert.ok(row.revision >= earlier.revision && row.fence >= earlier.fence);
      assert.ok(!(earlier.status === 'processing' && row.status === 'queued'), 'processing never goes back');
    }
    const own = entries.filter((entry) => entry.task_id === row.id);
    const amounts = (kind: string) => own.filter((entry) => entry.kind === kind).map((entry) => entry.amount);
    assert.deepEqual(amounts('hold'), [-row.price]);
    assert.deepEqual(amounts('release'), isFinal(row.status) ? [row.price] : []);
    const charged = row.status === 'succeeded' ? (row.charged ?? 0) : 0;
    assert.deepEqual(amounts('charge'), charged > 0 ? [-charged] : []);
    assert.ok(charged <= row.price, 'a charge never exceeds its hold');
    owed += isFinal(row.status) ? charged : row.price;
  }
  assert.equal((await balanceOf(read, key.account.id, 'live')) + owed, 0);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What a service does that is left alone: claims whatever is due and settles it. */
async function finishAll(services: TaskServices, key: OrderingKey): Promise<void> {
  const clock = services.clock as unknown as { advance(ms: number): void };
  for (let round = 0; round < 100; round++) {
    clock.advance(8 * 3_600_000 + CLAIM_BEYOND_DEADLINE_MS);
    const claimed = await claimTasks(services.database, { worker: 'last', queues: QUEUES, limit: 50 });
    for (const row of claimed) await commitEnding(services, 'settle', row, endingOf('failed', 0));
    const open = (await idsOf(services, key)).length - (await finalCount(services, key));
    if (open === 0) return;
  }
  assert.fail('tasks are left that nobody can claim');
}

async function finalCount(services: TaskServices, key: OrderingKey): Promise<number> {
  const { read } = services.database;
  return (
    await read.all(
      read.builder.selectFrom('tasks').select('id').where('api_key_id', '=', key.id).where('step', '=', 'final'),
    )
  ).length;
}
