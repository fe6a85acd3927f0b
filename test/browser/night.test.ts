import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { mkdtemp, stat, statfs, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { StorageError } from '@darkroom-service/media';
import { until } from '@darkroom-service/testing';
import { alertBelow } from '../helpers/alert-below.ts';
import { anyTable } from '../helpers/any-table.ts';
import { openBreakableConnection } from '../helpers/breakable-connection.ts';
import { insertProcess } from '../helpers/insert-process.ts';
import { createPostgresDatabase } from '../helpers/postgres-server.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { openCircuit } from './busy-service.ts';
import { openInKeptPage } from './kept-page.ts';
import { beginNight, isBroken, ORDER, openAlert, openOrder, part, says, startNight } from './night.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';

/** Three in the morning: an operator opens Now, sees the cause at one look, and has the remedy at one press. */

/** Two folders on different disks, first the one with less room. */
async function twoDisks(): Promise<{ readonly directory: string; readonly free: number }[]> {
  const disks = new Map<number, { directory: string; free: number }>();
  for (const directory of [tmpdir(), '/dev/shm', '/var/tmp']) {
    const device = (await stat(directory).catch(() => null))?.dev;
    if (device === undefined || disks.has(device)) continue;
    const { bavail, bsize } = await statfs(directory);
    disks.set(device, { directory, free: bavail * bsize });
  }
  return [...disks.values()].sort((one, other) => one.free - other.free).slice(0, 2);
}

test('“my order is stuck”: it is found by its customer, says what its upstream last said, and is asked about, or given up, by one press', async (t) => {
  const engine = createScriptedEngine();
  engine.answer = () => ({ status: 'pending', said: 'IN_QUEUE', checkAfterMs: 3_600_000 });
  const service = await startNight(t, engine);
  const { call, keys, issueKey } = service;
  const { key } = await issueKey({ mode: 'live', name: 'Anna' });
  await call(keys.live, 'POST', '/v1/images', ORDER);
  const { data: stuck } = await call(key, 'POST', '/v1/images', ORDER);
  await until(
    () => engine.checked.length,
    (checks) => checks === 2,
  );
  await until(
    async () => (await call(keys.admin, 'GET', '/admin/v1/tasks')).data.items,
    (orders) => orders.every(({ standing }) => standing?.said === 'IN_QUEUE'),
  );
  // Nothing but the press makes the page read again.
  const page = await openInKeptPage(t, service, { keys, readsEveryMs: 3_600_000 });
  await page.route('**/admin/v1/events', () => undefined);
  const night = beginNight(t);
  await page.goto(`${service.url}/#/now`);
  await page.getByRole('searchbox', { name: /^Order, customer, account/ }).fill('anna');
  await page.getByRole('table', { name: 'Open orders' }).getByRole('row').nth(2).waitFor({ state: 'detached' });
  await night.cause(
    openOrder(page).getByText('scripted has it since').or(openOrder(page).getByText('said IN_QUEUE')).waitFor(),
  );
  await openOrder(page).getByText('said IN_QUEUE').waitFor();
  let tell = () => {};
  engine.answer = () =>
    new Promise((resolve) => {
      tell = () => resolve({ status: 'pending', said: 'IN_PROGRESS', checkAfterMs: 3_600_000 });
    });
  // The page looks for the answer once before the upstream gives it, and again when it is known.
  const looksAgain = Promise.withResolvers<void>();
  const isKnown = Promise.withResolvers<void>();
  let looks = 0;
  const order = `/admin/v1/tasks/${stuck.task_id}` as const;
  await page.route(`**${order}`, async (route) => {
    looks += 1;
    if (looks > 1) {
      looksAgain.resolve();
      await isKnown.promise;
    }
    await route.continue();
  });
  await night.press(openOrder(page).getByRole('button', { name: `Ask now: ${stuck.task_id}` }));
  await until(
    () => engine.checked.length,
    (checks) => checks === 3,
  );
  await looksAgain.promise;
  tell();
  await until(
    async () => (await call(keys.admin, 'GET', order)).data.standing?.said,
    (said) => said === 'IN_PROGRESS',
  );
  isKnown.resolve();
  await openOrder(page).getByText('said IN_PROGRESS').waitFor();
  night.remedied(1);
  await assertUsable(page);
  await openOrder(page)
    .getByRole('button', { name: `Give up: ${stuck.task_id}` })
    .click();
  await page.getByRole('button', { name: 'Give up and release' }).click();
  await page.getByText('No open order matches.').waitFor();
  const { data: ended } = await call(key, 'GET', stuck.urls.self);
  assert.deepEqual([ended.error?.code, ended.cost.state], ['outcome_unknown', 'released']);
  const causes = page.getByRole('table', { name: 'Unknown outcomes by cause' });
  await causes.getByRole('row', { name: /default/ }).waitFor();
  await causes.getByRole('button', { name: 'Note what was found' }).click();
  await page.getByRole('textbox', { name: 'What was found' }).fill('Their queue stood still.');
  await page.getByRole('button', { name: 'Resolve' }).click();
  await causes.waitFor({ state: 'detached' });
});

test('an upstream that hangs stands in the line, on the order that waits for it, and is given orders again by one press', async (t) => {
  const probe = async () => ({ ok: true, message: 'the key is accepted' });
  const service = await startNight(t, { ...createScriptedEngine(), probe });
  const { call, keys } = service;
  await openCircuit(service, 'scripted', 'timeout');
  await call(keys.live, 'POST', '/v1/images', ORDER);
  const night = beginNight(t);
  const page = await openInKeptPage(t, service, { keys, at: '/now' });
  await part(page, 'Upstreams').getByText('scripted gets no orders').waitFor();
  await night.cause(
    openOrder(page)
      .getByText(/^scripted gets no orders since .*: no answer within 30 s\.$/)
      .waitFor(),
  );
  const resume = page.getByRole('button', { name: /^Resume now ?: scripted$/ });
  await assertUsable(page);
  await night.press(resume);
  await says(page, 'Upstreams', /^accept orders, seen \d+ s ago$/);
  await resume.waitFor({ state: 'detached' });
  night.remedied(1);
});

test('a full storage stands in the line and on the order that cannot be stored, which goes on by itself when there is room', async (t) => {
  let isFull = true;
  const refuse = () => {
    if (isFull) throw new StorageError('full', 'the disk that holds the files is full');
  };
  const service = await startSwiftService(t, {
    service: {
      wrapStorage: (storage) => ({
        ...storage,
        async check() {
          refuse();
          await storage.check();
        },
        async put(key, source, options) {
          refuse();
          return await storage.put(key, source, options);
        },
      }),
      tempo: { readinessFreshMs: 0 },
    },
  });
  const { call, keys } = service;
  const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
  const { data: task } = await call(keys.live, 'POST', '/v1/images', order);
  const night = beginNight(t);
  const page = await openInKeptPage(t, service, { keys, at: '/now', readsEveryMs: 1_000 });
  await says(page, 'Storage', /the disk that holds the files is full/);
  await night.cause(
    openOrder(page)
      .getByText(/^Its result cannot be stored since .*: the disk that holds the files is full\.$/)
      .waitFor(),
  );
  isFull = false;
  await says(page, 'Storage', /^works, seen /);
  const done = await service.ended(keys.live, task);
  assert.equal(done.status, 'succeeded');
  await page.getByText('No order is waiting or in progress.').waitFor();
  night.remedied(0);
});

test('a database that takes no writes stands in the line, and so does its return', async (t) => {
  const service = await startTestService(t, { service: { tempo: { readinessFreshMs: 0 } } });
  const file = new DatabaseSync(service.config.databasePath, { timeout: 10_000 });
  t.after(() => file.close());
  const page = await openInKeptPage(t, service, { keys: service.keys, at: '/now', readsEveryMs: 1_000 });
  await says(page, 'Database', /^works, seen /);
  const night = beginNight(t);
  // A lock would do so too, but every write would then stop the process for the five seconds that it waits for it.
  file.exec("create trigger refused before insert on work begin select raise(abort, 'the disk is failing'); end");
  // The page is told nothing: it looks from time to time.
  await night.cause(isBroken(page, 'Database'), 20);
  file.exec('drop trigger refused');
  await says(page, 'Database', /^works, seen /);
  night.remedied(0);
});

test('a database that is away stands in the line, and so does its return, after which the order goes on by itself', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  const engine = createScriptedEngine();
  const service = await startNight(t, engine, { DARKROOM_DATABASE_URL: line.url });
  const { call, keys } = service;
  const { data: task } = await call(keys.live, 'POST', '/v1/images', ORDER);
  line.cut();
  const night = beginNight(t);
  const page = await openInKeptPage(t, service, { keys, at: '/now', readsEveryMs: 1_000 });
  await night.cause(isBroken(page, 'Database'));
  engine.answer = () => ({ status: 'failed', error: { code: 'content_policy', message: 'refused' } });
  line.mend();
  await says(page, 'Database', /^works, seen /);
  await service.ended(keys.live, task);
  await page.getByText('No order is waiting or in progress.').waitFor();
  night.remedied(0);
});

