import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, describe, it, type TestContext } from 'node:test';
import { openStorage } from '@darkroom-service/files';
import {
  createMediaTools,
  createReferences,
  createTrustedFetch,
  DEFAULT_REFERENCE_LIMITS,
  ReferenceFault,
  type ReferenceLimits,
  type References,
  type Storage,
  StorageError,
} from '@darkroom-service/media';
import sharp from 'sharp';

const PICTURE = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#a50' } })
  .png()
  .toBuffer();
const TARGET = { key: 'inputs/fox.png', owner: 'key_1' };
const media = createMediaTools({ limits: { pixels: 1000 } });
after(() => media.close());

interface Setting {
  readonly references: References;
  readonly storage: Storage;
  readonly origin: string;
  /** Lists what is left in the temporary directory. */
  readonly leftOvers: () => Promise<string[]>;
}

async function set(
  t: TestContext,
  listener: RequestListener,
  options: { readonly limits?: Partial<ReferenceLimits>; readonly allowed?: readonly string[] } = {},
): Promise<Setting> {
  const folder = await mkdtemp(join(tmpdir(), 'references-'));
  const temporaryDirectory = join(folder, 'temporary');
  const storage = await openStorage({ url: null, directory: join(folder, 'files') });
  const { fetch, close } = createTrustedFetch({ allowedAddresses: options.allowed ?? ['127.0.0.1'] });
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    await close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  const limits = { ...DEFAULT_REFERENCE_LIMITS, ...options.limits };
  return {
    references: createReferences({ fetch, storage, media, temporaryDirectory, limits }),
    storage,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leftOvers: () => readdir(temporaryDirectory).catch(() => []),
  };
}

async function isEmpty(storage: Storage): Promise<boolean> {
  for await (const _ of storage.list('')) return false;
  return true;
}

function fault(message: RegExp, retryable = false) {
  return (error: unknown) => {
    assert.ok(error instanceof ReferenceFault, String(error));
    assert.match(error.message, message);
    assert.equal(error.retryable, retryable);
    return true;
  };
}

