import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing/until';
import type { Page } from 'playwright-core';
import { openCatalogOverlay } from '../catalog-overlay.ts';
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