test('files on a disk of their own that is nearly full stand in the line, and in the alert with what to do', async (t) => {
  const [tight, roomy] = await twoDisks();
  if (tight === undefined || roomy === undefined) return t.skip('this machine has one disk');
  const directory = await mkdtemp(join(roomy.directory, 'darkroom-disk-'));
  const files = await mkdtemp(join(tight.directory, 'darkroom-disk-'));
  process.once('exit', () => {
    for (const made of [directory, files]) rmSync(made, { recursive: true, force: true, maxRetries: 3 });
  });
  await symlink(files, join(directory, 'files'));
  const service = await startTestService(t, {
    ...alertBelow((tight.free + roomy.free) / 2, { DARKROOM_DATA_DIR: directory }),
    service: { tempo: { addedEveryMs: 10 } },
  });
  const night = beginNight(t);
  const page = await openInKeptPage(t, service, { keys: service.keys, at: '/now' });
  await isBroken(page, 'Disks');
  await night.cause(says(page, 'Disks', new RegExp(`MB are free on the disk of [^ ]+:${join(directory, 'files')}\\.`)));
  await (await openAlert(page, /^Disk nearly full/)).getByText(/Free some space/).waitFor();
  assert.doesNotMatch(await part(page, 'Disks').innerText(), new RegExp(`:${directory}\\.`), 'its own disk has room');
  night.remedied(0);
});

