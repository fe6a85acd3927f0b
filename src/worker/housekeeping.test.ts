import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '@darkroom-service/testing';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { createAccount } from '../accounts/accounts.ts';
import { advanceCheckpoints } from '../accounts/balance-checkpoints.ts';
import { addCredit, balanceOf } from '../accounts/ledger.ts';
import type { Database } from '../database/database.ts';
import { insertFile } from '../order-files/new-file.ts';
import { uploadKey } from '../order-files/own-files.ts';
import { taskFileKey } from '../record/task.ts';
import { Housekeeping } from './housekeeping.ts';

const DAY_MS = 86_400_000;
/** As many as housekeeping erases together. */
const TOGETHER = 16;
const options = { contentType: 'image/png', maxBytes: 10 };

test('a stop does not wait for the storage sweep, and an interrupted sweep removes nothing', async (t) => {
  const { services, clock } = await openTestServices(t);
  let listed = 0;
  const removed: string[] = [];
  const storage = {
    ...services.storage,
    async *list(prefix: string) {
      for (; ; listed++) {
        await turn();
        yield { key: `${prefix}aa/img_${listed}aa/1-0.png`, bytes: 1, changedAt: clock.now() - 2 * DAY_MS };
      }
    },
    remove: async (key: string) => void removed.push(key),
  };
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  const housekeeping = new Housekeeping({ ...services, storage });
  mock.timers.tick(60_000);
  await until(
    () => listed,
    (count) => count > 10,
  );
  await housekeeping.stop();
  assert.deepEqual(removed, []);
});

test('one housekeeping run removes everything that has expired', async (t) => {
  const { services, clock, database } = await openTestServices(t);
  const key = await insertKey(services);
  const ids = Array.from({ length: 450 }, () => services.createId('file'));
  const times = { now: clock.now(), expiresAt: clock.now() + DAY_MS };
  for (const id of ids) {
    const media = { key: uploadKey(id), contentType: 'image/png', bytes: 1 };
    const unmeasured = { width: null, height: null, durationSeconds: null, hasAudio: null };
    await database.write('test', (trx) =>
      insertFile(
        trx,
        { id, sha256: '', kind: 'image', media: { ...media, ...unmeasured } },
        { keyId: key.id, endUser: null },
        times,
      ),
    );
  }
  clock.advance(2 * DAY_MS);
  const housekeeping = new Housekeeping(services);
  await housekeeping.runOnce();
  await housekeeping.stop();
  const { read } = database;
  const left = await read.all(read.builder.selectFrom('files').select('id').where('erased_at', 'is', null));
  assert.equal(left.length, 0);
});

/** A storage in which each removal ends only when so many are under way. @returns the removed keys */
function removingTogether(services: Awaited<ReturnType<typeof openTestServices>>['services'], count: number) {
  const all = Promise.withResolvers<void>();
  const removed: string[] = [];
  const remove = async (key: string) => {
    if (removed.push(key) === count) all.resolve();
    await all.promise;
    await services.storage.remove(key);
  };
  return { removed, services: { ...services, storage: { ...services.storage, remove } } };
}

test('expired uploads are erased sixteen at a time', { timeout: 60_000 }, async (t) => {
  const opened = await openTestServices(t);
  const { clock, database } = opened;
  const { removed, services } = removingTogether(opened.services, TOGETHER);
  const key = await insertKey(services);
  const times = { now: clock.now(), expiresAt: clock.now() + DAY_MS };
  for (let count = 0; count < TOGETHER; count++) {
    const id = services.createId('file');
    const size = { width: null, height: null, durationSeconds: null, hasAudio: null };
    const media = { key: uploadKey(id), contentType: 'image/png', bytes: 1, ...size };
    await opened.services.storage.put(media.key, Buffer.from('x'), options);
    const file = { id, sha256: '', kind: 'image' as const, media };
    await database.write('test', (trx) => insertFile(trx, file, { keyId: key.id, endUser: null }, times));
  }
  clock.advance(2 * DAY_MS);
  const housekeeping = new Housekeeping(services);
  await housekeeping.runOnce();
  await housekeeping.stop();
  assert.equal(removed.length, TOGETHER);
});

test('expired tasks are erased sixteen at a time, with their files', { timeout: 60_000 }, async (t) => {
  const opened = await openTestServices(t);
  const { clock, database } = opened;
  const { removed, services } = removingTogether(opened.services, TOGETHER);
  for (let count = 0; count < TOGETHER; count++) {
    const id = services.createId('img');
    const file = taskFileKey(id, 1, '0.png');
    await opened.services.storage.put(file, Buffer.from('x'), options);
    await insertFinal(database, id, [{ key: file }], clock.now() + DAY_MS);
  }
  clock.advance(2 * DAY_MS);
  const housekeeping = new Housekeeping(services);
  await housekeeping.runOnce();
  await housekeeping.stop();
  assert.equal(new Set(removed).size, TOGETHER);
  const { read } = database;
  const left = await read.all(read.builder.selectFrom('tasks').select('id').where('erased_at', 'is', null));
  assert.deepEqual(left, []);
});

