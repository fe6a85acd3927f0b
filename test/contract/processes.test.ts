import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing/until';
import { alertBelow } from '../alert-below.ts';
import { runDarkroom } from '../run-darkroom.ts';
import { startTestService } from '../service.ts';
import { startReceiver } from '../webhook-receiver.ts';

test('a process that fell silent is listed by API and by command, and raises an alert', async (t) => {
  const service = await startTestService(t, {
    ...alertBelow(0),
    service: { tempo: { addedEveryMs: 10 } },
  });
  const { call, keys, database, config } = service;
  const processes = async () => (await call(keys.admin, 'GET', '/admin/v1/processes')).data.items;
  const alerts = async (state: string) =>
    (await call(keys.admin, 'GET', `/admin/v1/alerts?state=${state}`)).data.items.filter(
      ({ kind }) => kind === 'process_silent',
    );
  const [own] = await until(processes, (found) => found.length > 0);
  assert.deepEqual([own?.role, own?.state, own?.host], ['all', 'running', hostname()]);

  const ago = Date.now() - 120_000;
  await database.write('insert_process', (trx) =>
    trx.run(
      trx.builder.insertInto('processes').values({
        ...{
          id: 'prc_gone',
          role: 'worker',
          host: 'attic',
          machine: 'attic',
          pid: 7,
          version: '0.1.0',
          lock_path: '/nowhere',
        },
        ...{ started_at: ago - 60_000, beat_at: ago, beats: 3, ended_at: null },
      }),
    ),
  );
  const listed = (await processes()).find(({ process_id }) => process_id === 'prc_gone');
  assert.deepEqual([listed?.state, listed?.role, listed?.host, listed?.tasks], ['silent', 'worker', 'attic', 0]);
  const [alert] = await until(
    () => alerts('open'),
    (found) => found.length > 0,
  );
  assert.equal(alert?.subject, 'worker at attic');
  const variables = {
    DARKROOM_DATA_DIR: config.dataDirectory,
    ...(config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: config.databaseUrl }),
  };
  const { code, stdout } = await runDarkroom(['processes'], variables, config.dataDirectory);
  assert.equal(code, 0);
  assert.match(stdout, /silent +worker +attic +0\.1\.0/);
});

test('two silent processes of one role on a machine are one alert and stop no other alert; each that was replaced is missing no more', async (t) => {
  const receiver = await startReceiver(t);
  const { call, keys, database } = await startTestService(t, {
    ...alertBelow(0, {
      DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
      DARKROOM_ALERT_WEBHOOK_URL: receiver.url,
      DARKROOM_ALERT_WEBHOOK_FORMAT: 'ntfy',
    }),
    service: { tempo: { addedEveryMs: 10 } },
  });
  const now = Date.now();
  const worker = (id: string, startedAt: number, beatAt: number) =>
    database.write('insert_process', (trx) =>
      trx.run(
        trx.builder.insertInto('processes').values({
          ...{ id, role: 'worker', host: 'attic', machine: 'attic', pid: 7, version: '0.1.0', lock_path: '/nowhere' },
          ...{ started_at: startedAt, beat_at: beatAt, beats: 3, ended_at: null },
        }),
      ),
    );
  const missing = async () => {
    const { items } = (await call(keys.admin, 'GET', '/admin/v1/processes')).data;
    return items.filter((process) => process.missing).map(({ process_id }) => process_id);
  };
  const alerts = async () => (await call(keys.admin, 'GET', '/admin/v1/alerts?state=open')).data.items;
  await call(keys.admin, 'POST', '/admin/v1/hold');
  await worker('prc_first', now - 900_000, now - 300_000);
  await worker('prc_second', now - 900_000, now - 200_000);
  const told = await until(alerts, (found) => found.some(({ kind }) => kind === 'process_silent'));
  assert.deepEqual(told.map(({ kind }) => kind).sort(), ['held', 'process_silent']);
  assert.match(
    told.find(({ kind }) => kind === 'process_silent')?.summary ?? '',
    /^2 workers at attic are silent: prc_first, prc_second\. /,
  );
  await receiver.count(2);
  await worker('prc_third', now - 100_000, now + 600_000);
  assert.deepEqual(await missing(), ['prc_second'], 'one process replaces one');
  await worker('prc_fourth', now - 90_000, now + 600_000);
  assert.deepEqual(await missing(), []);
});
