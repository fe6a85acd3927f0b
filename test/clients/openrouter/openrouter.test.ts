import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { startTestService } from '../../helpers/service.ts';
import { createSwiftEngine } from '../../helpers/swift-engine.ts';
import { type Fault, openFaultProxy } from '../fault-proxy.ts';
import { openPython } from '../python.ts';
import { installNpmPackage } from './npm-package.ts';

/** OpenRouter's published clients against the door, through a proxy that loses answers. */

const run = promisify(execFile);
/** Waits are short, so that an image takes several redirects. */
const HOP_MS = 1_000;
const ONE_CHARGE = [['succeeded'], ['charge', 'hold', 'release']];

interface Bench {
  readonly script: (words: string) => Promise<string>;
  readonly books: () => Promise<unknown>;
  readonly fail: (...faults: readonly Fault[]) => void;
}

/** A published client: runs a script in which `client` is set, and returns what it printed. */
type RunClient = (url: string, key: string, words: string) => Promise<string>;

const inPython: RunClient = async (url, key, words) => {
  const python = await openPython(['openrouter==1.3.84']);
  const client = `client = OpenRouter(api_key="${key}", server_url="${url}")`;
  const { stdout } = await run(python.path, ['-c', `from openrouter import OpenRouter\n${client}\n${words}`]);
  return stdout.trim();
};

const inNode: RunClient = async (url, key, words) => {
  const sdk = join(await installNpmPackage('@openrouter/sdk', '1.3.19'), 'esm/index.js');
  const client = `const client = new OpenRouter({ apiKey: '${key}', serverURL: '${url}' });`;
  const program = `import { OpenRouter } from ${JSON.stringify(sdk)};\n${client}\n${words}`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program]);
  return stdout.trim();
};

async function openBench(t: TestContext, client: RunClient): Promise<Bench> {
  const service = await startTestService(t, {
    settings: { openai: { holdMs: HOP_MS } },
    service: { engines: [createSwiftEngine()] },
  });
  const proxy = await openFaultProxy(t, service.url);
  const { key } = await service.issueKey({ mode: 'test' });
  return {
    script: (words) => client(`${proxy.url}/openrouter/api/v1`, key, words),
    async books() {
      const tasks = (await service.call(key, 'GET', '/v1/images?limit=100')).data.items;
      const entries = (await service.call(key, 'GET', '/v1/account/ledger?limit=100')).data.items;
      return [tasks.map(({ status }) => status), entries.map(({ kind }) => kind).sort()];
    },
    fail: (...faults) => proxy.fail(/^POST /, ...faults),
  };
}

describe('OpenRouter for Python', { concurrency: 2 }, () => {
  test('OpenRouter for Python: a picture is made and edited in a conversation', async (t) => {
    const { script, books } = await openBench(t, inPython);
    const printed = await script(`
fox = {"role": "user", "content": "a fox"}
made = client.chat.send(model="sketch", messages=[fox], modalities=["image", "text"]).choices[0].message
shown = made.model_dump(by_alias=True, exclude_none=True)
edited = client.chat.send(model="sketch", messages=[fox, shown, {"role": "user", "content": "at night"}])
print(len(edited.choices[0].message.images), edited.usage.cost > 0)`);
    assert.equal(printed, '1 True');
    assert.deepEqual(await books(), [
      ['succeeded', 'succeeded'],
      ['charge', 'charge', 'hold', 'hold', 'release', 'release'],
    ]);
  });

  test('OpenRouter for Python: models are listed, and a film is ordered and polled', async (t) => {
    const { script } = await openBench(t, inPython);
    const printed = await script(`
films = client.video_generation
job = films.generate(model="sketch-motion", prompt="a boat", duration=2, resolution="360p")
models = client.models.list()
print(films.get_generation(job_id=job.id).id == job.id, len(models.result.data if hasattr(models, "result") else models.data) > 10,
  len(client.images.list_models().data) > 5, len(films.list_videos_models().data) > 5)`);
    assert.equal(printed, 'True True True True');
  });

  test('OpenRouter for Python: a refusal has its sentence', async (t) => {
    const { script } = await openBench(t, inPython);
    const printed = await script(`
try:
    client.chat.send(model="gpt-5.4", messages=[{"role": "user", "content": "a fox"}])
except Exception as error:
    print(type(error).__name__, error)`);
    assert.match(printed, /^NotFoundResponseError There is no model "gpt-5\.4" here\./);
  });

  for (const fault of ['502 before', '502 after'] as const)
    test(`OpenRouter for Python: with an Idempotency-Key a ${fault} the order is one order and one charge`, async (t) => {
      const { script, books, fail } = await openBench(t, inPython);
      fail(fault);
      const order = 'model="sketch", prompt="a fox", resolution="512", http_headers={"Idempotency-Key": "one"}';
      assert.equal(await script(`print(len(client.images.generate(${order}).data))`), '1');
      assert.deepEqual(await books(), ONE_CHARGE);
    });
});

describe('OpenRouter for Node', { concurrency: 2 }, () => {
  test('OpenRouter for Node: a picture is made, shown and edited', async (t) => {
    const { script } = await openBench(t, inNode);
    const printed = await script(`
const fox = { role: 'user', content: 'a fox' };
const send = (...messages) => client.chat.send({ chatRequest: { model: 'sketch', messages } });
const made = await send(fox);
const edited = await send(fox, made.choices[0].message, { role: 'user', content: 'at night' });
const body = { model: 'sketch', prompt: 'a fox', aspectRatio: '16:9' };
const image = await client.images.generate({ imageGenerationRequest: body });
console.log(edited.choices[0].message.images.length, image.data.length, image.usage.cost > 0);`);
    assert.equal(printed, '1 1 true');
  });

  test('OpenRouter for Node: a refusal has its sentence', async (t) => {
    const { script } = await openBench(t, inNode);
    const printed = await script(`
const body = { model: 'no-such-model', prompt: 'a fox' };
await client.images.generate({ imageGenerationRequest: body }).catch((error) => console.log(error.message));`);
    assert.match(printed, /^There is no model 'no-such-model'/);
  });

  for (const fault of ['cut before', 'lose answer', '502 after'] as const)
    test(`OpenRouter for Node: with an Idempotency-Key, '${fault}' is one order and one charge`, async (t) => {
      const { script, books, fail } = await openBench(t, inNode);
      fail(fault);
      const printed = await script(`
const body = { model: 'sketch', prompt: 'a fox' };
const headers = { 'Idempotency-Key': 'one' };
console.log((await client.images.generate({ imageGenerationRequest: body }, { headers })).data.length);`);
      assert.equal(printed, '1');
      assert.deepEqual(await books(), ONE_CHARGE);
    });
});
