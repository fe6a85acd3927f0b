import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { ADDITIONS } from '../src/additions/list.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { diagnose } from '../src/service/doctor/diagnosis.ts';
import { alertBelow } from './helpers/alert-below.ts';
import { findDebianProgram } from './helpers/debian-program.ts';
import { openPgbouncer } from './helpers/pgbouncer.ts';
import { createPostgresDatabase } from './helpers/postgres-server.ts';
import { startTestService } from './helpers/service.ts';
import { startReceiver } from './helpers/webhook-receiver.ts';
import { wholeFile } from './helpers/whole-file.ts';

const program = await findDebianProgram(wholeFile, '/usr/sbin/pgbouncer', ['pgbouncer']);
const skip = program === null && 'PgBouncer could not be fetched';
const ORDER = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };

test('behind PgBouncer of Debian in transaction pooling, orders, waits, webhooks, alerts and doctor work', {
  skip,
}, async (t) => {
  if (program === null) return;
  const direct = await createPostgresDatabase(t);
  const url = await openPgbouncer(t, program, direct);
  await assert.rejects(
    openDatabase({ url: direct, listenUrl: url, path: '' }),
    /LISTEN_URL leads through a transaction pooler.*Name the server itself/,
  );
  const receiver = await startReceiver(t);
  const settings = alertBelow(Number.MAX_SAFE_INTEGER, {
    DARKROOM_DATABASE_URL: url,
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
  });
  const { call, keys, config } = await startTestService(t, settings);
  const orders = await Promise.all(
    Array.from({ length: 20 }, async (_, place) => {
      const sent = { ...ORDER, webhook_url: receiver.url };
      const { status, data } = await call(keys.live, 'POST', '/v1/images', sent, { 'idempotency-key': `k${place}` });
      assert.equal(status, 201);
      return data;
    }),
  );
  for (const { urls } of orders) {
    const task = await until(
      () => call(keys.live, 'GET', urls.self, undefined, { prefer: 'wait=20' }),
      ({ data }) => ['succeeded', 'failed'].includes(data.status),
    );
    assert.equal(task.data.status, 'succeeded');
  }
  await receiver.count(orders.length);
  await until(
    async () => (await call(keys.admin, 'GET', '/admin/v1/alerts?state=open')).data.items,
    (open) => open.some(({ kind }) => kind === 'disk_nearly_full'),
  );
  // By chance, each time another connection of the server answers.
  for (let round = 0; round < 10; round++) {
    const findings = await Array.fromAsync(diagnose(config, Date.now(), { additions: ADDITIONS }));
    const failures = findings.filter(({ name, status }) => status === 'failed' && name !== 'disk');
    assert.deepEqual(failures, []);
    assert.match(findings.find(({ name }) => name === 'database')?.found ?? '', /through a transaction pooler/);
  }
});
