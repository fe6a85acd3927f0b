import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';
import { createDarkroom, type Darkroom } from '../src/create-darkroom.ts';

const EMBEDDED = { DARKROOM_LOG_LEVEL: 'fatal', DARKROOM_MEDIA_PROCESSES: '1', DARKROOM_PORT: '1' };

test('a program of Hono mounts the service below a path, and orders an image', async (t) => {
  const { darkroom, key } = await open(t, 'https://app.example/pictures');
  const app = new Hono();
  app.get('/', (context) => context.text('the program'));
  app.mount('/pictures', darkroom.fetch);
  assert.equal(await (await app.request('/')).text(), 'the program');
  await orderImage((path, init) => app.request(`https://app.example/pictures${path}`, init), key);
});

test('a program of Express does so too', async (t) => {
  const { darkroom, key } = await open(t, 'https://app.example/pictures');
  const app = express();
  app.use('/pictures', getRequestListener(darkroom.fetch));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  await orderImage((path, init) => fetch(`http://127.0.0.1:${port}/pictures${path}`, init), key);
});

test('a stream arrives as it is sent, and ends when its client leaves', async (t) => {
  const { darkroom, adminKey } = await open(t, 'https://app.example');
  const leave = new AbortController();
  const headers = { authorization: `Bearer ${adminKey}` };
  const { signal } = leave;
  const answer = await darkroom.fetch(new Request('https://app.example/admin/v1/events', { headers, signal }));
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
  const events = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('event: changed')) text += (await events.read()).value;
  leave.abort();
  await assert.rejects(async () => {
    while (!(await events.read()).done);
  });
});

test('it handles no signal, and leaves nothing behind that keeps the program alive', async (t) => {
  const before = signals();
  const { darkroom } = await open(t, 'https://app.example');
  assert.deepEqual(signals(), before);
  await darkroom.close();
  assert.deepEqual(
    process.getActiveResourcesInfo().filter((name) => /Server|Worker/.test(name)),
    [],
  );
});

test('it says which settings it needs', async () => {
  const page = await readFile(new URL('../docs/operating.md', import.meta.url), 'utf8');
  assert.match(page, /needs\s`DARKROOM_PUBLIC_URL`, and refuses the role `worker`/);
  await assert.rejects(createDarkroom({}), /DARKROOM_PUBLIC_URL: expected/);
  await assert.rejects(
    createDarkroom({ DARKROOM_PUBLIC_URL: 'https://app.example', DARKROOM_ROLE: 'worker' }),
    /DARKROOM_ROLE: expected all or api/,
  );
});

async function open(t: TestContext, publicUrl: string): Promise<{ darkroom: Darkroom; key: string; adminKey: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-embedded-'));
  const darkroom = await createDarkroom({
    ...EMBEDDED,
    DARKROOM_DATA_DIR: directory,
    DARKROOM_PUBLIC_URL: publicUrl,
  });
  t.after(async () => {
    await darkroom.close();
    await rm(directory, { recursive: true });
  });
  const keys = await readFile(join(directory, 'first-keys.txt'), 'utf8');
  const [, key = ''] = /DARKROOM_TEST_KEY=(\S+)/.exec(keys) ?? [];
  const [, adminKey = ''] = /DARKROOM_ADMIN_KEY=(\S+)/.exec(keys) ?? [];
  return { darkroom, key, adminKey };
}

async function orderImage(send: (path: string, init: RequestInit) => Response | Promise<Response>, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=60' };
  const body = JSON.stringify({ model_id: 'sketch', prompt: 'a fox' });
  const created = await send('/v1/images', { method: 'POST', headers, body });
  const { data } = (await created.json()) as { data: { status: string; urls: { self: string }; task_id: string } };
  assert.deepEqual([created.status, data.status], [201, 'succeeded']);
  assert.equal(data.urls.self, `https://app.example/pictures/v1/images/${data.task_id}`);
  const content = await send(`/v1/images/${data.task_id}/content`, { headers });
  assert.match(content.headers.get('content-type') ?? '', /^image\//);
  assert.ok((await content.arrayBuffer()).byteLength > 1_000);
  const gone = await send(`/v1/images/${data.task_id}`, {
    method: 'DELETE',
    headers: { authorization: headers.authorization },
  });
  assert.equal(gone.status, 200);
}

function signals(): number[] {
  return ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'exit'].map((name) =>
    process.listenerCount(name),
  );
}
