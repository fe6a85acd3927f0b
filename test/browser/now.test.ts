import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyTable } from '../helpers/any-table.ts';
import { multiplyTask } from '../helpers/multiply-task.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { openInKeptPage } from './kept-page.ts';
import { openAlert } from './night.ts';
import { startSwiftService } from './swift-service.ts';
import { assertUsable } from './usable.ts';

/** What Now says of the past, and what of it is urgent. */

const service = await startSwiftService(wholeFile);
const { keys, database, make } = service;
const { task_id: id } = await make(keys.live, '/v1/images', { model_id: 'sketch', prompt: 'a fox', size: '64x64' });
const error_json = JSON.stringify({ code: 'upstream_error', message: 'the paper jammed' });
await multiplyTask(database, id, {
  count: 30,
  everyMs: 30 * 60_000,
  change: (index) => (index < 8 ? { status: 'failed', error_json, charged: 0 } : {}),
});

test('the last 24 hours stand above the tiles, by upstream, with what failed', async (t) => {
  const page = await openInKeptPage(t, service, { keys: { admin: keys.admin }, at: '/now' });
  const day = page.getByRole('region', { name: 'Last 24 hours' });
  await day.getByRole('img', { name: 'sketch, orders by hour: 31' }).waitFor();
  await day.getByRole('img', { name: 'sketch, failed by hour: 8' }).waitFor();
  await day.getByText(/^25\.8 %/).waitFor();
  await assertUsable(page);
});

test('an alert is one line until it is opened, and only what costs money or orders now is red', async (t) => {
  const alert = (alertId: string, kind: 'process_silent' | 'model_ends', subject: string) => ({
    id: alertId,
    scope: 'service',
    kind,
    subject,
    summary: `${subject} is to be seen.`,
    began_at: Date.now(),
    seen_at: Date.now() + 3_600_000,
    told_at: 0,
    ended_at: null,
    acknowledged_by: null,
    acknowledged_at: null,
    silenced_by: null,
    silenced_until: null,
  });
  await database.write('alerts', async (trx) => {
    for (const row of [alert('alr_1', 'model_ends', 'sketch'), alert('alr_2', 'process_silent', 'mill')])
      await trx.run(anyTable(trx.builder).insertInto('alerts').values(row));
  });
  const page = await openInKeptPage(t, service, { keys: { admin: keys.admin }, at: '/now' });
  const tones = async (name: string) => await page.getByRole('region', { name }).getAttribute('data-tone');
  await page.getByRole('heading', { name: 'To look at this week' }).waitFor();
  assert.deepEqual(await page.getByRole('heading', { level: 2, name: /^(Costs money|To look at)/ }).allTextContents(), [
    'Costs money or orders now',
    'To look at this week',
  ]);
  assert.deepEqual([await tones('Process silent: mill'), await tones('Model ends: sketch')], ['bad', 'busy']);
  const advice = page.getByText(/See if its machine runs/);
  assert.equal(await advice.count(), 0);
  await openAlert(page, 'Process silent: mill');
  await advice.waitFor();
  await assertUsable(page);
});
