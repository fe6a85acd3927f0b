/**
 * Makes a picture through Open WebUI: signs up the first user, sets the image engine, orders a picture and downloads it.
 * Run it by hand, with Python 3.11 or 3.12:
 *
 *     pip install open-webui
 *     DARKROOM_TEST_OPEN_WEBUI=…/bin/open-webui node test/apps/open-webui.ts
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { freePort } from '../free-port.ts';
import type { WireValue } from '../service.ts';
import { ordersAndCharges, startAppService } from './app-service.ts';
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

const { version } = await ask(null, 'GET', '/api/version');
const user = { name: 'Ann', email: 'ann@example.com', password: randomBytes(12).toString('hex') };
const { token, role } = await ask(null, 'POST', '/api/v1/auths/signup', user);
assert.equal(role, 'admin');
const settings = await ask(token, 'GET', '/api/v1/images/config');
await ask(token, 'POST', '/api/v1/images/config/update', {
  ...settings,
  ENABLE_IMAGE_GENERATION: true,
  IMAGE_GENERATION_ENGINE: 'openai',
  IMAGE_GENERATION_MODEL: 'gpt-image-2',
  IMAGE_SIZE: SIZE,
  IMAGES_OPENAI_API_BASE_URL: `${service.url}/openai/v1`,
  IMAGES_OPENAI_API_KEY: key,
});
const [image] = await ask(token, 'POST', '/api/v1/images/generations', {
  prompt: 'a red fox in the snow at dawn',
  n: 1,
});
const file = await fetch(new URL(image.url, webui), { headers: { authorization: `Bearer ${token}` } });
assert.equal(file.status, 200, image.url);
const { format, width, height } = await sharp(await file.bytes()).metadata();
assert.equal(`${width}x${height}`, SIZE);
const record = await ordersAndCharges(service, key);
assert.equal(record.orders, 1);
console.log(JSON.stringify({ version, url: image.url, picture: `${format} ${width}x${height}`, ...record }, null, 2));

/** Sends a request to Open WebUI. @returns the parsed body of its 200. */
async function ask(token: string | null, method: string, endpoint: string, body?: object): Promise<WireValue> {
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
  return JSON.parse(text);
}
