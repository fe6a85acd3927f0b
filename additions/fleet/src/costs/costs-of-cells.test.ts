import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { openCatalogOverlay } from '../../../../test/helpers/catalog-overlay.ts';
import { plainEntry } from '../../../../test/helpers/plain-entry.ts';
import { createReadyEngine } from '../../../../test/helpers/ready-engine.ts';
import { runDarkroom } from '../../../../test/helpers/run-darkroom.ts';
import { startTestService } from '../../../../test/helpers/service.ts';

const COST = { as_of: '2026-11-21', source: 'a test', components: [{ per: 'image', amount: '0.02' }] };

test('the costs of several cells are summed by group, and a cell that does not answer ends the report', async (t) => {
  const pricing = { components: [{ per: 'image', amount: '0.01' }] };
  const models = ['fox', 'owl', 'elk'].map((model_id) =>
    plainEntry({ model_id, pricing, routes: [{ engine: 'scripted', cost: COST }] }),
  );
  const { directory } = await openCatalogOverlay(t, models);
  const start = async (cell: string, orders: readonly string[]) => {
    const env = { DARKROOM_CELL: cell, DARKROOM_CATALOG_DIR: directory, DARKROOM_BELOW_COST_MODELS: 'fox,owl,elk' };
    const service = await startTestService(t, { env, service: { engines: [createReadyEngine()] } });
    for (const model_id of orders) {
      const task = await service.make(service.keys.live, '/v1/images', { model_id, prompt: 'a' });
      assert.equal(task.status, 'succeeded');
    }
    return service;
  };
  const [eu, us] = await Promise.all([start('eu1', ['fox', 'owl', 'fox']), start('us1', ['elk', 'fox'])]);
  const run = async (lines: readonly string[], ...words: string[]) => {
    await writeFile(join(directory, 'cells.txt'), lines.join('\n'));
    return await runDarkroom(['costs', '--cells', 'cells.txt', ...words], { DARKROOM_URL: eu.url }, directory);
  };

  const both = ['# the admin keys', '', eu.keys.admin, `${us.keys.admin}  ${us.url}/`];
  const { code, stdout, stderr } = await run(both, '--json');
  assert.deepEqual([code, stderr], [0, '']);
  const { items, group_by, has_more } = JSON.parse(stdout);
  assert.deepEqual([group_by, has_more], [['model_id'], false]);
  assert.deepEqual(
    items.map((row: Record<string, unknown>) => [row.model_id, row.orders, row.revenue, row.expected, row.margin]),
    [
      ['elk', 1, '0.01', '0.02', '-0.01'],
      ['fox', 3, '0.03', '0.06', '-0.03'],
      ['owl', 1, '0.01', '0.02', '-0.01'],
    ],
  );
  assert.match((await run(both, '--by', 'engine')).stdout, /^scripted +5 +0\.05 +0\.10 /m);

  const stale = await run([eu.keys.admin, `${us.keys.admin} http://127.0.0.1:${await freePort()}`]);
  assert.deepEqual([stale.code, stale.stdout], [1, '']);
  assert.match(stale.stderr, /^cells\.txt, line 2: Nothing answers at /);
  for (const line of [eu.keys.live, 'dk_admin_mistyped', `${eu.keys.admin} nowhere`]) {
    const { code, stderr } = await run([eu.keys.admin, line]);
    assert.equal(code, 1);
    assert.match(stderr, /^cells\.txt, line 2: expected an admin key, and after it an address or nothing$/m);
  }
  assert.match((await run(['# none'])).stderr, /expected an admin key of each cell, one a line/);
});
