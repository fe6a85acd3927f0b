import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFakeFal, openFakeReplicate } from '@darkroom-service/engines/fakes';
import { serveProxy } from '@darkroom-service/testing';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { openDatabase } from '../../database/open-database.ts';
import { diagnoseEngines } from './diagnose-engines.ts';
import { diagnose } from './diagnosis.ts';

test('every configured upstream is probed without ordering, and each fault names its variable', async (t) => {
  const fal = await openFakeFal({});
  const replicate = await openFakeReplicate({});
  t.after(() => Promise.all([fal.stop(), replicate.stop()]));
  const environment = {
    FAL_KEY: fal.key,
    DARKROOM_FAL_URL: fal.url,
    REPLICATE_API_TOKEN: 'not-the-token',
    DARKROOM_REPLICATE_URL: replicate.url,
  };
  const [well, ill] = await diagnoseEngines(loadConfig(environment), [], 0);
  assert.deepEqual([well?.name, well?.status, well?.advice], ['engine fal', 'ok', null]);
  assert.deepEqual([ill?.name, ill?.status], ['engine replicate', 'failed']);
  assert.match(String(ill?.found), /valid authentication token/);
  assert.match(String(ill?.advice), /REPLICATE_API_TOKEN/);
  assert.doesNotMatch(JSON.stringify(ill), /not-the-token/);
  assert.equal(fal.jobs.size + replicate.jobs.size, 0);
});

test('doctor says through which proxy an upstream is reached, and why one cannot be reached', async (t) => {
  const fal = await openFakeFal({});
  t.after(() => fal.stop());
  const proxy = await serveProxy(t, ({ to }) => (to.startsWith('nowhere.') ? 'HTTP/1.1 407 Who\r\n\r\n' : null));
  const HTTP_PROXY = `http://ann:s3cret@127.0.0.1:${proxy.port}`;
  const find = async (environment: Readonly<Record<string, string>>) =>
    (await diagnoseEngines(loadConfig({ FAL_KEY: fal.key, DARKROOM_FAL_URL: fal.url, ...environment }), [], 0))[0];
  const shown = `through the proxy http://127.0.0.1:${proxy.port}`;
  const { host } = new URL(fal.url);

  const well = await find({ HTTP_PROXY });
  assert.deepEqual([well?.status, well?.found.includes(shown), proxy.tunnels[0]?.to], ['ok', true, host]);
  const direct = await find({ HTTP_PROXY, NO_PROXY: '127.0.0.1' });
  assert.deepEqual([direct?.status, direct?.found.includes('proxy')], ['ok', false]);

  const refused = await find({ HTTP_PROXY, DARKROOM_FAL_URL: 'http://nowhere.example.com' });
  assert.equal(refused?.status, 'failed');
  assert.match(String(refused?.found), /cannot be reached, through the proxy http:.*: 407 Who; it expects a user/);
  const away = await find({ HTTP_PROXY: 'http://127.0.0.1:9' });
  assert.match(String(away?.found), /the proxy http:\/\/127\.0\.0\.1:9 cannot be reached \(ECONNREFUSED\)/);
  const unknown = await find({ DARKROOM_FAL_URL: 'http://nowhere.invalid' });
  assert.match(String(unknown?.found), /cannot be reached: the name nowhere\.invalid could not be resolved \(E\w+\)$/);
  const shut = await find({ DARKROOM_FAL_URL: 'http://127.0.0.1:9' });
  assert.match(String(shut?.found), /cannot be reached: could not connect to 127\.0\.0\.1 \(ECONNREFUSED\)$/);
  assert.doesNotMatch(JSON.stringify([well, refused, away]), /s3cret/);
});

test('an upstream that answers but is paused by its circuit is reported until the pause ends', async (t) => {
  const fal = await openFakeFal({});
  t.after(() => fal.stop());
  const config = loadConfig({ FAL_KEY: fal.key, DARKROOM_FAL_URL: fal.url });
  const shut = {
    subject: 'fal',
    call: 'start',
    message: 'exhausted balance',
    since: 0,
    retry_at: 300_000,
    trial_until: null,
    at_once: null,
  } as const;
  const [empty] = await diagnoseEngines(config, [{ ...shut, kind: 'outage', fault: 'billing', times: 1 }], 1_000);
  assert.equal(empty?.status, 'warning');
  assert.match(
    String(empty?.found),
    /no orders since 1970-.* \(billing: exhausted balance\).* test it at 1970-01-01T00:05/,
  );
  assert.match(String(empty?.advice), /engines\/fal\/circuit\/close/);
  const [held] = await diagnoseEngines(config, [{ ...shut, kind: 'pause', fault: 'rate_limited', times: 0 }], 300_000);
  assert.equal(held?.status, 'ok');
});

test('an upstream that cannot be reached is told with the reason', async () => {
  const environment = { FAL_KEY: 'a:b', DARKROOM_FAL_URL: 'http://127.0.0.1:9' };
  const [closed] = await diagnoseEngines(loadConfig(environment), [], 0);
  assert.equal(closed?.status, 'failed');
  assert.match(String(closed?.found), /fal cannot be reached: could not connect to 127\.0\.0\.1 \(ECONNREFUSED\)/);
});

test('an engine that is not selected is not probed', async () => {
  const config = loadConfig({
    FAL_KEY: 'id:secret',
    DARKROOM_FAL_URL: 'http://127.0.0.1:9',
    DARKROOM_ENGINES: 'sketch',
  });
  assert.deepEqual(await diagnoseEngines(config, [], 0), []);
});

test('doctor reads from the database of a service which upstreams get no orders', async (t) => {
  const fal = await openFakeFal({});
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-doctor-'));
  const config = loadConfig({ FAL_KEY: fal.key, DARKROOM_FAL_URL: fal.url, DARKROOM_DATA_DIR: directory });
  const database = await openDatabase({ url: null, path: config.databasePath });
  t.after(async () => {
    await database.close();
    await fal.stop();
    await rm(directory, { recursive: true });
  });
  const kind = 'outage';
  const shut = { kind, fault: 'auth', call: 'start', message: 'no such key', times: 1, since: 0 } as const;
  await database.write('test', (trx) =>
    trx.run(trx.builder.insertInto('valves').values({ subject: 'fal', ...shut, retry_at: 300_000 })),
  );
  const finding = (await Array.fromAsync(diagnose(config, 1_000))).find(({ name }) => name === 'engine fal');
  assert.equal(finding?.status, 'warning');
  assert.match(String(finding?.found), /no such key/);
});
