import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeBody } from './request-body.ts';

test('a form arrives whole, also in a program that has put another Response in place', async (t) => {
  const form = new FormData();
  const bytes = Uint8Array.from({ length: 256 }, (_, value) => value);
  form.append('prompt', 'one\ntwo\r\n--three "four" ü');
  form.append('a "name"\n', '');
  form.append('image[]', new File([bytes], 'fox "1"\r\n.png', { type: 'image/png' }));
  form.append('image[]', new File([], 'empty'));
  const { Response } = globalThis;
  t.after(() => Object.assign(globalThis, { Response }));
  // As the server of Hono does.
  Object.assign(globalThis, { Response: class {} });
  const { body, headers } = await encodeBody(form);
  const read = await new Response(body as Uint8Array<ArrayBuffer>, { headers }).formData();
  assert.deepEqual([...read.keys()], ['prompt', 'a "name"\n', 'image[]', 'image[]']);
  assert.deepEqual([read.get('prompt'), read.get('a "name"\n')], ['one\r\ntwo\r\n--three "four" ü', '']);
  const [fox, empty] = read.getAll('image[]') as File[];
  assert.ok(fox && empty);
  assert.deepEqual([fox.name, fox.type, await fox.bytes()], ['fox "1"\r\n.png', 'image/png', bytes]);
  assert.deepEqual([empty.name, empty.type, empty.size], ['empty', 'application/octet-stream', 0]);
});
