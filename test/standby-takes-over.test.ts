import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing/until';
import { openDatabase } from '../src/database/open-database.ts';
import { loadConfig } from '../src/service/config/config.ts';
import { diagnose } from '../src/service/doctor/diagnosis.ts';
import { openCatalogOverlay } from './catalog-overlay.ts';
import { openOwnPostgres } from './chaos/own-postgres.ts';
import { openCustomers } from './ordering-customers.ts';
import { plainEntry } from './plain-entry.ts';
import { askPostgres } from './postgres-server.ts';
import { createReadyEngine } from './ready-engine.ts';
import { startTestService } from './service.ts';
import { openStandby } from './standby-server.ts';
import { assertWholeOrders } from './whole-orders.ts';

const ENOUGH = 30;

/** A primary with a standby that has every commit before it is confirmed. */
async function openCluster(t: TestContext) {
  const primary = await openOwnPostgres();
  t.after(() => primary.close());
  const standby = await openStandby(t, primary.url);
  await askPostgres(primary.url, "alter system set synchronous_standby_names = '*'");
  await askPostgres(primary.url, 'select pg_reload_conf()');
  await until(
    () => askPostgres(primary.url, 'select sync_state from pg_stat_replication'),
    ([row]) => row?.sync_state === 'sync',
  );
  const listOf = (...urls: string[]) => {
    const [first] = urls;
    const hosts = urls.map((url) => new URL(url).host);
    return `${first}?target_session_attrs=read-write`.replace(String(hosts[0]), hosts.join(','));
  };
  return { primary, standby, listOf };
}

/** What doctor says of the standbys. */
async function lookAtStandbys(url: string) {
  const config = loadConfig({ DARKROOM_DATABASE_URL: url });
  for await (const { name, status, found } of diagnose(config, Date.now()))
    if (name === 'database standbys') return `${status}: ${found}`;
  return null;
}

test('a synchronous standby takes over from a primary that is killed under load: no order is lost or doubled, and within five seconds all goes on', {
  timeout: 300_000,
}, async (t) => {
  const { primary, standby, listOf } = await openCluster(t);
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-cluster-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const overlay = await openCatalogOverlay(t, [plainEntry({ model_id: 'paid', routes: [{ engine: 'scripted' }] })]);
  const engine = createReadyEngine();
  const list = listOf(standby.url, primary.url);
  const start = () =>
    startTestService(t, {
      env: {
        DARKROOM_DATABASE_URL: list,
        DARKROOM_DATA_DIR: directory,
        DARKROOM_CATALOG_DIR: overlay.directory,
      },
      service: { engines: [engine] },
    });
  const services = [await start(), await start()];
  assert.equal(await lookAtStandbys(list), 'ok: walreceiver (synchronous)');
  const customers = openCustomers(services);
  await until(
    () => customers.orders.length,
    (count) => count >= ENOUGH,
  );
  await primary.stop('crash');
  const before = customers.orders.length;
  const refusals = customers.refused.length;
  await until(
    () => customers.refused.length,
    (count) => count > refusals + 6,
  );

  const promotedAt = performance.now();
  await askPostgres(standby.url, 'select pg_promote()');
  await until(
    () => customers.confirmedAt,
    (times) => times.every((time) => time > promotedAt),
    20,
  );
  const tookMs = performance.now() - promotedAt;
  t.diagnostic(`confirmed by both processes ${Math.round(tookMs)} ms after the promotion, ${before} orders before`);
  assert.ok(tookMs < 5_000, `${tookMs} ms`);
  await until(
    () => customers.orders.length,
    (count) => count >= before + ENOUGH,
  );
  await customers.end();

  await assertWholeOrders(standby.url, customers, engine);
  assert.match((await lookAtStandbys(list)) ?? '', /^warning: none is connected/);

  // The old primary accepts writes too. An address that nobody has used yet leads to the server that took over.
  await primary.start();
  const fresh = await openDatabase({ url: listOf(primary.url, standby.url), path: '', listen: false });
  t.after(() => fresh.close());
  const tasks = await fresh.read.all(fresh.read.builder.selectFrom('tasks').select('id'));
  assert.equal(tasks.length, customers.orders.length);
});