test('a worker that is silent, and a standby that is behind, stand in the line and lead to what is known of them', async (t) => {
  const service = await startTestService(t);
  const now = Date.now();
  await service.database.write('silence', async (trx) => {
    await insertProcess(trx, 'gone');
    const silent = { host: 'mill', beat_at: now - 600_000, started_at: now - 900_000 };
    await trx.run(
      trx.builder
        .updateTable('processes')
        .set(silent as never)
        .where('id', '=', 'gone'),
    );
    const alert = {
      id: 'alr_1',
      scope: 'service',
      kind: 'standby_behind' as const,
      subject: 'north',
      summary: "The standby north has not replayed the last 90 MiB of the database's log.",
      began_at: now,
      seen_at: now + 3_600_000,
      told_at: now,
      ended_at: null,
      acknowledged_by: null,
      acknowledged_at: null,
      silenced_by: null,
      silenced_until: null,
    };
    await trx.run(anyTable(trx.builder).insertInto('alerts').values(alert));
  });
  const night = beginNight(t);
  const page = await openInKeptPage(t, service, { keys: service.keys, at: '/now' });
  await says(page, 'Database', /The standby north has not replayed/);
  await (await openAlert(page, 'Standby is behind: north')).getByText(/See if the standby runs/).waitFor();
  await night.cause(says(page, 'Processes', /at mill is silent since/));
  await page.getByRole('row', { name: /at mill .*Silent, not replaced/ }).waitFor();
  night.remedied(0);
  await assertUsable(page);
});
