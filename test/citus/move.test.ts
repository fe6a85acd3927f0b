import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { openCustomers } from '../helpers/ordering-customers.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { askPostgres, createPostgresDatabase } from '../helpers/postgres-server.ts';
import { createReadyEngine } from '../helpers/ready-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { assertWholeOrders } from '../helpers/whole-orders.ts';

const ENOUGH = 30;

test('an installation is moved to another node of the cluster while customers order: no order is lost or doubled', async (t) => {
  const url = await createPostgresDatabase(t);
  const [found] = await askPostgres(url, "select to_regclass('pg_dist_node') is not null as is_citus");
  if (found?.is_citus !== true) return t.skip('the server is no Citus cluster');
  const [placed] = await askPostgres(
    url,
    `select distinct nodename, nodeport from citus_shards where table_name = 'tasks'::regclass`,
  );
  const [target] = await askPostgres(
    url,
    `select nodename, nodeport from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary'
       and (nodename, nodeport) <> ('${placed?.nodename}', ${placed?.nodeport}) limit 1`,
  );
  assert.ok(
    placed && target,
    'expected a cluster of at least two nodes that have shards, with schema-based sharding on',
  );

  const overlay = await openCatalogOverlay(t, [plainEntry({ model_id: 'paid', routes: [{ engine: 'scripted' }] })]);
  const engine = createReadyEngine();
  const service = await startTestService(t, {
    env: { DARKROOM_DATABASE_URL: url, DARKROOM_CATALOG_DIR: overlay.directory },
    service: { engines: [engine] },
  });
  const customers = openCustomers([service]);
  const untilMore = async () => {
    const count = customers.orders.length;
    await until(
      () => customers.orders.length,
      (now) => now >= count + ENOUGH,
    );
  };
  await untilMore();
  await askPostgres(
    url,
    `select citus_schema_move(current_schema()::regnamespace, '${target.nodename}', ${target.nodeport})`,
  );
  await untilMore();
  await customers.end();
  await assertWholeOrders(url, customers, engine);
  const [moved] = await askPostgres(
    url,
    `select distinct nodename, nodeport from citus_shards where table_name = 'tasks'::regclass`,
  );
  assert.deepEqual(moved, target);
});
