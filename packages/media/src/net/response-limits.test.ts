import assert from 'node:assert/strict';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { answerInPieces, processorCost, serveHttp, serveProxy } from '@darkroom-service/testing';
import { FetchFault } from './fetch-fault.ts';
import { createTrustedFetch, type FetchOptions, type TrustedFetchOptions } from './trusted-fetch.ts';

const LIMITS = { maxBytes: 10_000_000, timeoutMs: 60_000 };

const openerOf =
  (freshConnection: boolean) =>
  (t: TestContext, options: Partial<TrustedFetchOptions> = {}) => {
    const { fetch, close } = createTrustedFetch({ allowedAddresses: ['127.0.0.0/8'], ...options });
    t.after(close);
    return async (url: string, call: Partial<FetchOptions> = {}) =>
      await fetch(url, { ...LIMITS, freshConnection, ...call });
  };

function isFault(kind: FetchFault['kind'], message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof FetchFault, String(error));
    assert.deepEqual([error.kind, error.sent, error.isPassing], [kind, 'unknown', false]);
    assert.match(error.message, message);
    return true;
  };
}

/** No two bytes that follow each other are the same. */
const patterned = (length: number) => Buffer.from(Array.from({ length }, (_, index) => (index * 7) % 251));

for (const freshConnection of [false, true])
  describe(freshConnection ? 'over connections of their own' : 'over kept connections', () => {
    const open = openerOf(freshConnection);

    test('a body in pieces of a few bytes is refused in words and at no cost, however well it began', async (t) => {
      const large = Buffer.alloc(1_000_000, 'x');
      const tiny = '1\r\nx\r\n'.repeat(1_000_000);
      const bodies = new Map([
        ['/late', `f4240\r\n${large}\r\n${tiny}`],
        ['/tiny', tiny],
      ]);
      const origin = await serveHttp(t, ({ url }, response) => {
        const raw = bodies.get(url ?? '');
        if (raw !== undefined) response.socket?.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${raw}`);
        else answerInPieces(response, large, { bytes: Number(url?.slice(1)) });
      });
      const fetch = open(t);
      const read = async (path: string) => await buffer((await fetch(origin + path)).body);
      const words = /^127\.0\.0\.1:\d+ sends its body in pieces of a few bytes; at least 64 bytes each are expected$/;
      await assert.rejects(read('/late'), isFault('pieces', words));
      await assert.rejects(read('/63'), isFault('pieces', words));
      assert.ok((await read('/80')).equals(large));
      const cost = await processorCost(() => assert.rejects(read('/tiny'), isFault('pieces', words)));
      // Read to its end it is as much work as 80 MB of JSON.
      assert.ok(cost < 20, `as much as ${cost.toFixed(1)} MB of JSON`);
    });

    test('what is paid for is read whole from pieces of a few bytes, joined and in turns', async (t) => {
      const body = patterned(25_000);
      const origin = await serveHttp(t, ({ url }, response) => {
        if (url === '/gzip')
          answerInPieces(response, gzipSync(body, { level: 0 }), { heads: ['Content-Encoding: gzip'] });
        else
          answerInPieces(response, Buffer.concat([Buffer.alloc(200_000), body]), { bytes: 1 + Number(url?.slice(1)) });
      });
      const fetch = open(t);
      for (const path of ['/0', '/1', '/60']) {
        const response = await fetch(origin + path, { joinsPieces: true });
        const parts: number[] = [];
        response.body.on('data', (part: Buffer) => parts.push(part.length));
        const whole = await buffer(response.body);
        assert.equal(whole.length, 225_000, path);
        assert.ok(whole.subarray(200_000).equals(body), path);
        assert.ok(parts.length < 2_500, `${path} came in ${parts.length} parts`);
        // No more is parsed at once, so that others have their turns between.
        if (path === '/0') assert.ok(Math.max(...parts) <= 2_000, `${Math.max(...parts)} pieces at once`);
      }
      assert.ok((await buffer((await fetch(`${origin}/gzip`, { joinsPieces: true })).body)).equals(body));
    });

    test('the wait between turns ends with the response, however it ends', async (t) => {
      const { promise: given, resolve: give } = Promise.withResolvers<void>();
      const origin = await serveHttp(t, ({ url }, { socket }) => {
        const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
        socket?.write(head + '1\r\nx\r\n'.repeat(url === '/cut' ? 5_000 : 100_000));
        if (url === '/cut') socket?.end('1\r\n');
        socket?.once('close', give);
      });
      const fetch = open(t);
      const cut = await fetch(`${origin}/cut`, { joinsPieces: true });
      await assert.rejects(text(cut.body), (error) => error instanceof FetchFault && error.kind === 'protocol');
      const left = await fetch(`${origin}/left`, { joinsPieces: true });
      for await (const part of left.body) if (part.length > 1) break;
      await given;
      const stopped = new AbortController();
      const aborted = await fetch(`${origin}/aborted`, { joinsPieces: true, signal: stopped.signal });
      await once(aborted.body, 'data');
      stopped.abort(new Error('enough'));
      await assert.rejects(text(aborted.body), /enough/);
      // A wait that outlived its response would pass something on to a reader that has gone.
      await sleep(30);
    });

    test('headers of up to 64 KB are read; beyond that the fault names them', async (t) => {
      const origin = await serveHttp(t, ({ url }, response) => {
        response.setHeader(
          'content-security-policy',
          `default-src ${'https://example.com '.repeat(Number(url?.slice(1)))}`,
        );
        response.end('fox');
      });
      const fetch = open(t);
      assert.equal(await text((await fetch(`${origin}/3200`)).body), 'fox');
      const words = /^127\.0\.0\.1:\d+ sent more than 64 KB of headers$/;
      await assert.rejects(fetch(`${origin}/3300`), isFault('headers', words));
    });

    test('a proxy may answer with headers of up to 64 KB; beyond that the reason names them', async (t) => {
      const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
      for (const [kilobytes, expected] of [
        [60, /^the proxy http:\/\/127\.0\.0\.1:\d+ refused the connection to 127\.0\.0\.1:80: 403 No/],
        [70, /^the proxy http:\/\/127\.0\.0\.1:\d+ sent more than 64 KB of headers/],
      ] as const) {
        const proxy = await serveProxy(t, () => `HTTP/1.1 403 No\r\nX: ${'y'.repeat(kilobytes * 1024)}\r\n\r\n`);
        const through = `http://127.0.0.1:${proxy.port}`;
        const fetch = open(t, { lookup, proxies: { https: null, http: through, except: [], resolves: false } });
        await assert.rejects(fetch('http://fox.example/'), (error) => {
          assert.ok(error instanceof FetchFault && error.kind === 'proxy');
          assert.match((error.cause as Error).message, expected);
          return true;
        });
      }
    });
  });
