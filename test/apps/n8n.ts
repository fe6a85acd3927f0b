/**
 * Makes a picture in a workflow of n8n with the node of this repository, installed from its package. A second execution
 * with the same Idempotency Key must find the first order. Run it by hand:
 *
 *     npm install --prefix somewhere --legacy-peer-deps n8n
 *     DARKROOM_TEST_N8N=somewhere/node_modules/.bin/n8n node test/apps/n8n.ts
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ordersAndCharges, startAppService } from './app-service.ts';
import { findProgram, temporaryDirectory } from './installed-program.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

await using stack = new AsyncDisposableStack();
const path = findProgram('DARKROOM_TEST_N8N', 'n8n', 'npm install n8n');
const service = await startAppService(stack);
const { key } = await service.issueKey({ mode: 'test' });
const directory = await temporaryDirectory(stack);
const nodes = join(directory, '.n8n/nodes');
await mkdir(nodes, { recursive: true });
await run(process.execPath, [join(ROOT, 'packaging/pack-clients.ts'), join(directory, 'packed')]);
const [tarball = ''] = globSync('packed/n8n-nodes-darkroom-*.tgz', { cwd: directory });
await run('npm', ['install', '--prefix', nodes, '--no-audit', '--no-fund', '--offline', join(directory, tarball)]);

await store('credentials.json', [
  { id: 'darkroom', name: 'Darkroom', type: 'darkroomApi', data: { url: service.url, apiKey: key } },
]);
await store('workflow.json', [
  {
    id: 'fox',
    name: 'Fox',
    active: false,
    settings: {},
    nodes: [
      {
        id: 'start',
        name: 'Start',
        type: 'n8n-nodes-base.manualTrigger',
        typeVersion: 1,
        position: [0, 0],
        parameters: {},
      },
      {
        id: 'order',
        name: 'Darkroom',
        type: 'n8n-nodes-darkroom.darkroom',
        typeVersion: 1,
        position: [200, 0],
        credentials: { darkroomApi: { id: 'darkroom', name: 'Darkroom' } },
        parameters: { model: 'sketch', prompt: 'a red fox in the snow', options: { idempotencyKey: 'fox-1' } },
      },
    ],
    connections: { Start: { main: [[{ node: 'Darkroom', type: 'main', index: 0 }]] } },
  },
]);
await n8n('import:credentials', '--input=credentials.json');
await n8n('import:workflow', '--input=workflow.json');
const first = await execute();
const second = await execute();
assert.equal(first.json.status, 'succeeded');
assert.equal(first.binary.data.mimeType, 'image/png');
assert.equal(second.json.task_id, first.json.task_id);
const record = await ordersAndCharges(service, key);
assert.equal(record.orders, 1);
const version = (await n8n('--version')).trim();
console.log(JSON.stringify({ version, file: first.binary.data, ...record }, null, 2));

async function store(name: string, content: unknown): Promise<void> {
  await writeFile(join(directory, name), JSON.stringify(content));
}

async function n8n(...words: readonly string[]): Promise<string> {
  const variables = { N8N_USER_FOLDER: directory, N8N_DIAGNOSTICS_ENABLED: 'false', N8N_RUNNERS_ENABLED: 'false' };
  const env = { PATH: process.env.PATH, HOME: directory, ...variables };
  const { stdout } = await run(path, words, { cwd: directory, env, maxBuffer: 2 ** 26 });
  return stdout;
}

/** Runs the workflow. @returns the item of the node */
async function execute() {
  const printed = await n8n('execute', '--id=fox', '--rawOutput');
  const told = JSON.parse(printed.slice(printed.indexOf('{\n'), printed.lastIndexOf('}') + 1));
  return told.data.resultData.runData.Darkroom[0].data.main[0][0];
}
