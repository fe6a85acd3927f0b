import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewSpending } from '@darkroom-service/addition-common/limits/scope-spending';
import { formatMicros } from '@darkroom-service/contract';
import type { OrderingKey } from '@darkroom-service/darkroom/kernel';
import { uploadKey } from '@darkroom-service/darkroom/kernel-orders';
import fc from 'fast-check';
import { balanceOf } from '../../../src/accounts/ledger.ts';
import { cancelBatch } from '../../../src/additions/batches/cancel-batch.ts';
import { cancelPortion } from '../../../src/additions/batches/cancel-portion.ts';
import { BatchDraft } from '../../../src/additions/batches/draft-batch.ts';
import { endBatch } from '../../../src/additions/batches/end-batch.ts';
import { placePortion } from '../../../src/additions/batches/feed-batch.ts';
import { findBatchRow } from '../../../src/additions/batches/find-batches.ts';
import { placeBatch } from '../../../src/additions/batches/place-batch.ts';
import { claimWork } from '../../../src/database/work.ts';
import { insertFile } from '../../../src/order-files/new-file.ts';
import { type StoredOutput, taskFileKey } from '../../../src/record/task.ts';
import { auditDaySums } from '../../../src/service/doctor/audit-day-sums.ts';
import { auditEndUsers } from '../../../src/service/doctor/audit-end-users.ts';
import { auditBalances, auditSettlements } from '../../../src/service/doctor/audit-ledger.ts';
import type { TaskServices } from '../../../src/tasks/task-services.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { placeOrder } from '../../../test/helpers/ended-order.ts';
import { findInTables } from '../../../test/helpers/find-text.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { commitEnding } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { readKeyUsage } from '../../operator/src/key-usage.ts';
import { digestOf, findRequest, requestErasure } from './data-requests.ts';
import { eraseSubject } from './erase-subject.ts';
import { parseKnownErasure, repeatErasure, repeatRecordedErasures } from './known-erasures.ts';

const MARK = 'Melusine';
const OTHER = 'Otfried';

const order = fc.record({
  user: fc.constantFrom(MARK, OTHER),
  ends: fc.constantFrom('succeeded', 'failed', 'queued', 'erased'),
});
const plan = fc.record({
  orders: fc.array(order, { minLength: 3, maxLength: 8 }),
  whole: fc.boolean(),
  isLimited: fc.boolean(),
  /** After how many calls of database and storage each attempt but the last one dies. */
  deaths: fc.array(fc.nat({ max: 60 }), { maxLength: 4 }),
});

