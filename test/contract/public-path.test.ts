import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** A public URL with a path, behind a proxy that removes the path and behind one that does not. */

const PUBLIC = 'https://pictures.example.com/darkroom';
const service = await startTestService(wholeFile, {
  env: { DARKROOM_PUBLIC_URL: PUBLIC },
  settings: { openai: { holdMs: 50 } },
});
const { keys } = service;
/** Of the path that the service gets behind each proxy. */
const PROXIES = { removed: '', kept: '/darkroom' };

/** Asks as a browser does, and returns where it ends: the last address, as it is from outside, and its answer. */
async function visit(path: string, inside: string, init: RequestInit = {}) {
  let outside = `${PUBLIC}${path}`;
  for (let count = 0; ; count++) {
    assert.ok(count < 3, outside);
    assert.ok(outside === PUBLIC || outside.startsWith(`${PUBLIC}/`), `${outside} leaves the path`);
    const asked = `${inside}${outside.slice(PUBLIC.length)}`;
    const answer = await fetch(`${service.url}${asked === '' ? '/' : asked}`, { redirect: 'manual', ...init });
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status > 399 || location === null) return { outside, answer };
    await answer.arrayBuffer();
    outside = new URL(location, outside).href;
  }
}

for (const [proxy, inside] of Object.entries(PROXIES)) {
  test(`the start page is whole with and without the slash at its end, if the path is ${proxy}`, async () => {
    for (const path of ['', '/', '/console', '/console/']) {
      const { outside, answer } = await visit(path, inside);
      assert.equal(answer.status, 200, path);
      assert.match(answer.headers.get('content-security-policy') ?? '', /; base-uri 'self'/);
      const page = await answer.text();
      const base = new URL(/<base href="([^"]*)">/.exec(page)?.[1] ?? '', outside);
      const parts = [...page.matchAll(/(?:src|href)="(\.\/[^"]*)"/g)].map(([, part = '']) => new URL(part, base).href);
      assert.ok(parts.length >= 4, page);
      for (const part of parts) {
        assert.ok(part.startsWith(`${PUBLIC}/`), part);
        const { status } = (await visit(part.slice(PUBLIC.length), inside)).answer;
        assert.equal(status, 200, part);
      }
    }
  });

  test(`the guide is read with and without the slash at the end of its addresses, if the path is ${proxy}`, async () => {
    for (const path of ['/docs', '/docs/errors', '/clients', '/docs/reference']) {
      const ends = await Promise.all([visit(path, inside), visit(`${path}/`, inside)]);
      assert.deepEqual(
        ends.map(({ answer }) => answer.status),
        [200, 200],
        path,
      );
      assert.equal(ends[0]?.outside, ends[1]?.outside, path);
    }
  });

  test(`an OpenAI client is sent on below the path, if the path is ${proxy}`, async () => {
    const headers = { authorization: `Bearer ${keys.test}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model: 'sketch', prompt: 'a fox', simulate: { outcome: 'stuck' } });
    const send = (path: string, agent: string) =>
      fetch(`${service.url}${inside}/openai/v1/images/generations${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, 'user-agent': agent },
        body,
      });
    const [sentOn, told, ordered] = await Promise.all([send('', 'node'), send('', 'curl/8'), send('/async', 'curl/8')]);
    assert.deepEqual([sentOn.status, told.status, ordered.status], [303, 422, 202]);
    for (const { headers: found } of [sentOn, told, ordered]) {
      const address = new URL(found.get('location') ?? '', `${PUBLIC}/openai/v1/images/generations`).href;
      assert.ok(address.startsWith(`${PUBLIC}/openai/v1/images/`), address);
      const { answer } = await visit(address.slice(PUBLIC.length).replace(/\?.*/, '?hop=18'), inside, {
        headers: { ...headers, 'user-agent': 'curl/8' },
      });
      assert.ok([200, 422].includes(answer.status), `${answer.status}`);
    }
  });
}
