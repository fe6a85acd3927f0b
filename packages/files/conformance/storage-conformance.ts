import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { type Storage, StorageError } from '@darkroom-service/media';

const OPTIONS = { contentType: 'image/png', maxBytes: 1_000_000 };
const FOX = Buffer.from('the quick brown fox');

/** Tests the behaviour required of every storage. `open` returns an empty one. */
export function storageConformance(
  name: string,
  open: () => Promise<{ readonly storage: Storage; readonly cleanup: () => Promise<void> }>,
): void {
  async function start(t: TestContext): Promise<Storage> {
    const { storage, cleanup } = await open();
    t.after(async () => {
      await storage.close();
      await cleanup();
    });
    return storage;
  }

  describe(`${name} as a storage`, () => {
    it('returns what was stored, from bytes and from a stream, with length and hash', async (t) => {
      const storage = await start(t);
      const sha256 = createHash('sha256').update(FOX).digest('hex');
      const pieces = [FOX.subarray(0, 4), FOX.subarray(4)];
      for (const [key, source] of [
        ['outputs/a.png', FOX],
        ['outputs/b/c.png', Readable.from(pieces)],
      ] as const) {
        assert.deepEqual(await storage.put(key, source, OPTIONS), { key, bytes: FOX.length, sha256 });
        assert.deepEqual(await storage.stat(key), { bytes: FOX.length });
        assert.ok(FOX.equals(await buffer(await storage.open(key))));
      }
    });

    it('keeps an empty object', async (t) => {
      const storage = await start(t);
      const { bytes } = await storage.put('empty', Readable.from([]), OPTIONS);
      assert.equal(bytes, 0);
      assert.deepEqual(await storage.stat('empty'), { bytes: 0 });
      assert.equal(await text(await storage.open('empty')), '');
    });

    it('shows each byte to a check in order, and stores nothing that it refuses', async (t) => {
      const storage = await start(t);
      for (const [key, source] of [
        ['bytes', () => FOX],
        ['stream', () => Readable.from([FOX.subarray(0, 4), FOX.subarray(4)])],
      ] as const)
        for (const refuses of [true, false]) {
          const seen: Uint8Array[] = [];
          const check = {
            add: (piece: Uint8Array) => void seen.push(Buffer.from(piece)),
            end() {
              if (refuses) throw new RangeError('refused');
            },
          };
          const put = storage.put(key, source(), { ...OPTIONS, check });
          await (refuses ? assert.rejects(put, RangeError) : put);
          assert.deepEqual(Buffer.concat(seen), FOX);
          assert.deepEqual(await storage.stat(key), refuses ? null : { bytes: FOX.length });
        }
    });

    it('reads ranges with both ends included', async (t) => {
      const storage = await start(t);
      await storage.put('fox', FOX, OPTIONS);
      const read = async (start: number, end: number) => await text(await storage.open('fox', { start, end }));
      assert.equal(await read(0, 0), 't');
      assert.equal(await read(4, 8), 'quick');
      assert.equal(await read(16, FOX.length - 1), 'fox');
      assert.equal(await read(16, 1000), 'fox');
      assert.equal(await read(FOX.length, 1000), '');
    });

    it('reports a missing object', async (t) => {
      const storage = await start(t);
      await storage.put('folder/fox', FOX, OPTIONS);
      for (const key of ['nothing', 'folder', 'folder/other', 'no/such/folder']) {
        assert.equal(await storage.stat(key), null, key);
        await assert.rejects(storage.open(key), fault('not_found'), key);
      }
    });

    it('shows nothing of a source that fails midway, and fails as the source did', async (t) => {
      const storage = await start(t);
      const failure = new Error('the line broke');
      const source = () =>
        Readable.from(
          (async function* () {
            yield FOX;
            throw failure;
          })(),
        );
      await assert.rejects(storage.put('new', source(), OPTIONS), failure);
      assert.equal(await storage.stat('new'), null);
      await storage.put('old', FOX, OPTIONS);
      await assert.rejects(storage.put('old', source(), OPTIONS), failure);
      assert.ok(FOX.equals(await buffer(await storage.open('old'))));
      assert.deepEqual(await keys(storage, ''), ['old']);
    });

    it('fails if the source is destroyed before its end, also before the call', async (t) => {
      const storage = await start(t);
      const silent = new Readable({ read() {} });
      const put = storage.put('silent', silent, OPTIONS);
      silent.push(FOX);
      silent.destroy();
      await assert.rejects(put);
      const broken = new Readable({ read() {} });
      broken.on('error', () => {});
      broken.destroy(new Error('the line broke'));
      await assert.rejects(storage.put('broken', broken, OPTIONS), /the line broke/);
      assert.deepEqual(await keys(storage, ''), []);
    });

    it('releases the source when it is aborted, and leaves nothing behind', async (t) => {
      const storage = await start(t);
      const reason = new Error('enough');
      const endless = new Readable({ read() {} });
      const controller = new AbortController();
      const put = storage.put('endless', endless, { ...OPTIONS, signal: controller.signal });
      endless.push(FOX);
      controller.abort(reason);
      await assert.rejects(put, reason);
      assert.equal(endless.destroyed, true);
      await assert.rejects(storage.put('late', FOX, { ...OPTIONS, signal: controller.signal }), reason);
      assert.deepEqual(await keys(storage, ''), []);
    });

    it('takes what is exactly as long as allowed, and nothing of what is longer', async (t) => {
      const storage = await start(t);
      const limit = { ...OPTIONS, maxBytes: FOX.length - 1 };
      await assert.rejects(storage.put('bytes', FOX, limit), fault('too_large'));
      let pulled = 0;
      const endless = new Readable({
        read() {
          pulled++;
          this.push(Buffer.alloc(65_536));
        },
      });
      await assert.rejects(storage.put('stream', endless, OPTIONS), fault('too_large'));
      assert.ok(pulled < 200, `${pulled} pieces were read of a source that is too long`);
      assert.equal(endless.destroyed, true);
      assert.deepEqual(await keys(storage, ''), []);
      await storage.put('bytes', FOX, { ...OPTIONS, maxBytes: FOX.length });
    });

    it('replaces an object atomically, while readers of the old one can finish', async (t) => {
      const storage = await start(t);
      const [old, young] = [Buffer.alloc(500_000, 'old'), Buffer.alloc(400_000, 'young')];
      await storage.put('fox', old, OPTIONS);
      const reading = await storage.open('fox');
      if (reading.readableLength === 0) await once(reading, 'readable');
      await storage.put('fox', young, OPTIONS);
      assert.ok(old.equals(await buffer(reading)));
      assert.ok(young.equals(await buffer(await storage.open('fox'))));
    });

    it('takes many at once, also under one key', async (t) => {
      const storage = await start(t);
      const contents = Array.from({ length: 20 }, (_, index) => Buffer.alloc(50_000, `fox ${index} `));
      await Promise.all(contents.map((content, index) => storage.put(`many/${index % 10}/fox`, content, OPTIONS)));
      assert.equal((await keys(storage, 'many/')).length, 10);
      for (let index = 0; index < 10; index++) {
        const found = await buffer(await storage.open(`many/${index}/fox`));
        assert.ok(contents[index]?.equals(found) || contents[index + 10]?.equals(found));
      }
    });

    it('stays whole while others in the same folder come and go', async (t) => {
      const storage = await start(t);
      const comeAndGo = async (_: unknown, index: number) => {
        for (let round = 0; round < 10; round++) {
          const key = `busy/inner/fox-${index}`;
          await storage.put(key, FOX, OPTIONS);
          await storage.remove(key);
        }
      };
      await Promise.all(Array.from({ length: 8 }, comeAndGo));
      assert.deepEqual(await keys(storage, ''), []);
    });

    it('lists keys below a prefix with length and time', async (t) => {
      const storage = await start(t);
      const before = Date.now();
      for (const key of ['outputs/img_1/0.png', 'outputs/img_1/1.png', 'outputs/img_10/0.png', 'uploads/a', 'top']) {
        await storage.put(key, FOX, OPTIONS);
      }
      assert.deepEqual(await keys(storage, 'outputs/img_1/'), ['outputs/img_1/0.png', 'outputs/img_1/1.png']);
      assert.deepEqual(await keys(storage, 'outputs/img_1'), [
        'outputs/img_1/0.png',
        'outputs/img_1/1.png',
        'outputs/img_10/0.png',
      ]);
      assert.deepEqual(await keys(storage, 'outputs/img_10/0.png'), ['outputs/img_10/0.png']);
      assert.deepEqual(await keys(storage, 'nothing/'), []);
      assert.equal((await keys(storage, '')).length, 5);
      for await (const { bytes, changedAt } of storage.list('uploads/')) {
        assert.equal(bytes, FOX.length);
        // File systems and S3 keep coarser clocks than ours.
        assert.ok(changedAt > before - 2000 && changedAt < Date.now() + 2000);
      }
    });

    it('forgets what is removed, and takes a second removal for done', async (t) => {
      const storage = await start(t);
      await storage.put('a/b/fox', FOX, OPTIONS);
      await storage.put('a/hen', FOX, OPTIONS);
      await storage.remove('a/b/fox');
      await storage.remove('a/b/fox');
      await storage.remove('a');
      assert.equal(await storage.stat('a/b/fox'), null);
      assert.deepEqual(await keys(storage, ''), ['a/hen']);
    });

    it('refuses keys that are none', async (t) => {
      const storage = await start(t);
      const weird = [
        '',
        '/',
        '/a',
        'a/',
        'a//b',
        '.',
        '..',
        '../a',
        'a/../b',
        'a/./b',
        '.tmp/a',
        'a/.b',
        'A',
        'a b',
        'a\0b',
        'a\\b',
        'é',
        'a:b',
        `a/${'b'.repeat(256)}`,
        'a/'.repeat(500),
      ];
      for (const key of weird) {
        await assert.rejects(storage.put(key, FOX, OPTIONS), TypeError, key);
        await assert.rejects(storage.open(key), TypeError, key);
        await assert.rejects(storage.stat(key), TypeError, key);
        await assert.rejects(storage.remove(key), TypeError, key);
      }
      for (const prefix of ['/', '../', 'a//', '.tmp/']) await assert.rejects(keys(storage, prefix), TypeError, prefix);
      assert.deepEqual(await keys(storage, ''), []);
    });

    it('carries 20 MB without holding them', async (t) => {
      const storage = await start(t);
      const piece = Buffer.alloc(65_536, 'fox');
      const before = process.memoryUsage().arrayBuffers;
      let most = 0;
      const source = Readable.from(
        (async function* () {
          for (let index = 0; index < 320; index++) {
            most = Math.max(most, process.memoryUsage().arrayBuffers - before);
            yield piece;
          }
        })(),
      );
      const { bytes } = await storage.put('large', source, { ...OPTIONS, maxBytes: 30_000_000 });
      assert.equal(bytes, 320 * 65_536);
      assert.ok(most < 12_000_000, `${most} bytes were held`);
      let read = 0;
      for await (const chunk of await storage.open('large')) read += chunk.length;
      assert.equal(read, bytes);
    });

    it('checks itself and leaves nothing behind', async (t) => {
      const storage = await start(t);
      await storage.check();
      assert.deepEqual(await keys(storage, ''), []);
    });
  });
}

async function keys(storage: Storage, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of storage.list(prefix)) found.push(key);
  return found.sort();
}

function fault(kind: StorageError['kind']) {
  return (error: unknown) => {
    assert.ok(error instanceof StorageError, String(error));
    assert.equal(error.kind, kind, error.message);
    return true;
  };
}
