import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { rotateSigningSecrets } from '../src/accounts/signing-secrets.ts';
import { findDebianProgram } from './helpers/debian-program.ts';
import { readDeployFile } from './helpers/deploy-files.ts';
import { openNginxEdge } from './helpers/nginx-edge.ts';
import { runDarkroom } from './helpers/run-darkroom.ts';
import { startTestService } from './helpers/service.ts';
import { createSwiftEngine } from './helpers/swift-engine.ts';
import { wholeFile } from './helpers/whole-file.ts';

/** The files of deploy/cdn/ verify what a service signed, without asking it. */

const nginx = await findDebianProgram(wholeFile, '/usr/sbin/nginx', ['nginx', 'libnginx-mod-http-js']);
const CDN = 'https://cdn.example.com';
const HOUR_MS = 3_600_000;

/** A service behind a CDN whose clock can be set, and a file of it. */
async function openOrigin(t: TestContext) {
  let offset = 0;
  const app = await startTestService(t, {
    env: { DARKROOM_CDN_URL: CDN },
    service: { engines: [createSwiftEngine()], clock: { now: () => Date.now() + offset } },
  });
  const task = await app.make(app.keys.live, '/v1/images', { model_id: 'sketch', prompt: 'a fox' });
  /** The file's address as the service gives it that long from now. */
  const addressIn = async (ms: number) => {
    offset = ms;
    const { data } = await app.call(app.keys.live, 'GET', `/v1/images/${task.task_id}`);
    offset = 0;
    return new URL(data.outputs[0]!.url);
  };
  const edgeKeys = async () => {
    const data = { DARKROOM_DATA_DIR: app.config.dataDirectory, DARKROOM_CDN_URL: CDN };
    const url = app.config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: app.config.databaseUrl };
    const { code, stdout, stderr } = await runDarkroom(
      ['secrets', 'edge'],
      { ...data, ...url },
      app.config.dataDirectory,
    );
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  return { ...app, task, addressIn, edgeKeys };
}

/** Addresses that an edge answers from its cache, and those that the service has to judge, with its answer. */
async function variantsOf({ addressIn, task, call, keys }: Awaited<ReturnType<typeof openOrigin>>) {
  const good = await addressIn(0);
  const later = await addressIn(12 * HOUR_MS);
  assert.notEqual(later.search, good.search);
  const expired = await addressIn(-72 * HOUR_MS);
  const other = await call(keys.live, 'GET', task.urls.self);
  const events = new URL(other.data.urls.events).searchParams;
  const [expires, signature] = ['expires', 'signature'].map((name) => good.searchParams.get(name) ?? '');
  const path = good.pathname;
  const flipped = `${signature!.slice(1)}${signature!.startsWith('A') ? 'B' : 'A'}`;
  return {
    verified: [`${path}${good.search}`, `${path}${later.search}`, `${path}?signature=${signature}&expires=${expires}`],
    ofDownload: `${path}${good.search}&download=1`,
    judged: new Map([
      ['expired', [`${path}${expired.search}`, 403]],
      ['forged', [`${path}?expires=${expires}&signature=${flipped}`, 403]],
      ['longer', [`${path}?expires=${Number(expires) + 1}&signature=${signature}`, 403]],
      ['of another path', [`${path.replace(/\.\w+$/, '.txt')}${good.search}`, 403]],
      ['of events', [`${path}?expires=${events.get('expires')}&signature=${events.get('signature')}`, 403]],
      ['without a signature', [path, 403]],
      ['with an unknown field', [`${path}${good.search}&x=1`, 400]],
      ['with a field twice', [`${path}${good.search}&expires=${expires}`, 400]],
      ['in another spelling', [`${path.replace('/tasks/', '/t%61sks/')}${good.search}`, 200]],
    ] satisfies [string, [string, number]][]),
  };
}

