import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTasks } from '../crash/books.ts';
import { openPremises } from '../crash/child-service.ts';
import type { CatalogEntry } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { headers, paths, queries } from './addresses.ts';
import { serviceFields, shapes, wrongTypes } from './bodies.ts';
import { type Attack, assertHealthy, assertNoTrace, sendAll, tiny } from './target.ts';

/** Hundreds of hostile requests: each is refused in the shape of every failure, and leaves nothing behind. */
const MODELS = ['sketch', 'sketch-grid', 'sketch-motion', 'flux-2-pro', 'gpt-image-2', 'veo-3.1', 'kling-v3'];

const premises = await openPremises(wholeFile);
const { keys } = premises;
const child = await premises.start();
const made = (await child.call(keys.test, 'POST', '/v1/images', tiny, { prefer: 'wait=60' })).body.data;
const tasks = await readTasks(premises.database);
const cases: Readonly<Record<string, readonly Attack[]>> = {
  'parameters of the wrong type': wrongTypes(await describedModels()),
  'fields of the service with wrong values': serviceFields(),
  'bodies of every shape': shapes(),
  headers: headers(),
  'query strings': queries(),
  'paths and methods': paths(made.task_id),
};

for (const [what, attacks] of Object.entries(cases)) {
  test(`${what} are refused (${attacks.length} requests)`, async () => {
    assert.ok(attacks.length > 20, `${attacks.length} requests`);
    await sendAll(child, keys.test, attacks);
  });
}

test('sent again and again, they leave nothing in memory, and no task is made or changed', async (t) => {
  const all = Object.values(cases).flat();
  await assertNoTrace(t, child, () => sendAll(child, keys.test, all), { rounds: 2, warmUp: 1 });
  assert.deepEqual(await readTasks(premises.database), tasks);
});

test('after them the service delivers and takes orders as before', async () => {
  assert.equal((await fetch(made.outputs[0].url)).status, 200);
  await assertHealthy(child, premises);
});

async function describedModels(): Promise<CatalogEntry[]> {
  const { items } = (await child.call(null, 'GET', '/v1/catalog')).body.data;
  const names = MODELS.filter((name) => items.some((item) => item.model_id === name));
  assert.ok(names.length >= 5, `${names.length} models`);
  return await Promise.all(
    names.map(async (name) => (await child.call(keys.test, 'GET', `/v1/models/${name}`)).body.data),
  );
}