forEachDatabase((kind) => {
  test('wherever an erasure is killed, it goes on: nothing of the person is left, others and the books stay', async (t) => {
    const opened = await openTestServices(t, kind);
    const { services, clock, database } = opened;
    const { read } = database;
    await fc.assert(
      fc.asyncProperty(plan, async ({ orders, whole, isLimited, deaths }) => {
        const key = await insertKey(services);
        const stored: string[] = [];
        for (const { user, ends } of orders) stored.push(...(await place(services, key, user, ends)));
        stored.push(await upload(services, key, MARK), await upload(services, key, OTHER));
        clock.advance(60_000);
        if (isLimited) await limit(services, key);
        const books = await booksOf(services, key, clock.now());
        const { read: rows } = database;
        const kept = await rows.all(rows.builder.selectFrom('tasks').select('id').where('end_user', '=', OTHER));
        const by = { actor: 'test', now: clock.now(), createId: services.createId };
        const subject = { accountId: key.account.id, endUser: whole ? null : MARK };
        const { erasure_id: id } = await requestErasure(kernelOf(services), by, subject);
        clock.advance(60_000);
        const isOpen = async () => (await findRequest(read, id))?.completed_at === null;
        for (const calls of deaths) if (await isOpen()) await attempt(dying(services, calls), id).catch(assertDied);
        for (let left = 3; left > 0 && (await isOpen()); left--) await attempt(services, id);
        assert.equal(await isOpen(), false);

        assert.deepEqual(await findInTables(database, MARK), []);
        for (const file of stored) {
          const isGone = whole || file.startsWith(MARK);
          assert.equal((await services.storage.stat(file.split(' ')[1]!)) === null, isGone, file);
        }
        const still = await rows.all(rows.builder.selectFrom('tasks').select('id').where('end_user', '=', OTHER));
        assert.deepEqual(still, whole ? [] : kept);
        assert.deepEqual(await booksOf(services, key, clock.now()), books);
        for (const { faults } of await Promise.all([
          auditBalances(read),
          auditSettlements(read),
          auditEndUsers(read, clock.now()),
          auditDaySums(read),
        ]))
          assert.deepEqual(faults, []);
        if (!whole) await forgetOthers(services, key);
      }),
      { numRuns: 6 },
    );
  });

  test('a kill before any single call of an erasure leaves nothing behind once it has gone on', async (t) => {
    const { services, clock, database } = await openTestServices(t, kind);
    for (let calls = 0, hasDied = true; hasDied; calls++) {
      const key = await insertKey(services);
      const files = [...(await place(services, key, MARK, 'succeeded')), await upload(services, key, MARK)];
      const by = { actor: 'test', now: clock.now(), createId: services.createId };
      const { erasure_id: id } = await requestErasure(kernelOf(services), by, {
        accountId: key.account.id,
        endUser: MARK,
      });
      clock.advance(60_000);
      await attempt(dying(services, calls), id).catch(assertDied);
      hasDied = (await findRequest(database.read, id))?.completed_at === null;
      if (hasDied) await attempt(services, id);
      assert.deepEqual(await findInTables(database, MARK), []);
      for (const file of files)
        assert.equal(await services.storage.stat(file.split(' ')[1]!), null, `${calls}: ${file}`);
    }
  });

  test('a database that is older than an erasure is cleaned again, from the storage or from a list', async (t) => {
    const { services, clock, database } = await openTestServices(t, kind);
    const key = await insertKey(services);
    await place(services, key, MARK, 'succeeded');
    const by = { actor: 'test', now: clock.now(), createId: services.createId };
    const { erasure_id: id } = await requestErasure(kernelOf(services), by, {
      accountId: key.account.id,
      endUser: MARK,
    });
    clock.advance(60_000);
    const known = { erasure_id: id, account_id: key.account.id, requested_at: by.now };
    const digest = (await findRequest(database.read, id))?.end_user_digest ?? null;
    await attempt(services, id);
    assert.deepEqual(await findInTables(database, MARK), []);
    assert.equal(await repeatRecordedErasures(kernelOf(services), () => by), 0, 'the database knows it');
    for (const again of [
      () => repeatRecordedErasures(kernelOf(services), () => by),
      async () => Number(await repeatErasure(kernelOf(services), by, { ...known, end_user_digest: digest })),
    ]) {
      // As a backup from before has it.
      await database.write('test', (trx) => trx.run(trx.builder.deleteFrom('data_requests')));
      await place(services, key, MARK, 'failed', by.now - 1);
      assert.equal(await again(), 1);
      await attempt(services, id);
      assert.deepEqual(await findInTables(database, MARK), []);
    }
    await database.write('test', (trx) => trx.run(trx.builder.deleteFrom('data_requests')));
    assert.equal(await repeatRecordedErasures(kernelOf(services), () => by), 0, 'there is nothing to erase');
    assert.notEqual((await findRequest(database.read, id))?.completed_at, null);
    assert.equal(parseKnownErasure('{"erasure_id":"era_1"}'), null);
  });

  test('an erasure of an account or an end user knows orders of a batch that are no tasks yet, waits for them, and empties the batch', async (t) => {
    const { services, clock, database } = await openTestServices(t, kind);
    for (const whose of ['account', 'end user', 'end user whose batch ends later']) {
      const key = await insertKey(services);
      const batch = await placeBatchOf(services, key, MARK);
      const [usage] = await readKeyUsage(database.read, services.hooks, [key.id], 0);
      assert.deepEqual([usage?.held, usage?.charged], [formatMicros(batch.quoted), '0.00']);
      const digest = whose === 'account' ? null : digestOf(key.account.id, MARK);
      const known = { erasure_id: services.createId('era'), account_id: key.account.id, end_user_digest: digest };
      const by = { actor: 'test', now: clock.now(), createId: services.createId };
      assert.equal(
        await repeatErasure(kernelOf(services), by, { ...known, requested_at: by.now }),
        true,
        'the name is known',
      );
      clock.advance(60_000);
      await attempt(services, known.erasure_id);
      assert.equal((await findRequest(database.read, known.erasure_id))?.waiting, 1, whose);
      const waiting = await findBatchRow(kernelOf(services), key, batch.id);
      assert.equal(
        waiting.cancel_requested_at !== null,
        whose === 'account',
        'nothing places orders of a closed account',
      );
      if (whose !== 'account') await cancelBatch(kernelOf(services), key, batch.id);
      await placePortion(kernelOf(services), batch.id);
      await cancelPortion(kernelOf(services), batch.id);
      const endsLater = whose === 'end user whose batch ends later';
      if (!endsLater) await endBatch(kernelOf(services), batch);
      await database.write('test_due', (trx) => trx.run(trx.builder.updateTable('work').set({ due_at: 0 })));
      await attempt(services, known.erasure_id);
      assert.notEqual((await findRequest(database.read, known.erasure_id))?.completed_at, null, whose);
      assert.deepEqual(await findInTables(database, MARK), []);
      if (endsLater) await endBatch(kernelOf(services), batch);
      const emptied = await findBatchRow(kernelOf(services), key, batch.id);
      assert.deepEqual([emptied.metadata_json, emptied.webhook_url, emptied.status], ['{}', null, 'canceled']);
    }
  });
});

