import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { ProcessFacts } from '../../src/database/process-facts.ts';
import { alertBelow } from '../helpers/alert-below.ts';
import { runDarkroom } from '../helpers/run-darkroom.ts';
import { startTestService } from '../helpers/service.ts';
import { startReceiver } from '../helpers/webhook-receiver.ts';

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
        id: 'prc_gone',
        role: 'worker',
        host: 'attic',
        machine: 'attic',
        pid: 7,
        version: '0.1.0',
        lock_path: '/nowhere',
        started_at: ago - 60_000,
        beat_at: ago,
        beats: 3,
        ended_at: null,
      }),
    ),
  );
  const listed = (await processes()).find(({ process_id }) => process_id === 'prc_gone');
  assert.deepEqual([listed?.state, listed?.role, listed?.host, listed?.tasks], ['silent', 'worker', 'attic', 0]);
  const [alert] = await until(
    () => alerts('open'),
    (found) => found.length > 0,
  );
  assert.equal(alert?.subject, 'prc_gone');
  const variables = {
    DARKROOM_DATA_DIR: config.dataDirectory,
    ...(config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: config.databaseUrl }),
  };
  const { code, stdout } = await runDarkroom(['processes'], variables, config.dataDirectory);
  assert.equal(code, 0);
  assert.match(stdout, /silent +worker +attic +0\.1\.0/);
});

test('each silent process of a machine is an alert of its own, and each that was replaced is missing no more', async (t) => {
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
  type Worker = readonly [id: string, startedAt: number, beatAt: number];
  /** In one commit, so that no look between two tells of the first one alone. */
  const workers = (...added: readonly Worker[]) =>
    database.write('insert_process', (trx) =>
      trx.run(
        trx.builder.insertInto('processes').values(
          added.map(([id, startedAt, beatAt]) => ({
            id,
            role: 'worker' as const,
            host: 'attic',
            machine: 'attic',
            pid: 7,
            version: '0.1.0',
            lock_path: '/nowhere',
            started_at: startedAt,
            beat_at: beatAt,
            beats: 3,
            ended_at: null,
          })),
        ),
      ),
    );
  const missing = async () => {
    const { items } = (await call(keys.admin, 'GET', '/admin/v1/processes')).data;
    return items.filter((process) => process.missing).map(({ process_id }) => process_id);
  };
  const alerts = async () => (await call(keys.admin, 'GET', '/admin/v1/alerts?state=open')).data.items;
  await call(keys.admin, 'POST', '/admin/v1/hold');
  await workers(['prc_first', now - 900_000, now - 300_000], ['prc_second', now - 900_000, now - 200_000]);
  const told = await until(alerts, (found) => found.length > 2);
  const silent = told.filter(({ kind }) => kind === 'process_silent');
  assert.deepEqual(silent.map(({ subject }) => subject).sort(), ['prc_first', 'prc_second']);
  assert.match(silent[0]?.summary ?? '', /^The process prc_\w+ \(worker at attic\) was last heard of at /);
  await receiver.count(3);
  await workers(['prc_third', now - 100_000, now + 600_000]);
  assert.deepEqual(await missing(), ['prc_second'], 'one process replaces one');
  await workers(['prc_fourth', now - 90_000, now + 600_000]);
  assert.deepEqual(await missing(), []);
});

test('a process whose key an upstream refuses, or that never reached the storage, is named everywhere with what to do', async (t) => {
  const service = await startTestService(t, { ...alertBelow(0), service: { tempo: { addedEveryMs: 10 } } });
  const { call, keys, database, config } = service;
  const now = Date.now();
  const right: ProcessFacts = {
    engines: [],
    keys: { fal: 'a1' },
    refused: {},
    spendLimits: {},
    storage: 's1',
    hasStored: true,
  };
  const refused = { fal: { since: now, reason: 'no such key', setting: 'FAL_KEY' } };
  const wrong = { ...right, keys: { fal: 'b2' }, refused, storage: 's2', hasStored: false };
  const enter = (id: string, facts: ProcessFacts) =>
    database.write('insert_process', (trx) =>
      trx.run(
        trx.builder.insertInto('processes').values({
          id,
          role: 'worker',
          host: 'vm',
          machine: 'vm',
          pid: 7,
          version: '0.1.0',
          lock_path: '/nowhere',
          started_at: now - 100_000,
          beat_at: now + 600_000,
          beats: 3,
          ended_at: null,
          facts: JSON.stringify(facts),
        }),
      ),
    );
  for (const id of ['w1', 'w3', 'w4']) await enter(id, right);
  await enter('w2', wrong);
  const faults = [
    'fal refuses the key of worker w2 at host vm; 3 other processes use another key: set the right FAL_KEY there and restart it.',
    'worker w2 at host vm has never reached the storage, and 4 other processes have; it takes no orders: read the reason in its /readyz, set the right storage there and restart it.',
  ];
  const differs =
    'worker w2 at host vm has another address or other credentials of the storage than 4 other processes.';
  const listed = await until(
    async () => (await call(keys.admin, 'GET', '/admin/v1/processes')).data.items,
    (items) => items.some(({ faults: [, second] }) => second?.includes('4 other') === true),
  );
  const named = (id: string) => listed.find(({ process_id }) => process_id === id);
  assert.deepEqual([named('w2')?.faults, named('w2')?.differences], [faults, [differs]]);
  assert.deepEqual([named('w1')?.faults, named('w1')?.differences], [[], []]);

  const { checks } = await until(
    async () => (await call(keys.admin, 'GET', '/readyz')).body,
    (answer) => answer.checks.some(({ name }) => name === 'processes'),
  );
  assert.equal(checks.find(({ name }) => name === 'processes')?.detail, faults.join(' '));
  const alert = await until(
    async () =>
      (await call(keys.admin, 'GET', '/admin/v1/alerts?state=open')).data.items.find(
        ({ kind }) => kind === 'process_apart',
      ),
    // Its first summary may be older than the service's own facts.
    (found) => found?.summary.includes(differs) === true,
  );
  assert.deepEqual([alert?.subject, alert?.summary], ['worker at vm', [...faults, differs].join(' ')]);

  const variables = {
    DARKROOM_DATA_DIR: config.dataDirectory,
    ...(config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: config.databaseUrl }),
  };
  const { stdout } = await runDarkroom(['processes'], variables, config.dataDirectory);
  for (const sentence of [...faults, differs]) assert.ok(stdout.includes(`${sentence}\n`), stdout);
});