/** The CloudFront Function with a key value store. */
function loadFunction(service: string, edgeKeys: string) {
  const text = readDeployFile('cdn/cloudfront-function.js')
    .replace(/^import .*$/gm, '')
    .replace('https://pictures.example.com', service);
  const store = { get: async (name: string) => (name === 'edge_keys' ? edgeKeys : Promise.reject(new Error(name))) };
  const globals = { cf: { kvs: () => store }, crypto: { createHmac } };
  const handler = runInNewContext(`${text}; handler`, globals) as (event: object) => Promise<Answer>;
  interface Answer {
    readonly uri?: string;
    readonly statusCode?: number;
    readonly headers?: { readonly location: { readonly value: string } };
  }
  return async (address: string) => {
    const [uri = '', query = ''] = address.split('?');
    const values = Map.groupBy(
      query.split('&').filter((part) => part !== ''),
      (part) => part.split('=')[0] ?? '',
    );
    const querystring = [...values].map(([name, parts]) => {
      const each = parts.map((part) => ({ value: part.split('=')[1] ?? '' }));
      return [name, { ...each.at(-1), ...(each.length > 1 ? { multiValue: each } : {}) }];
    });
    const request = { method: 'GET', uri, querystring: Object.fromEntries(querystring), headers: {} };
    const answer = await handler({ version: '1.0', request });
    return answer.uri === uri ? 'verified' : (answer.headers?.location.value ?? `${answer.statusCode}`);
  };
}

async function statusOf(address: string): Promise<number> {
  const response = await fetch(address);
  await response.arrayBuffer();
  return response.status;
}

test('the CloudFront Function lets pass what the service signed, and leads everything else to the service', async (t) => {
  const origin = await openOrigin(t);
  const { verified, ofDownload, judged } = await variantsOf(origin);
  const edge = loadFunction(origin.url, await origin.edgeKeys());
  for (const address of [...verified, ofDownload]) assert.equal(await edge(address), 'verified', address);
  for (const [what, [address, status]] of judged) {
    const led = await edge(address);
    assert.ok(led.startsWith(`${origin.url}/files/`), `${what}: ${led}`);
    assert.equal(await statusOf(led), status, what);
  }
  const [address = ''] = verified;
  for (const keys of ['', 'another'])
    assert.equal(
      await loadFunction(origin.url, keys)(address),
      `${origin.url}${address}`,
      'keys that it does not know',
    );

  const by = { actor: 'test', now: Date.now(), createId: () => 'x' };
  await rotateSigningSecrets(origin.database, by, { graceMs: HOUR_MS });
  const keys = await origin.edgeKeys();
  assert.match(keys, /^[\w-]{43} [\w-]{43}$/);
  assert.equal(await loadFunction(origin.url, keys)(address), 'verified', 'within the grace of a rotation');
});

test('nginx answers each signed address of a file from one copy, and asks the service about everything else', {
  skip: nginx === null && 'needs nginx with njs, which Debian has as nginx and libnginx-mod-http-js',
}, async (t) => {
  assert.ok(nginx !== null);
  const origin = await openOrigin(t);
  const { verified, ofDownload, judged } = await variantsOf(origin);
  const edge = await openNginxEdge(t, nginx, { service: origin.url, edgeKeys: await origin.edgeKeys() });
  const get = async (address: string, headers: Record<string, string> = {}) => {
    const response = await fetch(edge + address, { headers });
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, body, cache: response.headers.get('x-cache'), headers: response.headers };
  };
  const [address = '', ...others] = verified;
  const first = await get(address);
  assert.deepEqual([first.status, first.cache, first.body.length], [200, 'MISS', origin.task.outputs[0]!.bytes]);
  for (const each of [address, ...others]) {
    const again = await get(each);
    assert.deepEqual([again.status, again.cache], [200, 'HIT'], each);
    assert.ok(again.body.equals(first.body));
  }
  const part = await get(address, { range: 'bytes=2-5' });
  assert.deepEqual([part.status, part.cache, part.body], [206, 'HIT', first.body.subarray(2, 6)]);
  const unchanged = await get(address, { 'if-none-match': first.headers.get('etag') ?? '' });
  assert.deepEqual([unchanged.status, unchanged.cache], [304, 'HIT']);
  const saved = await get(ofDownload);
  assert.equal(saved.cache, 'MISS');
  assert.match(saved.headers.get('content-disposition') ?? '', /^attachment/);
  for (const [what, [each, status]] of judged)
    for (let time = 0; time < 2; time++) {
      const answer = await get(each);
      assert.deepEqual([answer.status, answer.cache], [status, 'BYPASS'], what);
    }
  assert.equal((await get(address)).cache, 'HIT', 'nothing of that replaced the copy');
});