describe('a reference', () => {
  it('is fetched, measured by its content and stored, wherever it comes from', async (t) => {
    const { references, storage, origin, leftOvers } = await set(t, (request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/fox.txt' }).end();
      else response.setHeader('content-type', 'text/plain').end(PICTURE);
    });
    await storage.put('uploads/fox', PICTURE, { contentType: 'image/png', maxBytes: PICTURE.length });
    const sources = [
      { url: `${origin}/fox.txt` },
      { url: `${origin}/moved` },
      { key: 'uploads/fox' },
      { data: PICTURE },
      { stream: Readable.from([PICTURE.subarray(0, 10), PICTURE.subarray(10)]) },
    ];
    for (const source of sources) {
      const collected = await references.collect({ ...source, kind: 'image' }, TARGET);
      assert.deepEqual(collected, {
        key: TARGET.key,
        kind: 'image',
        contentType: 'image/png',
        bytes: PICTURE.length,
        sha256: createHash('sha256').update(PICTURE).digest('hex'),
        width: 30,
        height: 20,
        durationSeconds: null,
        fps: null,
        hasAudio: null,
      });
      assert.ok(PICTURE.equals(await buffer(await storage.open(TARGET.key))));
      assert.deepEqual(await leftOvers(), []);
      await storage.remove(TARGET.key);
    }
    assert.equal((await references.collect({ data: PICTURE, kind: null }, TARGET)).kind, 'image');
  });

  it('is refused for what it is, and leaves nothing behind', async (t) => {
    const limits = { maxBytes: { image: 10_000, video: 20_000, audio: 20_000 } };
    const noise = await sharp({
      create: {
        width: 25,
        height: 40,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .tiff({ compression: 'none' })
      .toBuffer();
    const tall = await sharp({ create: { width: 1001, height: 1, channels: 3, background: '#a50' } })
      .png()
      .toBuffer();
    const large = Buffer.concat([PICTURE, Buffer.alloc(15_000)]);
    const { references, storage, leftOvers } = await set(t, () => {}, { limits });
    const refused = [
      [{ data: Buffer.from('<html>no fox here</html>'), kind: 'image' }, /^expected a PNG.*found a web page$/],
      [{ data: Buffer.from('{"error": "no"}'), kind: 'image' }, /found JSON$/],
      [{ data: Buffer.from('<svg xmlns="a"></svg>'), kind: 'image' }, /found SVG or other XML$/],
      [{ data: Buffer.from('abcd'), kind: 'image' }, /found something else$/],
      [{ data: noise, kind: 'image' }, /found a TIFF/],
      [{ data: Buffer.alloc(0), kind: 'image' }, /empty/],
      [{ data: PICTURE.subarray(0, 60), kind: 'image' }, /is damaged or incomplete/],
      [{ data: PICTURE, kind: 'video' }, /^expected a video, found an image \(image\/png\)$/],
      [{ data: tall, kind: 'image' }, /1001x1/],
      [{ data: large, kind: 'image' }, /at most 10000 bytes/],
      [{ data: large, kind: null }, /an image of at most 10000 bytes/],
      [{ data: PICTURE, kind: 'image', maxBytes: 50 }, /at most 50 bytes/],
      [{ key: 'uploads/gone', kind: 'image' }, /no longer exists/],
    ] as const;
    for (const [source, message] of refused) {
      await assert.rejects(references.collect(source, TARGET), fault(message), String(message));
      assert.deepEqual(await leftOvers(), []);
    }
    assert.equal(await isEmpty(storage), true);
  });

  it('of the network fails with a sentence, and says whether another try makes sense', async (t) => {
    const { references, storage, origin, leftOvers } = await set(
      t,
      (request, response) => {
        const [, path = ''] = request.url?.split('/') ?? [];
        if (path === 'cut') {
          response.setHeader('content-length', 1000).write('fox', () => response.destroy());
        } else if (path === 'large') {
          response.end(Buffer.alloc(60_000));
        } else if (path === 'loop') {
          response.writeHead(302, { location: '/loop' }).end();
        } else if (path === 'inside') {
          response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
        } else if (path !== 'silent') {
          response.writeHead(Number(path)).end('no fox');
        }
      },
      { limits: { maxBytes: { image: 50_000, video: 50_000, audio: 50_000 }, timeoutMs: 2_000 } },
    );
    const failing = [
      ['404', /^127\.0\.0\.1:\d+ answered 404 instead of the file$/, false],
      ['206', /answered 206/, false],
      ['429', /answered 429/, true],
      ['503', /answered 503/, true],
      ['cut', /closed the connection/, true],
      ['silent', /within 2 s/, true],
      ['large', /at most 50000 bytes/, false],
      ['loop', /more than 5 times/, false],
      ['inside', /not on the public internet/, false],
    ] as const;
    for (const [path, message, retryable] of failing) {
      await assert.rejects(
        references.collect({ url: `${origin}/${path}`, kind: 'image' }, TARGET),
        fault(message, retryable),
        path,
      );
    }
    assert.deepEqual(await leftOvers(), []);
    assert.equal(await isEmpty(storage), true);
  });

  it('of a private address is fetched only from an origin that is trusted', async (t) => {
    const { references, origin } = await set(t, (_request, response) => response.end(PICTURE), { allowed: [] });
    const source = { url: `${origin}/fox.png`, kind: 'image' } as const;
    await assert.rejects(references.collect(source, TARGET), fault(/not an address on the public internet/));
    assert.equal((await references.collect({ ...source, allowOrigins: [origin] }, TARGET)).width, 30);
  });

  it('is aborted by its signal', async (t) => {
    const arrived = Promise.withResolvers<void>();
    const { references, origin, leftOvers } = await set(t, (_request, response) => {
      response.write('fox');
      arrived.resolve();
    });
    const controller = new AbortController();
    const reason = new Error('enough');
    const collecting = references.collect({ url: origin, kind: 'image' }, TARGET, { signal: controller.signal });
    await arrived.promise;
    controller.abort(reason);
    await assert.rejects(collecting, reason);
    const silent = new Readable({ read() {} });
    await assert.rejects(
      references.collect({ stream: silent, kind: 'image' }, TARGET, { signal: AbortSignal.abort(reason) }),
      reason,
    );
    assert.equal(silent.destroyed, true);
    assert.deepEqual(await leftOvers(), []);
  });

  it('does not report a failure of our storage as its own', async (t) => {
    const { references, storage, leftOvers } = await set(t, () => {});
    t.mock.method(storage, 'put', async (_key: string, source: Readable) => {
      source.destroy();
      throw new StorageError('full', 'no room');
    });
    await assert.rejects(references.collect({ data: PICTURE, kind: 'image' }, TARGET), StorageError);
    assert.deepEqual(await leftOvers(), []);
  });
});
