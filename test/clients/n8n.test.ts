import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import type { ExecuteFunctions, Item } from '../../clients/n8n/src/n8n-interface.ts';
import { startTestService } from '../helpers/service.ts';
import { createStoppableEngine } from '../helpers/swift-engine.ts';
import { type Fault, openFaultProxy } from './fault-proxy.ts';
import { openPackedClients } from './packed-clients.ts';

/** The node for n8n as it is packed, called as n8n calls it. `test/apps/n8n.ts` runs it in n8n itself. */

const PACKAGE = join(openPackedClients(), 'node_modules/n8n-nodes-darkroom');
const { n8n } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
const require = createRequire(import.meta.url);
const DarkroomNode = classOf(n8n.nodes[0]);

/** Returns the class that has the name of its file, as n8n does. */
function classOf(path: string) {
  return require(join(PACKAGE, path))[basename(path, '.js')];
}

const FOX = { resource: 'image', operation: 'create', model: 'sketch', prompt: 'a fox', waits: true };
const SMALL = { fields: '{ "size": "256x256" }' };

interface Run {
  readonly execution?: string;
  readonly run?: number;
  readonly continues?: boolean;
  readonly signal?: AbortSignal;
  readonly items?: readonly Item[];
}

async function openNode(t: TestContext, { films = false } = {}) {
  const service = await startTestService(t, { service: films ? {} : { engines: [createStoppableEngine()] } });
  const proxy = await openFaultProxy(t, service.url);
  const { key } = await service.issueKey({ mode: 'test' });
  const execute = async (
    parameters: object,
    { execution = '7', run = 0, items = [{ json: {} }], ...more }: Run = {},
  ) => {
    const given: Readonly<Record<string, unknown>> = { ...FOX, ...SMALL, binaryField: 'data', ...parameters };
    const functions: ExecuteFunctions = {
      getInputData: () => items,
      getNodeParameter: (name, _item, fallback) => given[name] ?? fallback,
      getCredentials: async () => ({ url: proxy.url, apiKey: key }),
      getExecutionId: () => execution,
      getNode: () => ({ id: 'a-node', name: 'Darkroom' }),
      getExecutionCancelSignal: () => more.signal,
      evaluateExpression: () => run,
      continueOnFail: () => more.continues === true,
      helpers: {
        getBinaryDataBuffer: async (_item, field) => (field === 'photo' ? await smallPicture : Buffer.alloc(0)),
        prepareBinaryData: async (bytes, fileName = '', mimeType = '') => ({ fileName, mimeType, bytes }),
      },
    };
    const [made] = await new DarkroomNode().execute.call(functions);
    return made as { json: Record<string, string>; binary: { data: { mimeType: string; bytes: Buffer } } }[];
  };
  return {
    proxy,
    execute,
    tasks: async () => (await service.call(key, 'GET', '/v1/images?limit=100')).data.items,
    async charges() {
      const { items } = (await service.call(key, 'GET', '/v1/account/ledger?limit=100')).data;
      return items.filter(({ kind }) => kind === 'charge').length;
    },
  };
}

test('the package for n8n names the files of its node and its credential, whose classes n8n finds', () => {
  const DarkroomApi = classOf(n8n.credentials[0]);
  assert.equal(new DarkroomApi().name, new DarkroomNode().description.credentials[0].name);
});

test('the node for n8n orders an image for each item, and hands its file on', async (t) => {
  const { execute, charges } = await openNode(t);
  const made = await execute({}, { items: [{ json: {} }, { json: {} }] });
  assert.deepEqual(
    made.map(({ json, binary }) => [json.status, binary.data.mimeType, binary.data.bytes.subarray(1, 4).toString()]),
    [
      ['succeeded', 'image/png', 'PNG'],
      ['succeeded', 'image/png', 'PNG'],
    ],
  );
  assert.equal(await charges(), 2);
});

test('the node for n8n pays once for an item of an execution, and again in another run or execution', async (t) => {
  const { execute, charges } = await openNode(t);
  const [first] = await execute({});
  const [again] = await execute({});
  assert.equal(again?.json.task_id, first?.json.task_id);
  assert.equal(await charges(), 1);
  await execute({}, { run: 1 });
  await execute({}, { execution: '8' });
  assert.equal(await charges(), 3);
  const own = { options: { idempotencyKey: 'row-1' } };
  await execute(own, { execution: '9' });
  await execute(own, { execution: '10' });
  assert.equal(await charges(), 4);
});

for (const fault of ['cut before', 'cut within', 'lose answer', '502 before', '502 after', 'cut answer'] as const)
  test(`the node for n8n, ${fault} of the order: an image, one charge`, async (t) => {
    const { execute, charges, proxy } = await openNode(t);
    proxy.fail(/^POST /, fault satisfies Fault);
    const [made] = await execute({});
    assert.deepEqual([made?.json.status, await charges(), proxy.sent(/^POST /).length], ['succeeded', 1, 2]);
  });

test('the node for n8n sends binary fields as references', async (t) => {
  const { execute, tasks } = await openNode(t);
  const items = [{ json: {}, binary: { photo: { mimeType: 'image/png' } } }];
  await execute({ references: 'photo' }, { items });
  assert.equal((await tasks())[0]!.input.image_urls.length, 1);
  await assert.rejects(execute({ references: 'logo' }, { items }), /no binary field "logo"/);
});

test('the node for n8n orders again what failed, and tells the reason', async (t) => {
  const { execute, tasks, charges } = await openNode(t);
  const failing = { fields: { simulate: { outcome: 'upstream_error' } } };
  await assert.rejects(execute(failing), /img_/);
  await assert.rejects(execute(failing), /img_/);
  assert.deepEqual([(await tasks()).length, await charges()], [2, 0]);
  const [told] = await execute({ model: 'no-such-model' }, { execution: '8', continues: true });
  assert.match(told?.json.error ?? '', /no-such-model/);
});

test('the node for n8n cancels an order that it waits for when the execution is stopped', async (t) => {
  const { execute, tasks, charges } = await openNode(t);
  const stopping = new AbortController();
  const run = execute({ fields: { simulate: { seconds: 3_600 } } }, { signal: stopping.signal });
  await until(tasks, ([task]) => task?.status === 'processing');
  stopping.abort();
  await assert.rejects(run);
  await until(tasks, ([task]) => task?.status === 'canceled');
  assert.equal(await charges(), 0);
});

test('the node for n8n orders without waiting, gets the file later, and cancels', async (t) => {
  const { execute } = await openNode(t, { films: true });
  const film = { resource: 'video', model: 'sketch-motion', fields: { duration: 1, resolution: '360p' } };
  const [ordered] = await execute({ ...film, waits: false });
  assert.equal(ordered?.binary, undefined);
  const [made] = await execute({ resource: 'video', operation: 'get', taskId: ordered?.json.task_id });
  assert.equal(made?.binary.data.mimeType, 'video/mp4');
  const slow = { waits: false, fields: { simulate: { seconds: 3_600 } } };
  const [other] = await execute(slow, { execution: '8' });
  const [canceled] = await execute({ operation: 'cancel', taskId: other?.json.task_id });
  assert.ok(canceled?.json.status === 'canceled' || canceled?.json.cancel_requested_at !== null);
});