/** A task that has ended, with these outputs. */
async function insertFinal(database: Database, id: string, outputs: readonly object[], expiresAt: number) {
  const row = { id, type: 'image', api_key_id: 'k', account_id: 'a', mode: 'test', status: 'succeeded' };
  const json = { metadata_json: '{}', input_json: '{}', request_json: '{}', lines_json: '[]', route_json: '{}' };
  const counts = { progress: 100, revision: 1, price: 0, rank: 0, claimable: 0, fence: 2, attempts: 0 };
  const times = { created_at: 0, completed_at: 1, deadline_at: 0, expires_at: expiresAt };
  const rest = { step: 'final', model_id: 'm', queue: 'q', outputs_json: JSON.stringify(outputs) };
  const values = { ...row, ...json, ...counts, ...times, ...rest };
  await database.write('test', (trx) => trx.run(trx.builder.insertInto('tasks').values(values as never)));
}

test('balances get their checkpoints while retention is still at work', async (t) => {
  const { services, clock, database } = await openTestServices(t);
  const by = { actor: 'test', now: clock.now(), createId: services.createId };
  await createAccount(database, by, { id: 'busy', name: 'busy', creditLimit: null });
  await database.write('test', async (trx) => {
    for (let credit = 0; credit < 1_001; credit++)
      await addCredit(trx, { id: services.createId('crd'), accountId: 'busy', amount: 1, note: null });
  });
  clock.advance(DAY_MS);
  // The first chore never comes to an end.
  const { read } = database;
  const endless = { ...database, read: { ...read, builder: read.builder, now: read.now } };
  endless.read.first = ((...query: Parameters<typeof read.first>) => read.first(...query)) as typeof read.first;
  endless.read.all = (async (...query: readonly [{ compile(builder: object): { sql: string } }, object]) => {
    const { sql } = query[0].compile(read.builder);
    const isEndless = sql.includes('"erased_at" is null') && sql.includes('"tasks"');
    return isEndless
      ? await new Promise(() => {})
      : await read.all(...(query as unknown as Parameters<typeof read.all>));
  }) as unknown as typeof read.all;
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  new Housekeeping({ ...services, database: endless });
  mock.timers.tick(60_000);
  await until(
    async () => await read.all(read.builder.selectFrom('ledger_checkpoints').select('balance')),
    ([checkpoint]) => checkpoint?.balance === 1_001 || checkpoint?.balance === 1_000,
  );
});

test('every account with many entries gets a checkpoint for each mode, in parts, and its balances stay the same', async (t) => {
  const { services, clock, database } = await openTestServices(t);
  const by = { actor: 'test', now: clock.now(), createId: services.createId };
  const names = Array.from({ length: 101 }, (_, place) => `acc${String(place).padStart(3, '0')}`);
  for (const id of names) await createAccount(database, by, { id, creditLimit: null });
  const busy = ['acc000', 'acc100'];
  const enter = async (accountId: string, mode: 'live' | 'test', count: number) => {
    const from = clock.now() - DAY_MS;
    const entries = Array.from({ length: count }, (_, place) => ({
      account_id: accountId,
      api_key_id: null,
      mode,
      task_id: services.createId('img'),
      kind: 'credit' as const,
      amount: 2,
      created_at: from + Math.floor(place / 7),
      note: null,
    }));
    for (let at = 0; at < count; at += 1_000)
      await database.write('test', (trx) =>
        trx.run(trx.builder.insertInto('ledger').values(entries.slice(at, at + 1_000))),
      );
  };
  for (const id of busy) for (const mode of ['live', 'test'] as const) await enter(id, mode, 1_200);
  await enter('acc050', 'live', 10_500);
  await enter('acc051', 'live', 999);
  await advanceCheckpoints(database, AbortSignal.timeout(60_000));
  const { read } = database;
  const checkpoints = await read.all(
    read.builder.selectFrom('ledger_checkpoints').selectAll().orderBy('account_id').orderBy('mode'),
  );
  assert.deepEqual(
    checkpoints.map(({ account_id: id, mode, balance }) => [id, mode, balance]),
    // The last 500 of it are fewer than a checkpoint is worth; it moves past whole milliseconds.
    [
      ['acc000', 'live', 2_400],
      ['acc000', 'test', 2_400],
      ['acc050', 'live', 2 * 10_010],
      ['acc100', 'live', 2_400],
      ['acc100', 'test', 2_400],
    ],
  );
  assert.equal(await balanceOf(read, 'acc050', 'live'), 21_000);
  assert.equal(await balanceOf(read, 'acc100', 'test'), 2_400);
});
