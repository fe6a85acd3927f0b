import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { createDarkroom } from '@darkroom/ai-sdk-provider';
import { Darkroom } from '@darkroom/client';
import { until } from '@darkroom-service/testing';
import { generateImage } from 'ai';
import sharp from 'sharp';
import { assertBooks, readTasks } from '../crash/books.ts';
import { openPremises } from '../crash/child-service.ts';
import { openFaultProxy } from './fault-proxy.ts';
import { openaiForNode, openaiForPython, type PublishedClient } from './openai/clients.ts';
import { openPythonClient } from './python.ts';

/** A killed process's claims end by themselves. */
const PAST_THE_LEASES_MS = 61_000;
/** Enough for a service to start again, also on a slow machine. */
const TRIES = 20;
const ORDER = { model_id: 'paid-polled', prompt: 'a fox' };

/** Orders an image, waits for it and returns its bytes. */
type Generate = (url: string, key: string) => Promise<Uint8Array>;

/** The process of the service is killed while the client waits, and another one starts behind the same address. */
async function survivesAKill(t: TestContext, generate: Generate): Promise<void> {
  const premises = await openPremises(t, [{ name: 'paid-polled', workMs: 8000 }]);
  const first = await premises.start();
  const proxy = await openFaultProxy(t, first.url);
  const answer = generate(proxy.url, premises.keys.live);
  // It is awaited only after the kill.
  answer.catch(() => {});
  // Killed earlier, the order may or may not have reached the upstream, and nobody sends it again.
  await until(
    () => readTasks(premises.database),
    (tasks) => tasks[0]?.step === 'running',
  );
  first.process.kill('SIGKILL');
  await first.ended;
  premises.aheadMs += PAST_THE_LEASES_MS;
  proxy.target = (await premises.start()).url;
  const { width, height } = await sharp(await answer).metadata();
  assert.deepEqual([width, height], [64, 64]);
  const tasks = await readTasks(premises.database);
  assert.deepEqual(
    tasks.map(({ status, charged }) => [status, charged]),
    [['succeeded', 40_000]],
  );
  await assertBooks(premises);
}

function through(client: PublishedClient): Generate {
  return async (url, key) => {
    const order = ['images.generate', { model: ORDER.model_id, prompt: ORDER.prompt }] as const;
    const { value, error } = await client.call(url, key, order, { maxRetries: TRIES });
    assert.equal(error, undefined);
    return Buffer.from(value.data[0].b64_json, 'base64');
  };
}

const throughClient: Generate = async (baseUrl, apiKey) => {
  const client = new Darkroom({ baseUrl, apiKey, retries: TRIES });
  return await (await client.images.generate(ORDER)).content().bytes();
};

const throughAiSdk: Generate = async (baseUrl, apiKey) => {
  const model = createDarkroom({ baseUrl, apiKey, retries: TRIES }).image(ORDER.model_id);
  return (await generateImage({ model, prompt: ORDER.prompt })).image.uint8Array;
};

function throughPython(script: string): Generate {
  return async (url, key) => {
    const python = await openPythonClient();
    const env = { DARKROOM_URL: url, DARKROOM_API_KEY: key };
    return Buffer.from(await python.run(script, { input: { ...ORDER, retries: TRIES }, env }), 'base64');
  };
}

const PYTHON = `
import base64, json, sys
import darkroom
order = json.load(sys.stdin)
with darkroom.Darkroom(retries=order.pop("retries")) as client:
    print(json.dumps(base64.b64encode(client.images.generate(**order).content().read()).decode()))
`;

const ASYNC_PYTHON = `
import asyncio, base64, json, sys
import darkroom
async def main():
    order = json.load(sys.stdin)
    async with darkroom.AsyncDarkroom(retries=order.pop("retries")) as client:
        fox = await client.images.generate(**order)
        print(json.dumps(base64.b64encode(await fox.content().read()).decode()))
asyncio.run(main())
`;

// They wait for most of their time.
describe('killed services', { concurrency: 3 }, () => {
  test('openai for Node: a service that is killed while the client waits makes one order and one charge', (t) =>
    survivesAKill(t, through(openaiForNode)));
  test('openai for Python: a service that is killed while the client waits makes one order and one charge', (t) =>
    survivesAKill(t, through(openaiForPython)));
  test('@darkroom/client: a service that is killed while the client waits makes one order and one charge', (t) =>
    survivesAKill(t, throughClient));
  test('AI SDK: a service that is killed while the client waits makes one order and one charge', (t) =>
    survivesAKill(t, throughAiSdk));
  test('darkroom for Python: a service that is killed while the client waits makes one order and one charge', (t) =>
    survivesAKill(t, throughPython(PYTHON)));
  test('darkroom for Python, async: a service that is killed while the client waits makes one order and one charge', (t) =>
    survivesAKill(t, throughPython(ASYNC_PYTHON)));
});
