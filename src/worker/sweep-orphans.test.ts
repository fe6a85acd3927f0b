import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openTestServices } from '../../test/helpers/task-services.ts';
import type { Database } from '../database/database.ts';
import { readInstallation } from '../installation/suspension.ts';
import { taskFileKey } from '../record/task.ts';
import { sweepOrphans } from './sweep-orphans.ts';

const DAY_MS = 86_400_000;
const PNG = { contentType: 'image/png', maxBytes: 10 };
const keyOf = (id: string, name = '1-0.png') => `tasks/${id.slice(4, 10)}/${id}-${name}`;

async function openSweep(t: Parameters<typeof openTestServices>[0]) {
  const { services, database } = await openTestServices(t);
  const { storage } = services;
  const after = (days: number) => ({ ...services, clock: { now: () => Date.now() + days * DAY_MS } });
  const row = { row: 1, id: 'ins_1', owner: '', beat: 1, system_id: null, database_oid: null };
  await database.write('test', (trx) =>
    trx.run(trx.builder.insertInto('installation').values({ ...row, held: null, prefix: null, sweep_stopped: null })),
  );
  const put = (...keys: readonly string[]) => Promise.all(keys.map((key) => storage.put(key, Buffer.from('x'), PNG)));
  const left = async (prefix: string) => {
    const keys: string[] = [];
    for await (const { key } of storage.list(prefix)) keys.push(key);
    return keys.sort();
  };
  const whyStopped = async () => (await readInstallation(database.read))?.sweep_stopped ?? null;
  const directory = join(dirname(services.settings.temporaryDirectory), 'files');
  return { database, after, put, left, whyStopped, directory };
}

/** A task that has ended, with these outputs. */
async function insertFinal(database: Database, id: string, keys: readonly string[]): Promise<void> {
  const row = { id, type: 'image', api_key_id: 'k', account_id: 'a', mode: 'test', status: 'succeeded' };
  const json = { metadata_json: '{}', input_json: '{}', request_json: '{}', lines_json: '[]', route_json: '{}' };
  const counts = { progress: 100, revision: 1, price: 0, rank: 0, claimable: 0, fence: 2, attempts: 0 };
  const times = { created_at: 0, completed_at: 1, deadline_at: 0, expires_at: 1 };
  const outputs = JSON.stringify(keys.map((key) => ({ key, contentType: 'image/png' })));
  const values = {
    ...row,
    ...json,
    ...counts,
    ...times,
    step: 'final',
    model_id: 'm',
    queue: 'q',
    outputs_json: outputs,
  };
  await database.write('test', (trx) => trx.run(trx.builder.insertInto('tasks').values(values as never)));
}

test('orphans within the ids of the database lie in the trash for a day, and files that a row names stay', async (t) => {
  const { database, after, put, left } = await openSweep(t);
  const [kept, orphan, ofNobody] = [keyOf('img_aa', '2-0.png'), keyOf('img_aa'), keyOf('img_bb')];
  const beyond = [keyOf('img_a'), keyOf('img_dd'), 'uploads/aa/file_aa'];
  await insertFinal(database, 'img_aa', [kept]);
  await insertFinal(database, 'vid_cc', []);
  // No row names the thumbnail of a picture, which was made when it was first asked for.
  const thumbnail = keyOf('img_aa', '2-0-thumbnail.webp');
  await put(kept, thumbnail, orphan, ofNobody, ...beyond);
  assert.equal(await sweepOrphans(after(0)), 0);
  assert.equal(await sweepOrphans(after(3)), 2);
  assert.deepEqual(await left('trash/'), [`trash/${orphan}`, `trash/${ofNobody}`]);
  assert.deepEqual(
    [...(await left('tasks/')), ...(await left('uploads/'))],
    [...beyond, kept, thumbnail].sort((a, b) => (a < b ? -1 : 1)),
  );
  assert.equal(await sweepOrphans(after(0)), 0);
  assert.equal(await sweepOrphans(after(3)), 2);
  assert.deepEqual(await left('trash/'), []);
});

