import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI, { APIError, toFile } from 'openai';
import { openFakeArk } from './ark.ts';
import type { FakeUpstream } from './fake-upstream.ts';
import { openFakeOpenAi } from './openai.ts';
import { openFakeRecraft } from './recraft.ts';
import { smallPicture } from './small-picture.ts';
import { openFakeXai } from './xai.ts';

/** OpenAI's own client. xAI, ByteDance and Recraft show it in their documents too, for pictures from text. */

type Answer = readonly [status: number, code: string | null | undefined];

interface Vendor {
  readonly open: () => Promise<FakeUpstream>;
  readonly model: string;
  readonly size?: string;
  /** By the word for the fake; `key` and `model`: one that is wrong. */
  readonly refusals: Readonly<Record<string, Answer>>;
}

const VENDORS: Readonly<Record<string, Vendor>> = {
  OpenAI: {
    open: openFakeOpenAi,
    model: 'gpt-image-2',
    size: '1024x1024',
    refusals: {
      key: [401, 'invalid_api_key'],
      model: [404, 'model_not_found'],
      'submit=busy': [429, 'rate_limit_exceeded'],
      'submit=billing': [429, 'insufficient_quota'],
      'submit=content': [400, 'moderation_blocked'],
    },
  },
  xAI: {
    open: openFakeXai,
    model: 'grok-imagine-image',
    refusals: {
      key: [400, undefined],
      model: [404, undefined],
      'submit=busy': [429, undefined],
      'submit=billing': [403, undefined],
      'submit=content': [400, undefined],
    },
  },
  ByteDance: {
    open: openFakeArk,
    model: 'seedream-4-5-251128',
    size: '2048x2048',
    refusals: {
      key: [401, 'AuthenticationError'],
      model: [404, 'InvalidEndpointOrModel.NotFound'],
      'submit=busy': [429, 'ServerOverloaded'],
      'submit=billing': [403, 'AccountOverdueError'],
      'submit=content': [400, 'InputTextSensitiveContentDetected'],
    },
  },
  Recraft: {
    open: openFakeRecraft,
    model: 'recraftv4_1',
    refusals: {
      key: [401, 'unauthorized'],
      model: [404, 'not_found'],
      'submit=busy': [429, 'rate_limit_exceeded'],
    },
  },
};

for (const [vendor, { open, model, size, refusals }] of Object.entries(VENDORS)) {
  test(`OpenAI's own client talks to the fake of ${vendor}: pictures and refusals`, async (t) => {
    const fake = await open();
    t.after(() => fake.stop());
    const clientWith = (apiKey: string) => new OpenAI({ baseURL: fake.url, apiKey, maxRetries: 0 });
    const generate = (prompt: string, from = clientWith(fake.key), named = model) =>
      from.images.generate({ model: named, prompt, ...(size === undefined ? {} : { size: size as '1024x1024' }) });
    const { data: [made] = [] } = await generate('a fox');
    const bytes =
      made?.b64_json === undefined
        ? Buffer.from(await (await fetch(made?.url ?? '')).arrayBuffer())
        : Buffer.from(made.b64_json, 'base64');
    assert.ok(bytes.equals(await smallPicture));
    for (const [word, expected] of Object.entries(refusals)) {
      const order =
        word === 'key'
          ? generate('a fox', clientWith('wrong'))
          : generate(`a fox [[${word}]]`, clientWith(fake.key), word === 'model' ? 'nobody-1' : model);
      const told = await order.then(
        () => assert.fail(`${word}: no refusal`),
        (error) => (error instanceof APIError ? [error.status, error.code] : Promise.reject(error)),
      );
      assert.deepEqual(told, expected, word);
    }
    assert.equal(fake.jobs.size, 1);
  });
}

test("OpenAI's own client edits a picture and lists the models at the fake of OpenAI", async (t) => {
  const fake = await openFakeOpenAi();
  t.after(() => fake.stop());
  const client = new OpenAI({ baseURL: fake.url, apiKey: fake.key, maxRetries: 0 });
  const image = await toFile(await smallPicture, 'fox.png', { type: 'image/png' });
  const edited = await client.images.edit({ model: 'gpt-image-2', prompt: 'a fox', image: [image], quality: 'low' });
  assert.ok(Buffer.from(edited.data?.[0]?.b64_json ?? '', 'base64').equals(await smallPicture));
  const { data } = await client.models.list();
  assert.ok(data.some(({ id }) => id === 'gpt-image-2'));
});

test("OpenAI's own client talks to the fake of OpenAI: its Batch API with states, list, result, refusal and cancel", async (t) => {
  const fake = await openFakeOpenAi();
  t.after(() => fake.stop());
  const client = new OpenAI({ baseURL: fake.url, apiKey: fake.key, maxRetries: 0 });
  const endpoint = '/v1/images/generations';
  const order = async (words: string, task: string) => {
    const body = { model: 'gpt-image-2', prompt: `a fox [[${words}]]` };
    const line = JSON.stringify({ custom_id: task, method: 'POST', url: endpoint, body });
    const file = await client.files.create({
      file: await toFile(Buffer.from(line), 'orders.jsonl', { type: 'application/jsonl' }),
      purpose: 'batch',
      expires_after: { anchor: 'created_at', seconds: 3600 },
    });
    return await client.batches.create({
      input_file_id: file.id,
      endpoint,
      completion_window: '24h',
      metadata: { task },
      output_expires_after: { anchor: 'created_at', seconds: 3600 },
    });
  };
  const lineOf = async (file: string | undefined) => JSON.parse(await (await client.files.content(file ?? '')).text());

  const { id, input_file_id: input, status } = await order('queue=1 run=1', 'one');
  assert.equal(status, 'validating');
  const states = [await client.batches.retrieve(id), await client.batches.retrieve(id)].map((one) => one.status);
  assert.deepEqual(states, ['validating', 'in_progress']);
  const done = await client.batches.retrieve(id);
  const { custom_id: task, response } = await lineOf(done.output_file_id);
  assert.deepEqual([done.status, task, response.status_code], ['completed', 'one', 200]);
  assert.ok(Buffer.from(response.body.data[0].b64_json, 'base64').equals(await smallPicture));
  assert.equal((await client.files.delete(input)).deleted, true);

  const refused = await client.batches.retrieve((await order('end=content', 'two')).id);
  assert.equal((await lineOf(refused.error_file_id)).response.body.error.code, 'moderation_blocked');
  const { id: third } = await order('run=9', 'three');
  assert.equal((await client.batches.cancel(third)).status, 'cancelling');
  assert.equal((await client.batches.retrieve(third)).status, 'cancelled');
  const listed: unknown[] = [];
  for await (const batch of client.batches.list({ limit: 2 })) listed.push(batch.metadata?.task);
  assert.deepEqual(listed, ['three', 'two', 'one']);
  await assert.rejects(
    client.batches.retrieve('batch_none'),
    (error) => error instanceof APIError && error.status === 404,
  );
});
