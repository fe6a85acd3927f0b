import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { Darkroom } from '@darkroom/client';
import { until } from '@darkroom-service/testing';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { openPackedClients } from './packed-clients.ts';
import { OPENAI_PACKAGE, openPython, openPythonClient, type Python } from './python.ts';

/** Each program orders with an Idempotency-Key of its own, waits for the image and prints how many bytes it has. */

/** Longer than it takes to find the order and to kill the program. */
const SECONDS = 5;

const CLIENT = `
import { Darkroom } from '@darkroom/client';
const order = { model_id: 'sketch', prompt: 'a red fox', resolution: '0.5K', simulate: { seconds: ${SECONDS} } };
const fox = await new Darkroom().images.generate(order, { idempotencyKey: 'order-1' });
console.log((await fox.content().bytes()).length);
`;
const AI_SDK = `
import { darkroom } from '@darkroom/ai-sdk-provider';
import { generateImage } from 'ai';
const options = { idempotencyKey: 'order-1', resolution: '0.5K', simulate: { seconds: ${SECONDS} } };
const call = { model: darkroom.image('sketch'), prompt: 'a red fox', providerOptions: { darkroom: options } };
console.log((await generateImage(call)).image.uint8Array.length);
`;
const OPENAI_FOR_NODE = `
import OpenAI from 'openai';
const { DARKROOM_URL, DARKROOM_API_KEY } = process.env;
const client = new OpenAI({ baseURL: DARKROOM_URL + '/openai/v1', apiKey: DARKROOM_API_KEY });
const body = { model: 'sketch', prompt: 'a red fox', size: '256x256', simulate: { seconds: ${SECONDS} } };
const { data } = await client.images.generate(body, { headers: { 'Idempotency-Key': 'order-1' } });
console.log(Buffer.from(data[0].b64_json, 'base64').length);
`;
const OPENAI_FOR_PYTHON = `
import base64, os
import openai
client = openai.OpenAI(base_url=os.environ["DARKROOM_URL"] + "/openai/v1", api_key=os.environ["DARKROOM_API_KEY"])
made = client.images.generate(
    model="sketch", prompt="a red fox", size="256x256",
    extra_body={"simulate": {"seconds": ${SECONDS}}}, extra_headers={"Idempotency-Key": "order-1"},
)
print(len(base64.b64decode(made.data[0].b64_json)))
`;
const PYTHON_CLIENT = `
import darkroom
with darkroom.Darkroom() as client:
    fox = client.images.generate(
        model_id="sketch", prompt="a red fox", resolution="0.5K",
        simulate={"seconds": ${SECONDS}}, idempotency_key="order-1",
    )
    print(len(fox.content().read()))
`;

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });

/** A command, its words and the variables that it needs besides those of the service. */
interface Program {
  readonly command: string;
  readonly words: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

async function nodeProgram(t: TestContext, source: string): Promise<Program> {
  const folder = await mkdtemp(join(openPackedClients(), 'program-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'order.mjs'), source);
  return { command: process.execPath, words: [join(folder, 'order.mjs')] };
}

function pythonProgram({ path, variables }: Python, source: string): Program {
  return { command: path, words: ['-c', source], variables };
}

async function findsItsOrder(t: TestContext, { command, words, variables }: Program): Promise<void> {
  const { key } = await service.issueKey({ mode: 'test' });
  const client = new Darkroom({ baseUrl: service.url, apiKey: key });
  const env = { PATH: process.env.PATH, DARKROOM_URL: service.url, DARKROOM_API_KEY: key, ...variables };
  const start = () => {
    const child = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  const tasks = async () => (await client.images.list().page()).items;

  const killed = start();
  await until(tasks, ({ length }) => length === 1);
  killed.kill('SIGKILL');
  assert.deepEqual(await once(killed, 'exit'), [null, 'SIGKILL']);

  const again = start();
  const [output, [code]] = await Promise.all([text(again.stdout), once(again, 'close')]);
  assert.equal(code, 0);
  assert.ok(Number(output) > 0, output);
  const [task, ...others] = await tasks();
  assert.deepEqual([task?.status, others], ['succeeded', []]);
  const { items } = await client.account.ledger().page();
  assert.deepEqual(items.map(({ kind }) => kind).sort(), ['charge', 'hold', 'release']);
}

// They wait for most of their time.
describe('killed programs', { concurrency: 4 }, () => {
  test('openai for Node: a program that is killed while it waits finds its order by its Idempotency-Key', async (t) =>
    findsItsOrder(t, await nodeProgram(t, OPENAI_FOR_NODE)));
  test('openai for Python: a program that is killed while it waits finds its order by its Idempotency-Key', async (t) =>
    findsItsOrder(t, pythonProgram(await openPython([OPENAI_PACKAGE]), OPENAI_FOR_PYTHON)));
  test('@darkroom/client: a program that is killed while it waits finds its order by its Idempotency-Key', async (t) =>
    findsItsOrder(t, await nodeProgram(t, CLIENT)));
  test('AI SDK: a program that is killed while it waits finds its order by its Idempotency-Key', async (t) =>
    findsItsOrder(t, await nodeProgram(t, AI_SDK)));
  test('darkroom for Python: a program that is killed while it waits finds its order by its Idempotency-Key', async (t) =>
    findsItsOrder(t, pythonProgram(await openPythonClient(), PYTHON_CLIENT)));
});