/** Places a batch of two orders, none of which is a task yet. */
async function placeBatchOf(services: TaskServices, key: OrderingKey, user: string) {
  const drafting = new BatchDraft(kernelOf(services), key, { withFingerprint: false });
  const body = { model_id: 'sketch', prompt: `a fox ${user}`, end_user: user };
  for (const name of ['first', 'second']) await drafting.add(name, { operation: 'images', body });
  const webhookUrl = `https://example.com/${user}`;
  const fields = { maxPrice: null, maxParallel: null, deliverTo: null, webhookUrl, metadata: { note: user } };
  const { batch } = await placeBatch(kernelOf(services), key, { draft: await drafting.finish(), fields, claim: null });
  return await findBatchRow(kernelOf(services), key, batch.batch_id);
}

/** Places an order that has a file and the mark wherever an order can have it. @returns its files */
async function place(
  services: TaskServices,
  key: OrderingKey,
  user: string,
  ends: 'succeeded' | 'failed' | 'queued' | 'erased',
  createdAt?: number,
): Promise<string[]> {
  const body = { model_id: 'sketch', prompt: `a fox ${user}`, end_user: user, metadata: { note: user } };
  const row = await placeOrder(services, key, 'image', { ...body, webhook_url: `https://example.com/${user}` });
  await services.database.write('test', async (trx) => {
    const { builder } = trx;
    if (createdAt !== undefined)
      await trx.run(
        builder
          .updateTable('tasks')
          .set({ created_at: createdAt } as object)
          .where('id', '=', row.id),
      );
    const own = { task_id: row.id, batch_id: 'bat_1', position: 0, name: user, state: 'open' } as const;
    await trx.run(builder.insertInto('batch_orders').values({ ...own, price: row.price, charged: null }));
    await trx.run(
      builder.insertInto('reconciliation').values({
        id: services.createId('rec'),
        task_id: row.id,
        kind: 'late_result',
        created_at: 1,
        detail_json: JSON.stringify({ engine: 'sketch', message: user }),
        resolved_at: null,
        resolution: null,
      }),
    );
    await trx.run(
      builder
        .updateTable('idempotency')
        .set({ idempotency_key: `${user} ${row.id}` } as object)
        .where('subject_id', '=', row.id),
    );
  });
  if (ends === 'queued') return [];
  if (ends === 'failed') {
    const failure = { code: 'content_policy', message: `refused: ${user}`, retryable: false } as const;
    assert.ok(await commitEnding(services, 'settle', row, { status: 'failed', failure }));
    return [];
  }
  const file = taskFileKey(row.id, 1, '0.png');
  await services.storage.put(file, Buffer.from(user), { contentType: 'image/png', maxBytes: 100 });
  const output = { key: file, contentType: 'image/png', bytes: 8, sha256: row.id, revisedPrompt: user };
  const charge = { amount: row.price, lines: [] };
  const outputs = [output as unknown as StoredOutput];
  assert.ok(await commitEnding(services, 'settle', row, { status: 'succeeded', outputs, keep: null, charge }));
  if (ends === 'erased') {
    const { eraseTask } = await import('../../../src/erasure/erase-task.ts');
    await eraseTask(services, row.id, { deletedAt: null });
    return [];
  }
  return [`${user} ${file}`];
}

