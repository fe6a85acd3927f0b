import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import sharp from 'sharp';
import { openTestHttp, type TestHttp } from '../../../test/helpers/http.ts';

const refused = (response: LightMyRequestResponse) => [response.statusCode, response.json().error.code];
const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#c00' } })
    .png()
    .toBuffer();

function multipart(
  parts: readonly { readonly name: string; readonly file?: string; readonly data: Buffer | string }[],
) {
  const boundary = 'xxBOUNDARYxx';
  const chunks = parts.flatMap(({ name, file, data }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}\r\n\r\n`,
    ),
    Buffer.from(data),
    Buffer.from('\r\n'),
  ]);
  return {
    payload: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

const upload = (http: TestHttp, key: string, payload: Buffer, headers: Record<string, string>) =>
  http.as(key, { method: 'POST', url: '/v1/files', payload, headers });

test('a file comes in raw or as multipart, is known by its content, and serves its key alone', async (t) => {
  const http = await openTestHttp(t);
  const [mine, other] = [await http.issue(), await http.issue()];
  const data = await picture();
  const raw = await upload(http, mine.key, data, { 'content-type': 'application/octet-stream' });
  const { file_id: fileId, content_type: contentType, bytes, width, height } = raw.json().data;
  assert.deepEqual([raw.statusCode, contentType, bytes, width, height], [201, 'image/png', data.byteLength, 40, 30]);
  assert.equal(raw.headers.location, `http://darkroom.test/v1/files/${fileId}`);
  const { payload, headers } = multipart([{ name: 'file', file: 'a.gif', data }]);
  assert.equal((await upload(http, mine.key, payload, headers)).json().data.content_type, 'image/png');
  const url = `/v1/files/${fileId}`;
  const found = (await http.as(mine.key, { url })).json().data;
  const download = await http.app.inject(found.url.replace('http://darkroom.test', ''));
  assert.deepEqual([download.statusCode, download.rawPayload.equals(data)], [200, true]);
  assert.deepEqual(refused(await http.as(other.key, { url })), [404, 'not_found']);
  assert.deepEqual(refused(await http.as(other.key, { method: 'DELETE', url })), [404, 'not_found']);
  const order = { model_id: 'sketch', prompt: 'fox', image_urls: [`upload:${fileId}`] };
  assert.equal((await http.as(mine.key, { method: 'POST', url: '/v1/images', payload: order })).statusCode, 201);
  assert.equal((await http.as(mine.key, { method: 'DELETE', url })).json().data.file_id, fileId);
  assert.deepEqual(refused(await http.as(mine.key, { url })), [404, 'not_found']);
  assert.equal((await http.app.inject(found.url.replace('http://darkroom.test', ''))).statusCode, 410);
});

test('what cannot be taken as a file is refused with the reason, and leaves nothing behind', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const data = await picture();
  const png = { 'content-type': 'image/png' };
  const form = (parts: Parameters<typeof multipart>[0]) => {
    const { payload, headers } = multipart(parts);
    return upload(http, key, payload, headers);
  };
  const large = Buffer.alloc(1_000_001);
  assert.deepEqual(refused(await upload(http, key, Buffer.from('<svg/>'), png)), [415, 'unsupported_media_type']);
  assert.deepEqual(refused(await upload(http, key, data.subarray(0, 60), png)), [400, 'invalid_request']);
  assert.deepEqual(refused(await upload(http, key, Buffer.alloc(0), png)), [400, 'invalid_request']);
  assert.deepEqual(refused(await upload(http, key, large, png)), [413, 'body_too_large']);
  assert.deepEqual(refused(await upload(http, key, data, { 'content-type': 'text/plain' })), [
    415,
    'unsupported_media_type',
  ]);
  assert.deepEqual(refused(await upload(http, key, Buffer.from('{}'), { 'content-type': 'application/json' })), [
    415,
    'unsupported_media_type',
  ]);
  assert.deepEqual(refused(await form([{ name: 'file', file: 'a.png', data: large }])), [413, 'body_too_large']);
  assert.deepEqual(refused(await form([])), [400, 'invalid_request']);
  assert.deepEqual(refused(await form([{ name: 'file', data: 'text' }])), [400, 'invalid_request']);
  const two = [1, 2].map((count) => ({ name: `file${count}`, file: 'a.png', data }));
  assert.deepEqual(refused(await form(two)), [400, 'invalid_request']);
  const whole = multipart([{ name: 'file', file: 'a.png', data }]);
  for (const payload of [whole.payload.subarray(0, -10), Buffer.from('garbage')])
    assert.deepEqual(refused(await upload(http, key, payload, whole.headers)), [400, 'invalid_request']);
  const boundless = await upload(http, key, whole.payload, { 'content-type': 'multipart/form-data' });
  assert.deepEqual(refused(boundless), [400, 'invalid_request']);
  const left: string[] = [];
  for await (const { key: storageKey } of http.services.storage.list('')) left.push(storageKey);
  assert.deepEqual(left, []);
});

test('an expired upload is reported as such', async (t) => {
  const http = await openTestHttp(t);
  const { key } = await http.issue();
  const { file_id: fileId } = (await upload(http, key, await picture(), { 'content-type': 'image/png' })).json().data;
  http.clock.advance(31 * 86_400_000);
  assert.deepEqual(refused(await http.as(key, { url: `/v1/files/${fileId}` })), [410, 'outputs_expired']);
});
