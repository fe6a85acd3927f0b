import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { openStorage } from './open-storage.ts';

it('files lie in the directory, or in the bucket that is named', async (t) => {
  const parent = await mkdtemp(join(tmpdir(), 'storage-'));
  t.after(() => rm(parent, { recursive: true }));
  const wanted = { expiresAt: Date.now() + 60_000, contentType: 'image/png', fileName: null };
  const s3 = { credentials: { accessKeyId: 'key', secretAccessKey: 'secret' } };
  const url = 's3://bucket/files?endpoint=http://127.0.0.1:1';
  const bucket = await openStorage({ url, directory: join(parent, 'unused'), s3 });
  assert.match((await bucket.address('fox', wanted)) ?? '', /^http:\/\/127\.0\.0\.1:1\/bucket\/files\/fox\?/);
  await bucket.close();
  assert.deepEqual(await readdir(parent), []);
  const directory = await openStorage({ url: null, directory: join(parent, 'files') });
  await directory.put('fox', Buffer.from('fox'), { contentType: 'image/png', maxBytes: 3 });
  assert.deepEqual(await readdir(join(parent, 'files')), ['.tmp', 'fox']);
  await assert.rejects(openStorage({ url: 'bucket', directory: '' }), TypeError);
});
