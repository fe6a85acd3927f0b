import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openS3Storage } from './s3-storage.ts';

interface Version {
  readonly key: string;
  readonly id: string;
  readonly isMarker: boolean;
}

/** A bucket that keeps versions, and lists two of them a page. */
async function openVersioned(t: TestContext, refused: 'nothing' | 'list' | 'remove' = 'nothing') {
  const versions: Version[] = [];
  let count = 0;
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket');
    const key = pathname.replace('/pictures/', '');
    request.resume();
    await once(request, 'end');
    const add = (isMarker: boolean) => {
      const id = `v${++count}`;
      versions.push({ key, id, isMarker });
      return { 'x-amz-version-id': id, ...(isMarker && { 'x-amz-delete-marker': 'true' }) };
    };
    if (request.method === 'PUT') return void response.writeHead(200, { etag: '"1"', ...add(false) }).end();
    if (request.method === 'DELETE') {
      const id = searchParams.get('versionId');
      if (id === null) return void response.writeHead(204, add(true)).end();
      if (refused === 'remove') return void response.writeHead(403).end();
      const at = versions.findIndex((version) => version.key === key && version.id === id);
      assert.notEqual(at, -1);
      versions.splice(at, 1);
      return void response.writeHead(204, { 'x-amz-version-id': id }).end();
    }
    if (!searchParams.has('versions')) {
      const newest = versions.findLast((version) => version.key === key);
      if (newest === undefined || newest.isMarker) return void response.writeHead(404).end();
      return void response.writeHead(200, { 'content-length': Buffer.byteLength(key) }).end(key);
    }
    if (refused === 'list') return void response.writeHead(403).end();
    const all = versions
      .filter((version) => version.key.startsWith(searchParams.get('prefix') ?? ''))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : Number(b.id.slice(1)) - Number(a.id.slice(1))));
    const [keyMarker, idMarker] = [searchParams.get('key-marker'), searchParams.get('version-id-marker')];
    const order = (id: string) => Number(id.slice(1));
    const left = all.filter(
      ({ key: one, id }) =>
        keyMarker === null || one > keyMarker || (one === keyMarker && order(id) < order(idMarker ?? '')),
    );
    const page = left.slice(0, 2);
    const last = page.at(-1);
    const lines = page.map(({ key: one, id, isMarker }) => {
      const name = isMarker ? 'DeleteMarker' : 'Version';
      return `<${name}><Key>${one}</Key><VersionId>${id}</VersionId></${name}>`;
    });
    const next =
      left.length > 2
        ? `<NextKeyMarker>${last?.key}</NextKeyMarker><NextVersionIdMarker>${last?.id}</NextVersionIdMarker>`
        : '';
    const body = `<IsTruncated>${left.length > 2}</IsTruncated>${next}${lines.join('')}`;
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<ListVersionsResult>${body}</ListVersionsResult>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const storage = await openS3Storage(`s3://pictures?endpoint=http://127.0.0.1:${port}`, {
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  t.after(async () => {
    await storage.close();
    server.close();
  });
  const put = (key: string) => storage.put(key, Buffer.from(key), { contentType: 'image/png', maxBytes: 100 });
  return { storage, versions, put };
}

test('a removed file leaves no version in a bucket that keeps them, and other files keep theirs', async (t) => {
  const { storage, versions, put } = await openVersioned(t);
  for (let time = 0; time < 4; time++) await put('a/1.png');
  await put('a/1.png-thumbnail.webp');
  await storage.remove('a/1.png');
  assert.deepEqual(
    versions.map(({ key }) => key),
    ['a/1.png-thumbnail.webp'],
  );
  await storage.remove('a/none.png');
  assert.equal(versions.length, 1);
  assert.equal(await storage.keepsVersions(), false);
  assert.equal(versions.length, 1, 'nor does the look at it');
});

for (const refused of ['list', 'remove'] as const)
  test(`a bucket whose versions this service may not ${refused} is told as one that keeps them, and files are still removed`, async (t) => {
    const { storage, put } = await openVersioned(t, refused);
    await put('a/1.png');
    await storage.remove('a/1.png');
    assert.equal(await storage.keepsVersions(), true);
  });
