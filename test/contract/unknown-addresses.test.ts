import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenApiDocument } from '../helpers/openapi-document.ts';
import { sendRaw } from '../helpers/raw-http.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What is nowhere: every address that no route and no page has (contract §1). */

const { url, call, keys } = await startTestService(wholeFile);

const NOWHERE = [
  '/nothing',
  '/history',
  '/keys/more',
  '/index.html',
  '/docs/nothing',
  '/assets/nothing.js',
  '/v1',
  '/v1/nothing',
  '/v1/images/img_1/nothing',
  '/admin',
  '/admin/v1/nothing',
  '//',
  '/*',
  '/%2a',
  '*',
  '*v1/catalog',
  'http://example.com/nothing',
];

test('an unknown path is 404 in JSON, also for a browser and with a key', async () => {
  for (const address of NOWHERE) {
    for (const headers of ['', 'Accept: text/html\r\n', `Authorization: Bearer ${keys.admin}\r\n`]) {
      const answer = await sendRaw(url, `GET ${address} HTTP/1.1\r\nHost: darkroom\r\n${headers}\r\n`);
      assert.deepEqual([answer.status, answer.error?.code], [404, 'not_found'], `${address} ${headers}`);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, address);
    }
  }
});

test('the pages answer 200: the console, whose own addresses stand behind the #, and the documentation', async () => {
  for (const address of ['/', '/?from=mail', '/docs']) {
    const answer = await call(null, 'GET', address);
    assert.equal(answer.status, 200, address);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/, address);
  }
  const whole = await sendRaw(url, `GET ${url}/v1/catalog HTTP/1.1\r\nHost: darkroom\r\n\r\n`);
  assert.equal(whole.status, 200, 'an address may be sent whole, as proxies do');
});

test('an address that is not percent-encoded UTF-8 is refused by every operation, as its document says', async () => {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  for (const [path, operations] of Object.entries(paths)) {
    if (!path.includes('{')) continue;
    for (const [method, { responses }] of Object.entries(operations)) {
      const address = path.replaceAll(/\{\w+\}/g, '%00');
      const answer = await sendRaw(url, `${method.toUpperCase()} ${address} HTTP/1.1\r\nHost: darkroom\r\n\r\n`);
      assert.deepEqual([answer.status, answer.error?.code, '400' in responses], [400, 'invalid_request', true], path);
    }
  }
});
