import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Delivery, Engine } from '@darkroom-service/engines';
import { openFakeServer } from '@darkroom-service/engines/fakes/parts';
import { S3_CREDENTIALS, startS3Server, until } from '@darkroom-service/testing';
import { openBreakableConnection } from '../helpers/breakable-connection.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createPostgresDatabase } from '../helpers/postgres-server.ts';
import { startTestService } from '../helpers/service.ts';
import { openStalledConnection } from '../helpers/stalled-connection.ts';
import { assertBooks, assertReconciliation } from './books.ts';
import { openPremises } from './child-service.ts';
import { readSubmissions } from './paid-engine.ts';

const IMAGES = '/v1/images';
/** A killed process's claims end by themselves. */
const PAST_THE_LEASES_MS = 61_000;
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);

/** The folders of answers that lie in a spool. */
async function spooledAnswers(spool: string): Promise<string[]> {
  const names = await readdir(spool, { recursive: true }).catch(() => []);
  return names.filter((name) => /^[^/\\]+[/\\]img_[^/\\]+$/.test(name) && !name.startsWith('late-results'));
}

test('answers received during a database outage survive a restart: each order succeeds and was made once', async (t) => {
  const premises = await openPremises(t, [
    { name: 'paid-blocking', blocking: true, workMs: 300 },
    { name: 'paid-polled', startMs: 300, workMs: 0 },
  ]);
  const spool = join(premises.directory, 'data', 'spool');
  const { live } = premises.keys;
  const child = await premises.start();
  const ids: string[] = [];
  for (const model_id of ['paid-blocking', 'paid-polled'])
    ids.push((await child.call(live, 'POST', IMAGES, { model_id, prompt: 'a fox' })).body.data.task_id);
  await until(
    () => readSubmissions(premises.books).length,
    (count) => count === ids.length,
  );
  child.setDatabaseAway(true);
  const [folder = ''] = await until(
    () => spooledAnswers(spool),
    (found) => found.length === ids.length,
  );
  if (process.platform !== 'win32') {
    assert.equal((await stat(join(spool, folder))).mode & 0o777, 0o700);
    assert.equal((await stat(join(spool, folder, 'answer.json'))).mode & 0o777, 0o600);
  }
  child.process.kill('SIGKILL');
  await child.ended;
  premises.aheadMs += PAST_THE_LEASES_MS;
  const next = await premises.start();
  for (const id of ids) {
    const { body } = await next.call(live, 'GET', `${IMAGES}/${id}`, undefined, { prefer: 'wait=60' });
    assert.deepEqual([body.data.status, body.data.error], ['succeeded', null], body.data.model_id);
    assert.equal((await fetch(body.data.outputs[0].url)).status, 200);
  }
  await assertBooks(premises);
  await assertReconciliation(premises);
  await until(
    () => spooledAnswers(spool),
    (found) => found.length === 0,
  );
});

test('an order whose file cannot be read outlives a kill: another process reads the file, and it was made once', async (t) => {
  let isThere = false;
  let readings = 0;
  const host = await openFakeServer(({ reply }) => {
    readings++;
    return isThere ? reply(200, PICTURE, { 'content-type': 'image/png' }) : reply(200, '<!doctype html>');
  });
  t.after(() => host.stop());
  const premises = await openPremises(t, [{ name: 'paid-blocking', blocking: true, workMs: 0, host: host.url }]);
  const { live } = premises.keys;
  const first = await premises.start();
  const order = await first.call(live, 'POST', IMAGES, { model_id: 'paid-blocking', prompt: 'a fox' });
  await until(
    () => readings,
    (count) => count > 1,
  );
  first.process.kill('SIGKILL');
  await first.ended;
  isThere = true;
  premises.aheadMs += PAST_THE_LEASES_MS;
  const next = await premises.start();
  const id = order.body.data.task_id;
  const { body } = await next.call(live, 'GET', `${IMAGES}/${id}`, undefined, { prefer: 'wait=60' });
  assert.deepEqual([body.data.status, body.data.error], ['succeeded', null]);
  assert.equal(readSubmissions(premises.books).length, 1);
  await assertBooks(premises);
  await assertReconciliation(premises);
});

test('a picture is on this disk while S3 gets it, so that a kill loses nothing, and no longer than that', async (t) => {
  const s3 = await startS3Server();
  t.after(() => s3.close());
  const bucket = await s3.makeBucket();
  const line = await openStalledConnection(t, s3.endpoint);
  const premises = await openPremises(t, [{ name: 'paid-blocking', blocking: true, workMs: 0 }]);
  const spool = join(premises.directory, 'data', 'spool');
  const { live } = premises.keys;
  const variables = {
    DARKROOM_STORAGE_URL: `s3://${bucket}?region=us-east-1&endpoint=${encodeURIComponent(line.url)}`,
    AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
  };
  const first = await premises.start({ variables });
  line.hold('/tasks/');
  const order = await first.call(live, 'POST', IMAGES, { model_id: 'paid-blocking', prompt: 'a fox' });
  const id = order.body.data.task_id;
  await until(
    () => spooledAnswers(spool),
    (found) => found.length === 1,
  );
  first.process.kill('SIGKILL');
  await first.ended;
  assert.deepEqual(
    (await s3.objects(bucket)).filter((key) => key.includes(id)),
    [],
    'S3 has nothing of it',
  );
  line.release();
  premises.aheadMs += PAST_THE_LEASES_MS;
  const next = await premises.start({ variables });
  const { body } = await next.call(live, 'GET', `${IMAGES}/${id}`, undefined, { prefer: 'wait=60' });
  assert.deepEqual([body.data.status, body.data.error], ['succeeded', null]);
  assert.equal((await fetch(body.data.outputs[0].url)).status, 200);
  assert.equal(readSubmissions(premises.books).length, 1);
  await assertBooks(premises);
  await assertReconciliation(premises);
  await until(
    () => spooledAnswers(spool),
    (found) => found.length === 0,
  );
});

test('an answer that came while PostgreSQL was away is stored when it is back, and leaves nothing in the spool', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  let calls = 0;
  const engine: Engine = {
    name: 'blocking',
    concurrency: 10,
    async start() {
      calls++;
      line.cut();
      const outputs = [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }];
      return { done: { outputs } satisfies Delivery };
    },
    check: () => Promise.reject(new Error('it was answered at once')),
  };
  const models = [plainEntry({ model_id: 'blocking', routes: [{ engine: 'blocking' }] })];
  const { call, config, keys } = await startTestService(t, {
    env: {
      DARKROOM_CATALOG_DIR: (await openCatalogOverlay(t, models)).directory,
      DARKROOM_DATABASE_URL: line.url,
      DARKROOM_LOG_LEVEL: 'silent',
    },
    service: { engines: [engine] },
  });
  const spool = join(config.dataDirectory, 'spool');
  const { data } = await call(keys.live, 'POST', IMAGES, { model_id: 'blocking', prompt: 'a fox' });
  await until(
    () => spooledAnswers(spool),
    (found) => found.length === 1,
  );
  line.mend();
  const ended = await until(
    () => call(keys.live, 'GET', data.urls.self),
    ({ data }) => data !== undefined && !['queued', 'processing'].includes(data.status),
  );
  assert.deepEqual([ended.data.status, ended.data.error, calls], ['succeeded', null, 1]);
  await until(
    () => readdir(spool),
    (found) => found.length === 0,
  );
});