async function upload(services: TaskServices, key: OrderingKey, user: string): Promise<string> {
  const id = services.createId('file');
  const media = {
    key: uploadKey(id),
    contentType: 'image/png',
    bytes: 8,
    width: 1,
    height: 1,
    durationSeconds: null,
    hasAudio: null,
  };
  await services.storage.put(media.key, Buffer.from(user), { contentType: 'image/png', maxBytes: 100 });
  const times = { now: services.clock.now(), expiresAt: services.clock.now() + 86_400_000 };
  await services.database.write('test', (trx) =>
    insertFile(trx, { id, sha256: id, kind: 'image', media }, { keyId: key.id, endUser: user }, times),
  );
  return `${user} ${media.key}`;
}

async function limit({ database }: TaskServices, key: OrderingKey): Promise<void> {
  const row = { api_key_id: key.id, end_user: MARK, limits_json: '{"day":5}' };
  await database.write('test', (trx) => trx.run(trx.builder.insertInto('end_users').values(row)));
}

/** What must not change: charges, ledger, balance and what each end user has spent. */
async function booksOf({ database: { read }, hooks }: TaskServices, key: OrderingKey, now: number) {
  const ledger = await read.all(
    read.builder
      .selectFrom('ledger')
      .selectAll()
      .where('account_id', '=', key.account.id)
      .where('kind', '=', 'charge')
      .orderBy('task_id'),
  );
  const spent = [];
  for (const endUser of [MARK, OTHER]) {
    const { total } = await viewSpending(read, { keyId: key.id, endUser, zone: 'UTC' }, { now, hooks });
    spent.push(total.charged);
  }
  const balance = await balanceOf(read, key.account.id, 'live');
  const held = await read.first(
    read.builder
      .selectFrom('tasks')
      .select(({ fn }) => fn.sum<number>('price').as('sum'))
      .where('api_key_id', '=', key.id)
      .where('step', '<>', 'final'),
  );
  return { ledger, spent, settled: balance + Number(held?.sum ?? 0) };
}

/** Claims the erasure, as the process that takes over after a kill does, and carries it out. */
async function attempt(services: TaskServices, id: string): Promise<void> {
  const claims = await services.database.write('test_claim', (trx) =>
    claimWork(trx, { kind: 'erasure', limit: 10, leaseMs: 0, except: [] }),
  );
  const claim = claims.find(({ subject }) => subject === id);
  assert.ok(claim, 'the erasure is still to be done');
  await eraseSubject(kernelOf(services), claim, new AbortController().signal);
}

class Died extends Error {}

function assertDied(error: unknown): void {
  if (!(error instanceof Died)) throw error;
}

/** Services that die before one of their writes, after so many, and answer nothing from then on. */
function dying(services: TaskServices, calls: number): TaskServices {
  // The claim is the process's first write.
  let left = calls + 1;
  const orDie = <T extends object>(target: T, names: readonly string[]): T =>
    new Proxy(target, {
      get(owner, name) {
        const value: unknown = Reflect.get(owner, name, owner);
        if (typeof value !== 'function') return value;
        return (...all: unknown[]) => {
          if (names.includes(String(name)) && left-- <= 0) throw new Died();
          return (value as (...all: unknown[]) => unknown).apply(owner, all);
        };
      },
    });
  return {
    ...services,
    database: orDie(services.database, ['write']),
    storage: orDie(services.storage, ['put', 'remove']),
  };
}

/** So that the next round's search finds only its own. */
async function forgetOthers({ database }: TaskServices, key: OrderingKey): Promise<void> {
  await database.write('test', (trx) =>
    trx.run(
      trx.builder
        .updateTable('tasks')
        .set({ end_user: 'earlier' })
        .where('api_key_id', '=', key.id)
        .where('end_user', '=', OTHER),
    ),
  );
}
