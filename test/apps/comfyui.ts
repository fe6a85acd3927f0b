/**
 * Makes a picture in a workflow of ComfyUI with the node of this repository, saves it with ComfyUI's own node, runs the
 * workflow again, which must order nothing, and interrupts one. Run it by hand, with a checkout of ComfyUI:
 *
 *     pip install -r requirements.txt requests
 *     DARKROOM_TEST_COMFYUI=…/ComfyUI/main.py DARKROOM_TEST_PYTHON=…/bin/python node test/apps/comfyui.ts
 */
import assert from 'node:assert/strict';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import type { Printed } from '../clients/python.ts';
import { ordersAndCharges, startAppService } from './app-service.ts';
import { findFile, findProgram, startProgram, temporaryDirectory } from './installed-program.ts';

const NODES = join(import.meta.dirname, '../../clients/comfyui/darkroom_nodes.py');

await using stack = new AsyncDisposableStack();
const main = findFile('DARKROOM_TEST_COMFYUI', 'git clone ComfyUI');
const python = findProgram('DARKROOM_TEST_PYTHON', 'python3', 'the Python with the packages of ComfyUI');
const service = await startAppService(stack);
const { key } = await service.issueKey({ mode: 'test' });
const directory = await temporaryDirectory(stack);
// Its data, with the nodes, lie apart from the checkout.
await mkdir(join(directory, 'custom_nodes'));
await cp(NODES, join(directory, 'custom_nodes/darkroom_nodes.py'));
const port = await freePort();
const comfy = `http://127.0.0.1:${port}`;
await startProgram(stack, {
  path: python,
  words: [main, '--cpu', '--port', String(port), '--base-directory', directory, '--disable-api-nodes'],
  variables: { DARKROOM_URL: service.url, DARKROOM_API_KEY: key, PYTHONPATH: dirname(main) },
  directory,
  readyUrl: `${comfy}/system_stats`,
});

const first = await run(workflow('a red fox'));
assert.equal(first.status.status_str, 'success', JSON.stringify(first.status));
const [picture] = first.outputs.save.images;
const file = await fetch(`${comfy}/view?${new URLSearchParams({ filename: picture.filename, type: picture.type })}`);
assert.equal(file.status, 200);
// Without its cache, as after a restart.
await ask('/free', { unload_models: true, free_memory: true });
await run(workflow('a red fox'));
const record = await ordersAndCharges(service, key);
assert.equal(record.orders, 1);

const slow = await ask('/prompt', { prompt: workflow('a slow fox', { simulate: { seconds: 3_600 } }) });
await until(tasks, ({ length }) => length === 2);
await ask('/interrupt', {});
const ended = await end(slow.prompt_id);
const canceled = await until(tasks, (all) => all.some(({ status }) => status === 'canceled'));
const { system } = await read('/system_stats');
console.log(
  JSON.stringify(
    { version: system.comfyui_version, ...record, interrupted: [ended.status.status_str, canceled[0]?.status] },
    null,
    2,
  ),
);

function workflow(prompt: string, fields: object = {}): object {
  const inputs = { model: 'sketch', prompt, variation: 0, size: '512x512', fields: JSON.stringify(fields) };
  return {
    make: { class_type: 'DarkroomImage', inputs },
    save: { class_type: 'SaveImage', inputs: { images: ['make', 0], filename_prefix: 'darkroom' } },
  };
}

async function tasks() {
  return (await service.call(key, 'GET', '/v1/images')).data.items;
}

async function run(prompt: object) {
  return await end((await ask('/prompt', { prompt })).prompt_id);
}

/** Waits for the end of a workflow. */
async function end(id: string) {
  const entry = async () => (await read(`/history/${id}`))[id];
  return await until(entry, (found) => found?.status !== undefined, 500);
}

async function read(endpoint: string): Promise<Printed> {
  return await (await fetch(`${comfy}${endpoint}`)).json();
}

async function ask(endpoint: string, body: object) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${comfy}${endpoint}`, init);
  const text = await response.text();
  assert.ok(response.ok, `${endpoint}: ${response.status} ${text.slice(0, 2_000)}`);
  return text === '' ? null : JSON.parse(text);
}
