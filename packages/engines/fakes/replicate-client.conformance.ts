import assert from 'node:assert/strict';
import { test } from 'node:test';
import Replicate, { validateWebhook } from 'replicate';
import { assertRefusals } from './client-refusals.ts';
import { openFakeServer } from './fake-server.ts';
import { openFakeReplicate } from './replicate.ts';
import { smallPicture } from './small-picture.ts';

const MODEL = 'foxes/fox-2';

test("Replicate's own client talks to the fake: run, states, result, upload, cancel, failure and refusals", async (t) => {
  const prompt = { type: 'string', required: true } as const;
  const fake = await openFakeReplicate({ [MODEL]: { prompt, image: { type: 'url' } } });
  t.after(() => fake.stop());
  const clientWith = (auth: string) => new Replicate({ auth, baseUrl: fake.url, useFileOutput: false });
  const client = clientWith(fake.key);
  const create = (words: string, by = client, model = MODEL) =>
    by.predictions.create({ model, input: { prompt: `a fox ${words}` } });

  const seen: string[] = [];
  const image = new Blob([new Uint8Array(await smallPicture)], { type: 'image/png' });
  const wait = { mode: 'poll', interval: 1 } as const;
  const input = { prompt: 'a fox [[queue=1 run=1 file=png]]', image };
  const made = await client.run(MODEL, { input, wait }, ({ status }) => seen.push(status));
  assert.deepEqual(seen, ['starting', 'starting', 'processing', 'succeeded']);
  const [url = ''] = made as unknown as string[];
  assert.ok(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(await smallPicture));
  assert.ok([...fake.uploads.values()][0]?.equals(await smallPicture));
  // With a version in place of a name, as the engine orders some models.
  const version = `${MODEL}:${'0'.repeat(64)}`;
  assert.equal((await client.predictions.create({ version, input: { prompt: 'a fox' } })).status, 'starting');

  await assert.rejects(client.run(MODEL, { input: { prompt: 'a fox [[end=nsfw]]' }, wait }), /Prediction failed: NSFW/);
  const unwanted = await create('[[run=9]]');
  await client.predictions.cancel(unwanted.id);
  assert.equal((await client.predictions.get(unwanted.id)).status, 'canceled');
  assert.equal((await client.accounts.current()).username, 'foxes');

  // A webhook, whose signature the client verifies.
  const called = Promise.withResolvers<Request>();
  const receiver = await openFakeServer(({ bytes, headers, reply }) => {
    const body = new Uint8Array(bytes);
    called.resolve(
      new Request('http://receiver', { method: 'POST', headers: headers as Record<string, string>, body }),
    );
    reply(200, {});
  });
  t.after(() => receiver.stop());
  const hook = { webhook: receiver.url, webhook_events_filter: ['completed' as const] };
  await client.predictions.create({ model: MODEL, input: { prompt: 'a fox' }, ...hook });
  const { key: secret } = await client.webhooks.default.secret.get();
  assert.equal(await validateWebhook(await called.promise, secret), true);

  // The client retries after 429, and after no other refusal.
  await create('[[job=busy submit=busyfor]]');
  assert.deepEqual([fake.counts('busy').attempts, fake.counts('busy').accepted], [2, 1]);
  const statusOf = (error: unknown) => {
    const { response } = error as { readonly response?: Response };
    return response?.status ?? null;
  };
  await assertRefusals(statusOf, {
    'a wrong token': [() => create('', clientWith('wrong')), 401],
    'an empty account': [() => create('[[submit=billing]]'), 402],
    'another model': [() => create('', client, 'foxes/nobody'), 404],
    'a bad order': [() => create('[[submit=invalid]]'), 422],
    'a broken upstream': [() => create('[[job=html submit=html503]]'), 503],
    'an order that is not there': [() => client.predictions.get('nobody'), 404],
  });
  assert.equal(fake.counts('html').attempts, 1);
});
