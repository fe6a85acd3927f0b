import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_INSTANCE, type EngineInstance } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { loggedLines } from '../helpers/logged-lines.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Two accounts of one upstream each, as an operator's file names them. */

const instance = (kind: string, settings: Partial<EngineInstance>) => ({ ...DEFAULT_INSTANCE, kind, ...settings });
const engines = {
  ...accountsOf('spending', { spendLimits: { day: 15_000, month: null } }),
  ...accountsOf('pacing', { submissionsPerMinute: 1 }),
};
const { log, lines } = loggedLines();
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'spending', routes: [{ engine: 'spending' }] }),
  plainEntry({ model_id: 'pacing', routes: [{ engine: 'pacing' }] }),
]);
const { call, keys } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: Object.values(engines), log },
});

/** The second account has no limits. */
function accountsOf(kind: string, settings: Partial<EngineInstance>) {
  return {
    [kind]: { ...createScriptedEngine({ name: kind }), instance: instance(kind, settings) },
    [`${kind}-two`]: { ...createScriptedEngine({ name: `${kind}-two` }), instance: instance(kind, {}) },
  };
}

async function order(model: string): Promise<string> {
  const { data } = await call(keys.live, 'POST', '/v1/images', { model_id: model, prompt: 'a fox' });
  return data.task_id;
}

/** Waits for the instance that gets the order. */
async function takenBy(taskId: string): Promise<string | undefined> {
  return await until(
    async () => Object.values(engines).find(({ started }) => started.some((one) => one.taskId === taskId))?.name,
    (name) => name !== undefined,
  );
}

async function circuitOf(name: string) {
  const { items } = (await call(keys.admin, 'GET', '/admin/v1/engines')).data;
  return items.find((engine) => engine.name === name)?.circuit;
}

test('an instance whose spend limit is reached is passed over, and the operator is told', async () => {
  assert.equal(await takenBy(await order('spending')), 'spending');
  assert.equal(await takenBy(await order('spending')), 'spending');
  const circuit = await until(
    () => circuitOf('spending'),
    (one) => one?.state === 'open',
  );
  assert.match(circuit?.reason ?? '', /^the operator's spend limit of this upstream is reached for this day$/);
  const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0)).toISOString();
  assert.equal(Date.parse(circuit?.retry_at ?? ''), Date.parse(midnight));
  assert.equal(await takenBy(await order('spending')), 'spending-two');
  const told = lines.find(({ msg }) => msg.startsWith('engine reached its spend limit'));
  assert.deepEqual([told?.engine, told?.period, told?.spent, told?.limit], ['spending', 'day', '0.02', '0.015']);
});

test('orders beyond the submissions per minute of an instance go to the next one', async () => {
  const minuteOf = (time: number) => Math.floor(time / 60_000);
  const first = minuteOf(Date.now());
  assert.equal(await takenBy(await order('pacing')), 'pacing');
  await order('pacing');
  await until(
    () => circuitOf('pacing'),
    (circuit) => circuit?.fault === 'rate_limited',
  );
  assert.equal(await takenBy(await order('pacing')), 'pacing-two');
  assert.ok((engines.pacing?.started.length ?? 0) <= minuteOf(Date.now()) - first + 1);
});
