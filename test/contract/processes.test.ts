import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing/until';
import { alertBelow } from '../alert-below.ts';
import { runDarkroom } from '../run-darkroom.ts';
import { startTestService } from '../service.ts';

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
