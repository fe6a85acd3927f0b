import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APIError, AzureOpenAI, toFile } from 'openai';
import { AZURE_DEPLOYMENTS, openFakeAzureOpenAi } from './azure-openai.ts';
import { smallPicture } from './small-picture.ts';

const MODEL = 'gpt-image-2';

test("OpenAI's own client for Azure talks to the fake: orders, pictures, refusals and a wrong key", async (t) => {
  const fake = await openFakeAzureOpenAi();
  t.after(() => fake.stop());
  const clientWith = (key: string) =>
    new AzureOpenAI({ endpoint: fake.url, apiKey: key, apiVersion: '2025-04-01-preview', maxRetries: 0 });
  const client = clientWith(fake.key);
  const deployment = AZURE_DEPLOYMENTS[MODEL] ?? '';
  const made = await client.images.generate({ model: deployment, prompt: 'a fox', size: '1024x1024' });
  assert.ok(Buffer.from(made.data?.[0]?.b64_json ?? '', 'base64').equals(await smallPicture));
  const image = await toFile(await smallPicture, 'fox.png', { type: 'image/png' });
  const edited = await client.images.edit({ model: deployment, prompt: 'a fox', image: [image] });
  assert.equal(edited.data?.length, 1);
  assert.equal(fake.jobs.size, 2);

  const refusal = async (from: AzureOpenAI, model: string, prompt: string) =>
    await from.images.generate({ model, prompt }).then(
      () => assert.fail('no refusal'),
      (error) => (error instanceof APIError ? [error.status, error.code] : Promise.reject(error)),
    );
  assert.deepEqual(await refusal(client, MODEL, 'a fox'), [404, 'DeploymentNotFound']);
  assert.deepEqual(await refusal(client, deployment, 'a fox [[submit=content]]'), [400, 'contentFilter']);
  assert.deepEqual(await refusal(client, deployment, 'a fox [[submit=busy]]'), [429, 'RateLimitReached']);
  assert.deepEqual(await refusal(clientWith('wrong'), deployment, 'a fox'), [401, '401']);
  assert.equal(fake.jobs.size, 2);
});
