import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openDatabase } from '../src/database/open-database.ts';
import { diagnose } from '../src/service/doctor/diagnosis.ts';
import { judgeProduction } from '../src/service/doctor/production.ts';
import { listOf, openPostgresPair } from './chaos/postgres-pair.ts';
import { openCatalogOverlay } from './helpers/catalog-overlay.ts';
import { loadConfig } from './helpers/load-config.ts';
import { openCustomers } from './helpers/ordering-customers.ts';
import { plainEntry } from './helpers/plain-entry.ts';
import { askPostgres } from './helpers/postgres-server.ts';
import { createReadyEngine } from './helpers/ready-engine.ts';
import { startTestService } from './helpers/service.ts';
import { assertWholeOrders } from './helpers/whole-orders.ts';

const ENOUGH = 30;

async function openCluster(t: TestContext) {
  const { close, ...cluster } = await openPostgresPair();
  t.after(close);
  return cluster;
}

/** What doctor says of the standbys. */
async function lookAtStandbys(url: string) {
  const config = loadConfig({ DARKROOM_DATABASE_URL: url });
  for await (const { name, status, found } of diagnose(config, Date.now()))
    if (name === 'database standbys') return `${status}: ${found}`;
  return null;
}

/** What production expects of the standbys. */
async function judgeStandbys(url: string) {
  const config = loadConfig({ DARKROOM_DATABASE_URL: url });
  for await (const { name, status, found } of judgeProduction(config, Date.now()))
    if (name === 'production standbys') return `${status}: ${found}`;
  return null;
}

/** Two processes of a service on the cluster, and customers who order there. */
async function openService(t: TestContext, list: string) {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-cluster-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const overlay = await openCatalogOverlay(t, [plainEntry({ model_id: 'paid', routes: [{ engine: 'scripted' }] })]);
  const engine = createReadyEngine();
  const env = {
    DARKROOM_DATABASE_URL: list,
    DARKROOM_DATA_DIR: directory,
    DARKROOM_CATALOG_DIR: overlay.directory,
  };
  const start = () => startTestService(t, { env, service: { engines: [engine] } });
  const services = [await start(), await start()];
  const customers = openCustomers(services);
  const untilMore = async () => {
    const before = customers.orders.length;
    await until(
      () => customers.orders.length,
      (count) => count >= before + ENOUGH,
    );
  };
  /** Resolves when both processes have confirmed an order after this moment. */
  const untilConfirmed = async (moment: number) => {
    await until(
      () => customers.confirmedAt,
      (times) => times.every((time) => time > moment),
      20,
    );
    return Math.round(performance.now() - moment);
  };
  return { engine, customers, untilMore, untilConfirmed };
}

test('a synchronous standby takes over from a primary that is killed under load: no order is lost or doubled, and within five seconds all goes on', async (t) => {
  const { primary, standby } = await openCluster(t);
  const list = listOf('postgres', standby.url, primary.url);
  const { engine, customers, untilMore, untilConfirmed } = await openService(t, list);
  assert.equal(await lookAtStandbys(list), 'ok: walreceiver (synchronous)');
  assert.equal(await judgeStandbys(list), 'warning: walreceiver (synchronous)');
  await untilMore();
  await primary.stop('crash');
  const refusals = customers.refused.length;
  await until(
    () => customers.refused.length,
    (count) => count > refusals + 6,
  );

  const promotedAt = performance.now();
  await askPostgres(standby.url, 'select pg_promote()');
  const tookMs = await untilConfirmed(promotedAt);
  t.diagnostic(`confirmed by both processes ${tookMs} ms after the promotion`);
  assert.ok(tookMs < 5_000, `${tookMs} ms`);
  await untilMore();
  await customers.end();
  await assertWholeOrders(standby.url, customers, engine);
  assert.match((await lookAtStandbys(list)) ?? '', /^warning: none is connected/);

  // The old primary accepts writes too. An address that nobody has used yet leads to the server that took over.
  await primary.start();
  const fresh = await openDatabase({ url: listOf('postgres', primary.url, standby.url), path: '', listen: false });
  t.after(() => fresh.close());
  const tasks = await fresh.read.all(fresh.read.builder.selectFrom('tasks').select('id'));
  assert.equal(tasks.length, customers.orders.length);
});

test('a synchronous standby takes over while the primary still runs: it confirms nothing more, and no process stays with it', async (t) => {
  const { primary, standby } = await openCluster(t);
  const { engine, customers, untilMore, untilConfirmed } = await openService(
    t,
    listOf('postgres', primary.url, standby.url),
  );
  await untilMore();
  await askPostgres(standby.url, 'select pg_promote()');
  const tookMs = await untilConfirmed(performance.now());
  t.diagnostic(`confirmed by both processes ${tookMs} ms after the promotion`);
  await untilMore();
  await customers.end();
  await assertWholeOrders(standby.url, customers, engine);
  // What waits for the standby does not notice that its client has gone.
  const stayed = `select application_name from pg_stat_activity
    where application_name like 'darkroom %' and application_name <> 'darkroom look'
      and wait_event is distinct from 'SyncRep'`;
  await until(
    () => askPostgres(primary.url, stayed),
    (rows) => rows.length === 0,
  );
});
