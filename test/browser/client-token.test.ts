import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Darkroom } from '@darkroom/client';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { openPage } from './browser.ts';

const CLIENT = join(import.meta.dirname, '../../clients/typescript/src');
const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });

/** A shop on an origin of its own, which offers the TypeScript client to its page. @returns its origin */
async function openShop(t: TestContext): Promise<string> {
  const server = createServer(async ({ url = '/' }, response) => {
    if (!url.startsWith('/client/')) return response.setHeader('content-type', 'text/html').end('<h1>Shop</h1>');
    const source = await readFile(join(CLIENT, normalize(url.slice('/client'.length))), 'utf8');
    response.setHeader('content-type', 'text/javascript').end(stripTypeScriptTypes(source));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs in the page: orders with the token, waits by events, downloads, and tries what only a key may. */
const PROGRAM = `async ([baseUrl, apiKey]) => {
  const { Darkroom } = await import('/client/main.ts');
  const client = new Darkroom({ baseUrl, apiKey });
  const fox = await client.images.generate({ model_id: 'sketch', prompt: 'a fox', size: '256x256' });
  const { size } = await fox.content().blob();
  const refused = await client.account.get().catch(({ code }) => code);
  return { size, task: fox.task, refused };
}`;

test('a page of another origin orders with the TypeScript client and a client token, and sees only its end user', async (t) => {
  const origin = await openShop(t);
  const server = new Darkroom({ baseUrl: service.url, apiKey: service.keys.test });
  await server.images.generate({ model_id: 'sketch', prompt: 'a boat', resolution: '0.5K' });
  const { token } = await server.clientTokens.create({ end_user: 'customer-17', origins: [origin] });
  const page = await openPage(t);
  await page.goto(origin);
  const { size, task, refused } = (await page.evaluate(`(${PROGRAM})(${JSON.stringify([service.url, token])})`)) as {
    readonly size: number;
    readonly task: { readonly end_user: string; readonly outputs: readonly { readonly bytes: number }[] };
    readonly refused: string;
  };
  assert.deepEqual([task.end_user, size, refused], ['customer-17', task.outputs[0]?.bytes, 'forbidden']);
  const other = await openShop(t);
  await page.goto(other);
  const failure = await page.evaluate<string>(
    `(${PROGRAM})(${JSON.stringify([service.url, token])}).then(() => '', ({ code }) => code)`,
  );
  assert.equal(failure, 'forbidden');
});
