import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { StorageError } from '@darkroom-service/media/storage';
import { until } from '@darkroom-service/testing/until';
import type { Page } from 'playwright-core';
import { openCatalogOverlay } from '../catalog-overlay.ts';
import { insertProcess } from '../insert-process.ts';
import { plainEntry } from '../plain-entry.ts';
import { createScriptedEngine, type ScriptedEngine } from '../scripted-engine.ts';
import { startTestService, type TestService } from '../service.ts';
import { openConsole } from './browser.ts';
import { openCircuit } from './busy-service.ts';
import { assertUsable } from './usable.ts';

/** Three in the morning: an operator opens Operations, sees the cause at one look, and has the remedy at one press. */

const ORDER = { model_id: 'scripted', prompt: 'a fox' };

async function start(t: Parameters<typeof startTestService>[0], engine: ScriptedEngine): Promise<TestService> {
  const models = [plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] })];
  const { directory } = await openCatalogOverlay(t as never, models);
  return await startTestService(t, { env: { DARKROOM_CATALOG_DIR: directory }, service: { engines: [engine] } });
}

const part = (page: Page, name: string) =>
  page.getByRole('region', { name: 'State of the service' }).getByRole('link', { name: new RegExp(`^${name}`) });
const says = (page: Page, name: string, words: RegExp) => part(page, name).getByText(words).waitFor();
const openOrder = (page: Page) => page.getByRole('table', { name: 'Open orders' }).getByRole('row').nth(1);

test('“my order is stuck”: it is found by its customer, says what its upstream last said, and is asked about, or given up, by one press', async (t) => {
  const engine = createScriptedEngine();
  engine.answer = () => ({ status: 'pending', said: 'IN_QUEUE', checkAfterMs: 3_600_000 });
  const service = await start(t, engine);
  const { call, keys, issueKey } = service;
  const { key } = await issueKey({ mode: 'live', name: 'Anna' });
  await call(keys.live, 'POST', '/v1/images', ORDER);
  const { data: stuck } = await call(key, 'POST', '/v1/images', ORDER);
  await until(
    () => engine.checked.length,
    (checks) => checks === 2,
  );
  const page = await openConsole(t, service, { keys, at: '/operations' });
  await page.getByRole('searchbox', { name: 'Customer, key, model, price, words' }).fill('anna');
  await page.getByRole('table', { name: 'Open orders' }).getByRole('row').nth(2).waitFor({ state: 'detached' });
  await openOrder(page).getByText('scripted has it since').or(openOrder(page).getByText('said IN_QUEUE')).waitFor();
  await openOrder(page)
    .getByRole('button', { name: `Ask now: ${stuck.task_id}` })
    .click();
  await until(
    () => engine.checked.length,
    (checks) => checks === 3,
  );
  await openOrder(page).getByText('said IN_QUEUE').waitFor();
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
  const service = await start(t, createScriptedEngine());
  const { call, keys } = service;
  await openCircuit(service, 'scripted', 'timeout');
  await until(
    async () => (await call(keys.admin, 'GET', '/admin/v1/engines')).data.items,
    (engines) => engines.some(({ name, circuit }) => name === 'scripted' && circuit.state === 'open'),
  );
  await call(keys.live, 'POST', '/v1/images', ORDER);
  const page = await openConsole(t, service, { keys, at: '/operations' });
  await part(page, 'Upstreams').getByText('scripted gets no orders').waitFor();
  await openOrder(page)
    .getByText(/^scripted gets no orders since .*: no answer within 30 s\.$/)
    .waitFor();
  await part(page, 'Upstreams').click();
  await page.getByRole('button', { name: /^Resume now ?: scripted$/ }).click();
  await page.getByText('Accepts orders').first().waitFor();
});

test('a full storage stands in the line and on the order that cannot be stored, which goes on by itself when there is room', async (t) => {
  let isFull = true;
  const refuse = () => {
    if (isFull) throw new StorageError('full', 'the disk that holds the files is full');
  };
  const service = await startTestService(t, {
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
  const page = await openConsole(t, service, { keys, at: '/operations' });
  await says(page, 'Storage', /the disk that holds the files is full/);
  await openOrder(page)
    .getByText(/^Its result cannot be stored since .*: the disk that holds the files is full\.$/)
    .waitFor();
  isFull = false;
  await says(page, 'Storage', /^works$/);
  const done = await service.ended(keys.live, task);
  assert.equal(done.status, 'succeeded');
  await page.getByText('No order is waiting or in progress.').waitFor();
});

test('a database that takes no writes stands in the line, and so does its return', async (t) => {
  const service = await startTestService(t, { service: { tempo: { readinessFreshMs: 0 } } });
  const lock = new DatabaseSync(service.config.databasePath);
  t.after(() => lock.close());
  const page = await openConsole(t, service, { keys: service.keys, at: '/operations' });
  await says(page, 'Database', /^works$/);
  lock.exec('begin immediate');
  await says(page, 'Database', /^(?!works).+/);
  lock.exec('rollback');
  await says(page, 'Database', /^works$/);
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
      ...{ id: 'alr_1', scope: 'service', kind: 'standby_behind' as const, subject: 'north' },
      ...{ summary: "The standby north has not replayed the last 90 MiB of the database's log." },
      ...{ began_at: now, seen_at: now + 3_600_000, told_at: now, ended_at: null },
      ...{ acknowledged_by: null, acknowledged_at: null, silenced_by: null, silenced_until: null },
    };
    await trx.run(trx.builder.insertInto('alerts').values(alert));
  });
  const page = await openConsole(t, service, { keys: service.keys, at: '/operations' });
  await says(page, 'Database', /The standby north has not replayed/);
  await page
    .getByRole('region', { name: 'Standby is behind: north' })
    .getByText(/See if the standby runs/)
    .waitFor();
  await says(page, 'Processes', /at mill is silent since/);
  await part(page, 'Processes').click();
  await page.getByRole('row', { name: /at mill .*Silent/ }).waitFor();
  await assertUsable(page);
});
