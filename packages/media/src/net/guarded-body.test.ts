import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { serveHttp } from '@darkroom-service/testing';
import { FetchFault } from './fetch-fault.ts';
import { createTrustedFetch, type TrustedFetch } from './trusted-fetch.ts';

const openerOf =
  (freshConnection: boolean) =>
  (t: TestContext): TrustedFetch => {
    const { fetch, close } = createTrustedFetch({ allowedAddresses: ['127.0.0.0/8'] });
    t.after(close);
    return (url, call) => fetch(url, { freshConnection, ...call });
  };

async function read(fetch: TrustedFetch, url: string): Promise<string> {
  const { body } = await fetch(url, { maxBytes: 1_000_000, timeoutMs: 60_000 });
  return await text(body);
}

function faults(kind: FetchFault['kind'], isPassing: boolean) {
  return (error: unknown) => {
    assert.ok(error instanceof FetchFault, String(error));
    assert.deepEqual([error.kind, error.sent, error.isPassing], [kind, 'unknown', isPassing], error.message);
    return true;
  };
}

for (const freshConnection of [false, true])
  describe(freshConnection ? 'over connections of their own' : 'over kept connections', () => {
    const open = openerOf(freshConnection);

    test('a body is decompressed under the same limit if the server compressed it without being asked', async (t) => {
      const packed: Readonly<Record<string, Buffer>> = {
        gzip: gzipSync('fox'),
        'X-GZIP': gzipSync('fox'),
        deflate: deflateSync('fox'),
        br: brotliCompressSync('fox'),
        zstd: zstdCompressSync('fox'),
        'identity, gzip': gzipSync('fox'),
        'gzip,br': brotliCompressSync(gzipSync('fox')),
      };
      const bombs: Readonly<Record<string, Buffer>> = {
        gzip: gzipSync(Buffer.alloc(20_000_000)),
        'gzip, gzip': gzipSync(gzipSync(Buffer.alloc(20_000_000))),
        // The outer layer grows, and the inner one yields nothing.
        'gzip, zstd': zstdCompressSync(Buffer.concat(Array(100_000).fill(gzipSync('')))),
      };
      const origin = await serveHttp(t, (request, response) => {
        const [, kind, coding = ''] = decodeURIComponent(request.url ?? '').split('/');
        response.setHeader('content-encoding', coding);
        response.end(
          kind === 'bomb' ? bombs[coding] : kind === 'cut' ? packed[coding]?.subarray(0, -1) : packed[coding],
        );
      });
      const fetch = open(t);
      for (const coding of Object.keys(packed)) {
        assert.equal(await read(fetch, `${origin}/whole/${encodeURIComponent(coding)}`), 'fox', coding);
      }
      for (const coding of Object.keys(bombs)) {
        assert.ok(bombs[coding]!.length < 50_000, coding);
        await assert.rejects(
          read(fetch, `${origin}/bomb/${encodeURIComponent(coding)}`),
          faults('too_large', false),
          coding,
        );
      }
      // It may be whole with the next request.
      await assert.rejects(read(fetch, `${origin}/cut/gzip`), faults('protocol', true));
    });

    test('a body is left alone if a coding is unknown', async (t) => {
      const origin = await serveHttp(t, (request, response) => {
        response.setHeader('content-encoding', decodeURIComponent(request.url?.slice(1) ?? ''));
        response.end('fox');
      });
      const fetch = open(t);
      for (const coding of [
        'UTF-8',
        'base64',
        'aws-chunked',
        'aws-chunked,gzip',
        'gzip, none',
        'none',
        'binary',
        'compress',
        ', ,',
        '',
        '__proto__',
        'constructor',
        'tostring',
        'gzip,gzip,gzip,gzip,gzip',
      ]) {
        assert.equal(await read(fetch, `${origin}/${encodeURIComponent(coding)}`), 'fox', coding);
      }
    });

    test('a body that is not what its content-encoding says is a fault that no repeat mends', async (t) => {
      const origin = await serveHttp(t, (request, response) => {
        response.setHeader('content-encoding', request.url?.slice(1) ?? '');
        response.end('a fox of no coding');
      });
      for (const coding of ['gzip', 'deflate', 'br', 'zstd']) {
        await assert.rejects(read(open(t), `${origin}/${coding}`), faults('encoding', false), coding);
      }
    });
  });
