import assert from 'node:assert/strict';
import { test } from 'node:test';
import multipart from '@fastify/multipart';
import Fastify from 'fastify';
import { readParts } from './form-parts.ts';

const headers = { 'content-type': 'multipart/form-data; boundary=b' };

test('other requests have their turn while a form of nothing but parts is read', async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  await app.register(multipart, { limits: { parts: 1_000_000, fields: 1_000_000 } });
  app.post('/', async (request) => {
    const nextPart = readParts(request, 'parts');
    let turns = 0;
    let isRead = false;
    const count = () => {
      turns++;
      if (!isRead) setImmediate(count);
    };
    count();
    while ((await nextPart()) !== undefined);
    isRead = true;
    return { turns };
  });
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
  const payload = Buffer.from(`${part.repeat(1_300)}--b--\r\n`);
  const { turns } = (await app.inject({ method: 'POST', url: '/', headers, payload })).json<{ turns: number }>();
  assert.ok(turns >= 8, `${payload.length} bytes were read in ${turns} turns`);
});
