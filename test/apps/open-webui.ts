/**
 * Makes pictures through Open WebUI: signs up the first user, sets the image engine, orders pictures and downloads
 * them. One of them is slow. Run it by hand, with Python 3.11 or 3.12:
 *
 *     pip install open-webui
 *     DARKROOM_TEST_OPEN_WEBUI=…/bin/open-webui node test/apps/open-webui.ts
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import sharp from 'sharp';
import { ordersAndCharges, SLOW_SECONDS, startAppService } from './app-service.ts';
import { findProgram, startProgram, temporaryDirectory } from './installed-program.ts';

const SIZE = '1024x1024';

await using stack = new AsyncDisposableStack();
const path = findProgram('DARKROOM_TEST_OPEN_WEBUI', 'open-webui', 'pip install open-webui');
const service = await startAppService(stack);
const { key } = await service.issueKey({ mode: 'test' });
const directory = await temporaryDirectory(stack);
const port = await freePort();
const webui = `http://127.0.0.1:${port}`;
await startProgram(stack, {
  path,
  words: ['serve', '--host', '127.0.0.1', '--port', String(port)],
  variables: {
    DATA_DIR: directory,
    WEBUI_SECRET_KEY: randomBytes(24).toString('hex'),
    // Nothing of this test needs models for chats or documents.
    OFFLINE_MODE: 'true',
    ENABLE_OLLAMA_API: 'false',
    RAG_EMBEDDING_ENGINE: 'openai',
    ANONYMIZED_TELEMETRY: 'false',
  },
  directory,
  readyUrl: `${webui}/health`,
});

const { version } = await ask<{ version: string }>(null, 'GET', '/api/version');
const user = { name: 'Ann', email: 'ann@example.com', password: randomBytes(12).toString('hex') };
const { token, role } = await ask<{ token: string; role: string }>(null, 'POST', '/api/v1/auths/signup', user);
assert.equal(role, 'admin');
const settings = await ask(token, 'GET', '/api/v1/images/config');
const results = [
  await order({ IMAGE_GENERATION_MODEL: 'gpt-image-2' }),
  // A name that Open WebUI asks for `b64_json`.
  await order({ IMAGE_GENERATION_MODEL: 'dall-e-3' }),
  await order({ IMAGE_GENERATION_MODEL: 'sketch', IMAGES_OPENAI_API_PARAMS: { simulate: { seconds: SLOW_SECONDS } } }),
];
const record = await ordersAndCharges(service, key);
assert.equal(record.orders, results.length);
console.log(JSON.stringify({ version, results, ...record }, null, 2));

/** Changes the settings for images, orders a picture and downloads it from Open WebUI. */
async function order(changes: Readonly<Record<string, unknown>>): Promise<object> {
  await ask(token, 'POST', '/api/v1/images/config/update', {
    ...settings,
    ENABLE_IMAGE_GENERATION: true,
    IMAGE_GENERATION_ENGINE: 'openai',
    IMAGE_SIZE: SIZE,
    IMAGES_OPENAI_API_BASE_URL: `${service.url}/openai/v1`,
    IMAGES_OPENAI_API_KEY: key,
    ...changes,
  });
  const began = performance.now();
  const body = { prompt: 'a red fox in the snow', n: 1 };
  const [image] = await ask<[{ url: string }]>(token, 'POST', '/api/v1/images/generations', body);
  const seconds = Math.round((performance.now() - began) / 1000);
  const file = await fetch(new URL(image.url, webui), { headers: { authorization: `Bearer ${token}` } });
  assert.equal(file.status, 200, image.url);
  const { format, width, height } = await sharp(await file.bytes()).metadata();
  assert.equal(`${width}x${height}`, SIZE);
  return { ...changes, seconds, picture: `${format} ${width}x${height}` };
}

/** Sends a request to Open WebUI. @returns the parsed body of its 200. */
async function ask<Result extends object>(
  token: string | null,
  method: string,
  endpoint: string,
  body?: object,
): Promise<Result> {
  const response = await fetch(`${webui}${endpoint}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, `${method} ${endpoint}: ${text.slice(0, 2_000)}`);
  return JSON.parse(text) as Result;
}