test('a sweep that finds more orphans than a kill leaves removes nothing and says why, until it finds fewer', async (t) => {
  const { database, after, put, left, whyStopped } = await openSweep(t);
  await insertFinal(database, 'img_0', []);
  await insertFinal(database, 'img_zz', []);
  const keys = Array.from({ length: 101 }, (_, number) => keyOf(`img_o${number}`));
  await put(...keys);
  assert.equal(await sweepOrphans(after(3)), 0);
  assert.match((await whyStopped()) ?? '', /^101 of 101 files have no row/);
  assert.equal((await left('tasks/')).length, 101);
  await insertFinal(database, 'img_o7', [keyOf('img_o7')]);
  assert.equal(await sweepOrphans(after(3)), 100);
  assert.equal(await whyStopped(), null);
});

test('samples of killed processes are removed, those of running ones stay', async (t) => {
  const { after, put } = await openSweep(t);
  await put('check/left');
  assert.equal(await sweepOrphans(after(0)), 0);
  assert.equal(await sweepOrphans(after(3)), 1);
});

test('a sweep removes nothing and says why if the storage does not list what it has', async (t) => {
  const { database, after, put, left, whyStopped } = await openSweep(t);
  const [listed, unlisted, orphan] = [keyOf('img_aa', '2-0.png'), keyOf('img_cc', '2-0.png'), keyOf('img_bb')];
  await insertFinal(database, 'img_aa', [listed]);
  await insertFinal(database, 'img_cc', [unlisted]);
  await put(listed, unlisted, orphan);
  const services = after(3);
  const { list } = services.storage;
  services.storage.list = async function* (prefix) {
    for await (const file of list(prefix)) if (file.key !== unlisted) yield file;
  };
  assert.equal(await sweepOrphans(services), 0);
  assert.match((await whyStopped()) ?? '', new RegExp(`not all that it has: ${unlisted} is missing`));
  services.storage.list = list;
  assert.equal(await sweepOrphans(services), 1);
  assert.equal(await whyStopped(), null);
  assert.deepEqual(await left('trash/'), [`trash/${orphan}`]);
});

test('a sweep of many files that a bucket lists at once lets others work between them', async (t) => {
  const { database, after } = await openSweep(t);
  await insertFinal(database, 'img_0', []);
  await insertFinal(database, 'img_zz', []);
  const services = after(3);
  services.storage.list = async function* (prefix) {
    if (prefix === 'tasks/')
      for (let number = 0; number < 5_000; number++) yield { key: keyOf(`img_o${number}`), bytes: 1, changedAt: 0 };
  };
  let turns = 0;
  const count = setInterval(() => turns++, 1);
  t.after(() => clearInterval(count));
  assert.equal(await sweepOrphans(services), 0);
  assert.ok(turns > 10, `${turns} turns`);
});

test('a sweep opens folders that changed since the last one, each of the others once in a month, and all the first time', async (t) => {
  const { database, after, put, left, directory } = await openSweep(t);
  await insertFinal(database, 'img_0', []);
  await insertFinal(database, 'img_zz', []);
  const [first, second] = [taskFileKey('img_01m7wd7tg0a', 1, '0.png'), taskFileKey('img_01m7xe9tg0a', 1, '0.png')];
  const trash = async () => (await left('trash/')).map((key) => key.slice('trash/'.length));
  assert.equal(await sweepOrphans(after(0)), 0);
  await put(first, second);
  const age = async (key: string, days: number) => {
    const time = (Date.now() + days * DAY_MS) / 1000;
    for (const path of [key, dirname(key)]) await utimes(join(directory, path), time, time);
  };
  await age(first, 3);
  // As if it were from before the last sweep: its row went without its file.
  await age(second, -9);
  const today = (day: number) => Math.floor((Date.now() + day * DAY_MS) / DAY_MS) % 31;
  const turn = dirname(second).charCodeAt(dirname(second).length - 1) % 31;
  const days = Array.from({ length: 31 }, (_, day) => day + 6);
  const firstDay = days.find((day) => today(day) !== turn)!;
  assert.equal(await sweepOrphans(after(firstDay)), 1);
  assert.deepEqual(await trash(), [first]);
  const day = days.find((one) => one > firstDay && today(one) === turn)!;
  await sweepOrphans(after(day));
  assert.ok((await left('tasks/')).length === 0, 'in its turn');
  await put(second);
  await age(second, -9);
  const start = days.find((one) => today(one) !== turn)!;
  await sweepOrphans(after(start));
  assert.deepEqual(await left('tasks/'), [second]);
  await database.write('test', (trx) => trx.run(trx.builder.deleteFrom('work').where('subject', '=', 'swept')));
  await sweepOrphans(after(start));
  assert.deepEqual(await left('tasks/'), [], 'the first time');
});
