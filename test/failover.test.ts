import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from './helpers/catalog-overlay.ts';
import { plainEntry } from './helpers/plain-entry.ts';
import { askPostgres, createPostgresDatabase } from './helpers/postgres-server.ts';
import { createScriptedEngine } from './helpers/scripted-engine.ts';
import { startTestService } from './helpers/service.ts';
import { openStandby } from './helpers/standby-server.ts';
import { createSwiftEngine } from './helpers/swift-engine.ts';

const FOX = { model_id: 'paid', prompt: 'a red fox' };

/** An address that leads to one server, and after a failover to another, as that of a cluster does. */
async function openAddress(t: Pick<TestContext, 'after'>, url: string) {
  let target = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  t.after(() => {
    cut();
    server.close();
  });
  const address = new URL(url);
  address.port = String((server.address() as AddressInfo).port);
  return {
    url: address.href,
    leadNowhere() {
      target = new URL('postgres://127.0.0.1:1');
      cut();
    },
    leadTo(next: string) {
      target = new URL(next);
      cut();
    },
  };
}

async function start(t: TestContext, concurrency: number, refreshMs = 20) {
  const primary = await createPostgresDatabase(t, 'replicated');
  const standby = await openStandby(t, primary);
  const address = await openAddress(t, primary);
  const overlay = await openCatalogOverlay(t, [plainEntry({ model_id: 'paid', routes: [{ engine: 'scripted' }] })]);
  const engine = createScriptedEngine({ concurrency });
  const app = await startTestService(t, {
    env: { DARKROOM_DATABASE_URL: address.url, DARKROOM_CATALOG_DIR: overlay.directory },
    service: { engines: [engine, createSwiftEngine()], tempo: { installation: { refreshMs, beatEveryMs: 50 } } },
  });
  const order = async () => (await app.call(app.keys.live, 'POST', '/v1/images', FOX)).data;
  await order();
  await until(
    async () => engine.started.length,
    (count) => count === 1,
  );
  await order();
  await until(
    async () => engine.started.length,
    (count) => count === Math.min(2, concurrency),
  );
  await until(
    () => askPostgres(standby.url, 'select id from tasks'),
    (tasks) => tasks.length === 2,
  );
  const beatAt = async (url: string) => Number((await askPostgres(url, 'select beat from installation'))[0]?.beat);
  /** The standby takes over, and the address leads to it. */
  const failOver = async () => {
    await askPostgres(standby.url, 'select pg_promote()');
    address.leadTo(standby.url);
  };
  const held = async () => (await app.call(app.keys.live, 'GET', '/v1/account')).data?.service?.held;
  return { address, app, engine, primary, standby, beatAt, failOver, held };
}

test('a failover that keeps all commits is not held, and its orders go on', { timeout: 300_000 }, async (t) => {
  const { address, engine, primary, standby, beatAt, failOver, held } = await start(t, 1);
  // As with a synchronous standby: it has everything that was committed.
  address.leadNowhere();
  const beat = await until(
    async () => [await beatAt(primary), await beatAt(standby.url)],
    ([committed, replayed]) => committed === replayed,
  );
  await failOver();
  await until(
    () => beatAt(standby.url),
    (found) => found > Number(beat[0]) + 1,
  );
  assert.equal(await held(), false);
  engine.answer = () => ({ status: 'failed', error: { code: 'upstream_error', message: 'ended' } });
  await until(
    async () => engine.started.length,
    (count) => count === 2,
  );
});

test('a failover that lost commits is held, and sends nothing', { timeout: 300_000 }, async (t) => {
  // Long enough for an order to be claimed before the next look.
  const { app, engine, primary, standby, beatAt, failOver, held } = await start(t, 10, 3_000);
  await askPostgres(standby.url, "alter system set primary_conninfo = ''");
  await askPostgres(standby.url, 'select pg_reload_conf()');
  await until(
    () => askPostgres(standby.url, 'select 1 from pg_stat_wal_receiver'),
    (rows) => rows.length === 0,
  );
  const kept = await beatAt(standby.url);
  await until(
    () => beatAt(primary),
    (found) => found > kept + 2,
  );
  await failOver();
  const late = await until(
    () => app.call(app.keys.live, 'POST', '/v1/images', FOX),
    ({ status }) => status === 201,
  );
  assert.equal(await until(held, (found) => found === true), true);
  engine.answer = () => ({ status: 'failed', error: { code: 'upstream_error', message: 'ended' } });
  const checks = engine.checked.length;
  assert.equal((await app.call(app.keys.live, 'GET', late.data.urls.self)).data.status, 'queued');
  const beats = async () =>
    Number((await askPostgres(standby.url, 'select max(beats) as most from processes'))[0]?.most);
  const since = await beats();
  // By then the worker has looked for work.
  await until(beats, (found) => found > since + 1);
  assert.deepEqual([engine.started.length, engine.checked.length], [2, checks]);
});
