import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { copyDatabase } from '../src/database/copy-database.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { createTask } from '../src/orders/create-task.ts';
import { openTestDatabase } from './helpers/databases.ts';
import { insertKey, openTestServices } from './helpers/task-services.ts';

const quiet = () => {};

/** An installation with a few of everything that orders leave behind. */
async function installation(t: TestContext, orders: number): Promise<Database> {
  const { services, database } = await openTestServices(t);
  const key = await insertKey(services, { creditLimit: 5e9, spendLimits: { day: 5e9, month: null, total: null } });
  for (let index = 0; index < orders; index++) {
    await createTask(services, key, {
      type: 'image',
      path: '/v1/images',
      body: { model_id: 'sketch', prompt: 'ein Füchslein \u{1F98A}' },
      idempotencyKey: `k-${index}`,
      simulate: null,
    });
  }
  await database.write('more', async (trx) => {
    const { builder } = trx;
    await trx.run(builder.insertInto('secrets').values({ name: 'file_signature', value: 'secret' }));
    await trx.run(builder.insertInto('queues').values({ name: 'a', clock: 1.5 }));
    await trx.run(
      builder
        .insertInto('valves')
        .values({ subject: 'model:a', kind: 'switched_off', since: 7, message: null, times: 1 }),
    );
    await trx.run(
      builder.insertInto('files').values({
        id: 'file_1',
        api_key_id: key.id,
        storage_key: 'uploads/1',
        kind: 'video',
        content_type: 'video/mp4',
        bytes: 2 ** 40,
        width: 1,
        height: 2,
        duration_seconds: 2.027,
        sha256: '',
        created_at: 1,
        expires_at: 2,
        erased_at: null,
      }),
    );
  });
  return database;
}

for (const kind of ['postgres', 'sqlite'] as const) {
  test(`a whole installation is moved into ${kind}, and moving it again changes nothing`, async (t) => {
    const from = await installation(t, 230);
    const { database: to, openAnother } = await openTestDatabase(t, kind);
    const seen: number[] = [];
    const report = await copyDatabase(from, to, ({ rows }) => seen.push(rows));
    assert.equal(report.wasAlreadyCopied, false);
    const rows = Object.fromEntries(report.tables.map((table) => [table.table, table.rows]));
    assert.equal(rows.tasks, 230);
    assert.equal(rows.ledger, 230);
    assert.deepEqual([rows.files, rows.valves, rows.spending, rows.idempotency], [1, 1, 1, 230]);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
    const again = await copyDatabase(from, to, quiet);
    assert.deepEqual(again, { tables: report.tables, wasAlreadyCopied: true });
    await (await openAnother()).write('theirs', (trx) =>
      trx.run(trx.builder.insertInto('queues').values({ name: 'theirs', clock: 1 })),
    );
    await assert.rejects(copyDatabase(from, to, quiet), /moved before, and since then one side has been written to/);
  });
}

test('a target that holds other data is left alone', async (t) => {
  const from = await installation(t, 1);
  const { database: to } = await openTestDatabase(t, 'postgres');
  await to.write('theirs', (trx) => trx.run(trx.builder.insertInto('queues').values({ name: 'theirs', clock: 1 })));
  await assert.rejects(copyDatabase(from, to, quiet), /holds other data/);
  assert.equal((await to.read.all(to.read.builder.selectFrom('tasks').select('id'))).length, 0);
});

test('a copy that was cut off is no database to start on, and is finished by the next run', async (t) => {
  const from = await installation(t, 205);
  const { database: to, address } = await openTestDatabase(t, 'postgres');
  const cutOff = copyDatabase(from, to, ({ table, rows }) => {
    if (table === 'tasks' && rows > 200) throw new Error('the power went');
  });
  await assert.rejects(cutOff, /the power went/);
  await assert.rejects(openDatabase(address), /half of what darkroom migrate/);
  const { wasAlreadyCopied, tables } = await copyDatabase(from, to, quiet);
  assert.equal(wasAlreadyCopied, false);
  assert.equal(tables.find(({ table }) => table === 'tasks')?.rows, 205);
  await (await openDatabase(address)).close();
});

test('a source that is written to while it is moved is noticed', async (t) => {
  const from = await installation(t, 3);
  const { database: to } = await openTestDatabase(t, 'sqlite');
  let written: Promise<unknown> | null = null;
  const copied = copyDatabase(from, to, ({ table }) => {
    if (table === 'tasks')
      written ??= from.write('late', (trx) =>
        trx.run(trx.builder.updateTable('queues').set({ clock: 99 }).where('name', '=', 'a')),
      );
  });
  await assert.rejects(copied, /written to meanwhile|not the same/);
  await written;
});
