import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startTestService } from '../../../test/helpers/service.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';
import { chooseEncoding, findConsole } from './console-files.ts';
import { createConsoleSessions, SIGN_IN_LINK_MS } from './console-session.ts';

const service = await startTestService(wholeFile);
const KEYS = { test: 'dk_test_1', live: 'dk_live_1', admin: 'dk_admin_1' };

async function built(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-console-'));
  t.after(() => rm(directory, { recursive: true }));
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), '<title>Darkroom</title>');
  await writeFile(join(directory, 'assets', 'a.js'), 'let a');
  await writeFile(join(directory, 'assets', 'a.js.gz'), gzipSync('let a'));
  return directory;
}

test('a sign-in token works once, before it expires, and only unchanged', () => {
  let now = 0;
  const sessions = createConsoleSessions({ now: () => now });
  const token = sessions.offer(KEYS);
  assert.equal(sessions.redeem(`${token}x`), null);
  assert.deepEqual(sessions.redeem(token), KEYS);
  assert.equal(sessions.redeem(token), null);
  const late = sessions.offer(KEYS);
  now = SIGN_IN_LINK_MS;
  assert.equal(sessions.redeem(late), null);
});

test('the built console is found with its compressed forms, and without them where there is none', async (t) => {
  const directory = await built(t);
  const { page, files } = findConsole(directory);
  assert.equal(page, '<title>Darkroom</title>');
  assert.deepEqual([...files.keys()].sort(), ['assets/a.js', 'index.html']);
  const script = files.get('assets/a.js');
  assert.ok(script !== undefined);
  assert.equal(chooseEncoding(script, 'br, gzip'), 'gzip');
  assert.equal(chooseEncoding(script, 'gzip;q=0, br'), null);
  assert.equal((await script.read(null)).toString(), 'let a');
  assert.deepEqual(await script.read('gzip'), gzipSync('let a'));
  const nowhere = findConsole(join(directory, 'nowhere'));
  assert.deepEqual([nowhere.page, nowhere.files.size], [null, 0]);
});

test('a file of the console is answered with a type and kept by browsers; one that is not there does not exist', async () => {
  const page = await fetch(service.url).then((response) => response.text());
  const [, path = ''] = /(?:src|href)="\.?\/?(assets\/[^"]+\.js)"/.exec(page) ?? [];
  const script = await fetch(`${service.url}/${path}`);
  assert.deepEqual([script.status, script.headers.get('content-type')], [200, 'text/javascript; charset=utf-8']);
  assert.match(script.headers.get('cache-control') ?? '', /immutable/);
  assert.notEqual(await script.text(), '');
  for (const missing of ['/assets/nothing.js', '/assets/', '/assets/..%2findex.html', '/assets/__proto__']) {
    const { status, error } = await service.call(null, 'GET', missing);
    assert.deepEqual([status, error.code], [404, 'not_found'], missing);
  }
  assert.equal((await service.call(null, 'POST', `/${path}`)).status, 405);
});

test('below a public path the console is reached with and without the slash', async (t) => {
  const below = await startTestService(t, { env: { DARKROOM_PUBLIC_URL: 'https://example.com/darkroom' } });
  const bare = await below.call(null, 'GET', '/darkroom');
  assert.equal(bare.status, 308);
  assert.equal(bare.headers.get('location'), 'https://example.com/darkroom/');
  for (const path of ['/darkroom/', '/']) {
    const page = await below.call(null, 'GET', path);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  }
});

test('a first start shows a link that signs in on this machine', async () => {
  const { keys, url } = service;
  const [text = ''] = service.service.welcome(keys);
  assert.match(text, /once, within 15 minutes/);
  assert.ok(text.includes(`\n\n  ${url}/#/sign-in/`), text);
});

test('exchanging a token from another machine, host name or page is refused', async () => {
  const token = service.service.welcome(service.keys)[0]?.trim().split('/').at(-1);
  const trade = (headers: Record<string, string>) => service.call(null, 'POST', '/console/session', { token }, headers);
  for (const headers of [
    { 'x-forwarded-for': '203.0.113.7' },
    { forwarded: 'for=203.0.113.7' },
    { origin: 'https://elsewhere.example' },
  ]) {
    const { status, error } = await trade(headers);
    assert.deepEqual([status, error.code], [403, 'forbidden']);
  }
  assert.equal((await trade({})).status, 200);
});

test('exchanging a token with too long a body is refused unread, and its unknown fields are not quoted', async () => {
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]));
  const trade = (body: object) => service.call(null, 'POST', '/console/session', body);
  const long = await trade(fields(10_000));
  assert.deepEqual([long.status, long.error.code], [413, 'body_too_large']);
  const full = await trade(fields(200));
  // The fields together, and the missing token.
  assert.deepEqual([full.status, full.error.details.length], [400, 2]);
  const { message, details } = full.error;
  // The id of the request may look like a field.
  assert.doesNotMatch(JSON.stringify([message, details]), /f1\d/);
});

test('at most a hundred unknown fields are named', async () => {
  const { call, keys } = service;
  const body = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, 1]));
  const { status, error } = await call(keys.test, 'POST', '/v1/shares', body);
  assert.deepEqual([status, error.details.length], [400, 100]);
});
