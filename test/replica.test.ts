import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { askPostgres, createPostgresDatabase } from './helpers/postgres-server.ts';
import { startTestService, type TestService } from './helpers/service.ts';
import { openStandby } from './helpers/standby-server.ts';

async function start(t: TestContext) {
  const url = await createPostgresDatabase(t, 'replicated');
  const standby = await openStandby(t, url);
  const app = await startTestService(t, {
    env: { DARKROOM_DATABASE_URL: url, DARKROOM_DATABASE_REPLICA_URL: standby.url },
  });
  return { standby, app };
}

async function order(app: TestService): Promise<string> {
  const body = { model_id: 'sketch', prompt: 'a lighthouse', simulate: { outcome: 'content_policy' } };
  const { data } = await app.call(app.keys.test, 'POST', '/v1/images', body);
  return data.task_id;
}

async function listed(app: TestService): Promise<string[]> {
  const { data } = await app.call(app.keys.test, 'GET', '/v1/images?limit=100');
  return data.items.map((task) => task.task_id);
}

test('a replica answers lists while it is close behind; the server answers them when it falls behind or is gone', async (t) => {
  const { standby, app } = await start(t);
  const first = await order(app);
  const shows = (count: number) =>
    until(
      () => listed(app),
      (ids) => ids.length === count,
    );
  await shows(1);
  const ordered = [first];
  // At first the replica may not be used yet: it is looked at once a second.
  for (;;) {
    await standby.pause();
    ordered.unshift(await order(app));
    const ids = await listed(app);
    if (ids.length < ordered.length) {
      assert.deepEqual(ids, ordered.slice(-ids.length), 'the replica answered with what it had');
      break;
    }
    await standby.resume();
  }
  const second = ordered[0];
  const { data } = await app.call(app.keys.test, 'GET', `/v1/images/${second}`);
  assert.equal(data.task_id, second, 'a single task comes from the server');
  await shows(ordered.length);
  await standby.resume();
  await standby.stop();
  const third = await order(app);
  assert.deepEqual(await listed(app), [third, ...ordered]);
});

test('a standby that does not replay, and one that no commit waits for, is an alert and a metric', async (t) => {
  const url = await createPostgresDatabase(t, 'replicated');
  const standby = await openStandby(t, url);
  const {
    call,
    keys,
    url: service,
  } = await startTestService(t, {
    env: { DARKROOM_DATABASE_URL: url },
    service: { tempo: { addedEveryMs: 50 } },
  });
  await standby.pause();
  await askPostgres(url, "select pg_logical_emit_message(false, 'test', repeat('x', 80000000))");
  const alerts = await until(
    async () => (await call(keys.admin, 'GET', '/admin/v1/alerts')).data.items,
    (items) => items.some(({ kind }) => kind === 'standby_behind'),
  );
  const summaryOf = (wanted: string) => alerts.find(({ kind }) => kind === wanted)?.summary ?? '';
  assert.match(summaryOf('standby_behind'), /^The standby walreceiver has not replayed the last \d+ MiB/);
  assert.match(
    summaryOf('standby_asynchronous'),
    /^The database has no synchronous standby \(connected: walreceiver\)/,
  );
  const metrics = await fetch(`${service}/metrics`, { headers: { authorization: `Bearer ${keys.admin}` } });
  const text = await metrics.text();
  const [, bytes] = /^darkroom_standby_behind_bytes\{standby="walreceiver"\} (\d+)$/m.exec(text) ?? [];
  assert.ok(Number(bytes) >= 64 * 2 ** 20, `${bytes} bytes`);
  assert.match(text, /^darkroom_standby_synchronous\{standby="walreceiver"\} 0$/m);
});

test('no standby at all is an alert where the address names several servers', async (t) => {
  const url = await createPostgresDatabase(t);
  const servers = url.replace(new URL(url).host, (host) => `${host},${host}`);
  const { call, keys } = await startTestService(t, {
    env: { DARKROOM_DATABASE_URL: servers },
    service: { tempo: { addedEveryMs: 50 } },
  });
  const [alert] = await until(
    async () =>
      (await call(keys.admin, 'GET', '/admin/v1/alerts')).data.items.filter(
        ({ kind }) => kind === 'standby_asynchronous',
      ),
    ({ length }) => length > 0,
  );
  assert.match(alert?.summary ?? '', /^No standby of the database is connected.* names several servers\./);
});
