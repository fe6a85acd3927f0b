/**
 * Makes pictures through SillyTavern's server as its page does: from the web UI of Stable Diffusion, and in a
 * conversation with a custom chat completion source. Run it by hand:
 *
 *     npm install --prefix somewhere sillytavern
 *     DARKROOM_TEST_SILLYTAVERN=somewhere/node_modules/sillytavern/server.js node test/apps/sillytavern.ts
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import sharp from 'sharp';
import { ordersAndCharges, startAppService } from './app-service.ts';
import { findFile, startProgram, temporaryDirectory } from './installed-program.ts';

await using stack = new AsyncDisposableStack();
const path = findFile('DARKROOM_TEST_SILLYTAVERN', 'npm install sillytavern');
const { version } = JSON.parse(await readFile(join(dirname(path), 'package.json'), 'utf8'));
const service = await startAppService(stack, { DARKROOM_DOORS: 'a1111' });
const { key } = await service.issueKey({ mode: 'test' });
const directory = await temporaryDirectory(stack);
const port = await freePort();
const tavern = `http://127.0.0.1:${port}`;
const places = ['--dataRoot', join(directory, 'data'), '--configPath', join(directory, 'config.yaml')];
await startProgram(stack, {
  path: process.execPath,
  words: [path, '--port', String(port), '--disableCsrf', 'true', '--browserLaunchEnabled', 'false', ...places],
  variables: {},
  directory,
  readyUrl: `${tavern}/csrf-token`,
});

const webui = { url: service.url, auth: `darkroom:${key}` };
await ask('/api/sd/ping', webui);
const models = JSON.parse(await ask('/api/sd/models', webui)) as readonly { value: string }[];
assert.ok(models.some(({ value }) => value === 'sketch'));
await ask('/api/sd/set-model', { ...webui, model: 'sketch' });
const order = {
  prompt: 'a red fox in the snow',
  negative_prompt: '',
  sampler_name: 'Automatic',
  steps: 20,
  cfg_scale: 7,
};
const drawn = JSON.parse(await ask('/api/sd/generate', { ...webui, ...order, width: 512, height: 512 }));

await ask('/api/secrets/write', { key: 'api_key_custom', value: key });
const said = await ask('/api/backends/chat-completions/generate', {
  chat_completion_source: 'custom',
  custom_url: `${service.url}/openai/v1`,
  model: 'sketch',
  messages: [{ role: 'user', content: 'a red fox in the snow' }],
  stream: false,
});
const [{ message }] = JSON.parse(said).choices;
const results = {
  'web UI of Stable Diffusion': await describe(drawn.images[0]),
  'chat completion': await describe(message.images[0].image_url.url.split(',')[1]),
};
const record = await ordersAndCharges(service, key);
assert.equal(record.orders, 2);
console.log(JSON.stringify({ version, results, ...record }, null, 2));

/** Sends a request of the page to SillyTavern's server. @returns the text of its 200 */
async function ask(endpoint: string, body: object): Promise<string> {
  const response = await fetch(`${tavern}${endpoint}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `${endpoint}: ${response.status} ${text.slice(0, 2_000)}`);
  return text;
}

async function describe(base64: string): Promise<string> {
  const { format, width, height } = await sharp(Buffer.from(base64, 'base64')).metadata();
  return `${format} ${width}x${height}`;
}
