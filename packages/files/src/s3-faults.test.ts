import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { type Storage, StorageError } from '@darkroom-service/media';
import { startS3Server } from '@darkroom-service/testing';
import { openS3Storage } from './s3-storage.ts';

const OPTIONS = { contentType: 'image/png', maxBytes: 100_000_000 };
const CREDENTIALS = { accessKeyId: 'ACCESSKEY', secretAccessKey: 'SECRETKEY', sessionToken: 'SESSIONTOKEN' };
const PATIENT = { connectTimeoutMs: 60_000, requestTimeoutMs: 60_000, attempts: 2 };
const QUICK = { connectTimeoutMs: 300, requestTimeoutMs: 300, attempts: 2 };
const FOX = Buffer.from('the quick brown fox');

describe('faults of a bucket', () => {
  it('report a wrong key and a missing bucket for every operation', async (t) => {
    const server = await startS3Server();
    t.after(() => server.close());
    const bucket = await server.makeBucket();
    const keyUnknown = await openAt(t, server.endpoint, bucket);
    await assertEachFails(keyUnknown, /, 403\): the (access key is unknown|credentials are refused)/);
    await assert.rejects(keyUnknown.check(), fault('unavailable', /check AWS_ACCESS_KEY_ID/));
    const missing = await openAt(t, server.endpoint, 'not-there', { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' });
    await assertEachFails(missing, /not-there.*there is no such bucket/);
  });

  it('report an unreachable or silent server within the time limits', async (t) => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await assertEachFails(await openAt(t, `http://127.0.0.1:${port}`), /\(ECONNREFUSED\).*cannot be reached/);
    const silent = await serve(t, () => {});
    const before = Date.now();
    const impatient = await openAt(t, silent, 'bucket', CREDENTIALS, QUICK);
    await assert.rejects(impatient.put('fox', FOX, OPTIONS), fault('unavailable', /TimeoutError/));
    assert.ok(Date.now() - before < 20_000);
  });

  it('report a full storage, also with the error codes of other servers', async (t) => {
    for (const [status, code] of [
      [507, 'InsufficientStorage'],
      [507, 'XMinioStorageFull'],
      [400, 'QuotaExceeded'],
    ] as const) {
      const storage = await openAt(t, await serve(t, (_, response) => refuse(response, status, code)));
      await assert.rejects(storage.put('fox', FOX, OPTIONS), fault('full', /no room/), code);
    }
  });

  it('are retried while the server is busy, and reported if it stays busy', async (t) => {
    let asked = 0;
    const busyOnce = await serve(
      t,
      afterSample(async (request, response) => {
        const md5 = createHash('md5').update(await buffer(request));
        if (++asked === 1) refuse(response, 503, 'SlowDown');
        else response.setHeader('etag', `"${md5.digest('hex')}"`).end();
      }),
    );
    await (await openAt(t, busyOnce)).put('fox', FOX, OPTIONS);
    assert.equal(asked, 2);
    const busy = await openAt(t, await serve(t, (_, response) => refuse(response, 503, 'SlowDown')));
    await assert.rejects(busy.put('fox', FOX, OPTIONS), fault('unavailable', /SlowDown, 503.*busy/));
  });

  it('name what to do about regions, clocks, secrets and permissions', async (t) => {
    for (const [status, code, advice] of [
      [403, 'SignatureDoesNotMatch', /check AWS_SECRET_ACCESS_KEY/],
      [403, 'AccessDenied', /need to list the bucket/],
      [403, 'RequestTimeTooSkewed', /clock/],
      [400, 'AuthorizationHeaderMalformed', /region/],
      [400, 'ExpiredToken', /run out/],
      [400, 'SomethingElse', /SomethingElse, 400.*refuses/],
    ] as const) {
      const storage = await openAt(t, await serve(t, (_, response) => refuse(response, status, code)));
      await assert.rejects(storage.open('fox'), fault('unavailable', advice), code);
    }
  });

  it('abort a multipart upload at once, even if its source is silent', async (t) => {
    const asked: string[] = [];
    const endpoint = await serve(
      t,
      afterSample(async (request, response) => {
        const body = await buffer(request);
        const { searchParams } = new URL(request.url ?? '', 'http://host');
        const digest = createHash('sha256').update(body).digest('hex');
        assert.equal(request.headers['x-amz-content-sha256'], digest, 'what is sent is what was signed');
        asked.push(`${request.method} ${searchParams.get('partNumber') ?? searchParams.get('uploadId') ?? 'begin'}`);
        if (request.method === 'PUT') return refuse(response, 403, 'AccessDenied');
        if (request.method === 'DELETE') return response.writeHead(204).end();
        response.end('<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>');
      }),
    );
    const storage = await openAt(t, endpoint);
    const source = new Readable({ read() {} });
    source.push(Buffer.alloc(6_000_000));
    await assert.rejects(storage.put('fox', source, OPTIONS), fault('unavailable', /AccessDenied/));
    assert.equal(source.destroyed, true);
    assert.deepEqual(asked, ['POST begin', 'PUT 1', 'DELETE one']);
  });

  it('reach the reader if the connection breaks or a range is ignored', async (t) => {
    const breaking = await serve(t, (_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('the quick', () => response.destroy());
    });
    const storage = await openAt(t, breaking);
    await assert.rejects(buffer(await storage.open('fox')), fault('unavailable', /ECONNRESET/));
    await assert.rejects(storage.open('fox', { start: 1, end: 2 }), fault('unavailable', /range/));
  });
});

async function assertEachFails(storage: Storage, message: RegExp): Promise<void> {
  const asks: [string, () => Promise<unknown>][] = [
    ['put bytes', () => storage.put('fox', FOX, OPTIONS)],
    ['put long', () => storage.put('fox', Readable.from([Buffer.alloc(6_000_000)]), OPTIONS)],
    ['stat', () => storage.stat('fox')],
    ['open', () => storage.open('fox')],
    ['remove', () => storage.remove('fox')],
    ['list', () => storage.list('')[Symbol.asyncIterator]().next()],
    ['check', () => storage.check()],
  ];
  for (const [name, ask] of asks) await assert.rejects(ask(), fault('unavailable', message), name);
}

async function openAt(
  t: TestContext,
  endpoint: string,
  bucket = 'bucket',
  credentials: { accessKeyId: string; secretAccessKey: string } = CREDENTIALS,
  patience: typeof PATIENT = PATIENT,
): Promise<Storage> {
  const storage = await openS3Storage(`s3://${bucket}?endpoint=${endpoint}`, { ...patience, credentials });
  t.after(() => storage.close());
  return storage;
}

/** A server that answers everything in one way, but offers no sweep of what is left over. */
async function serve(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  const server = createServer((request, response) => {
    const isSweep = request.method === 'GET' && /[?&]uploads(=|&|$)/.test(request.url ?? '');
    return isSweep ? refuse(response, 501, 'NotImplemented') : answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Keeps the sample by which a storage learns what the server's answers prove, and passes on all else. */
function afterSample(answer: (request: IncomingMessage, response: ServerResponse) => unknown): typeof answer {
  const samples = new Map<string, Buffer>();
  return async (request, response) => {
    const { method, url = '' } = request;
    const key = new URL(url, 'http://host').pathname;
    if (!key.includes('/check/')) return answer(request, response);
    if (method === 'DELETE') return response.writeHead(samples.delete(key) ? 204 : 404).end();
    if (method !== 'PUT') {
      const sample = samples.get(key);
      return sample === undefined ? response.writeHead(404).end() : response.end(sample);
    }
    const body = await buffer(request);
    samples.set(key, body);
    response.setHeader('etag', `"${createHash('md5').update(body).digest('hex')}"`).end();
  };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const told = '<AWSAccessKeyId>ACCESSKEY</AWSAccessKeyId><StringToSign>SIGNED</StringToSign>';
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>No.</Message>${told}</Error>`);
}

function fault(kind: StorageError['kind'], message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof StorageError, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, message);
    assert.doesNotMatch(inspect(error, { depth: 10, showHidden: true }), /ACCESSKEY|SECRETKEY|SESSIONTOKEN|SIGNED/);
    return true;
  };
}
