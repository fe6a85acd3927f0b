import assert from 'node:assert/strict';
import { test } from 'node:test';
import RunwayML, { APIError, TaskFailedError } from '@runwayml/sdk';
import { assertRefusals } from './client-refusals.ts';
import { openFakeRunway } from './runway.ts';
import { smallPicture } from './small-picture.ts';

test("Runway's own client talks to the fake: both calls, states, result, failures, cancel and refusals", async (t) => {
  const fake = await openFakeRunway();
  t.after(() => fake.stop());
  const clientWith = (apiKey: string) =>
    new RunwayML({ baseURL: new URL(fake.url).origin, apiKey, runwayVersion: '2024-11-06', maxRetries: 0 });
  const client = clientWith(fake.key);
  const order = async (words: string, by = client) =>
    await by.textToVideo.create({ model: 'gen4.5', promptText: `a fox ${words}`, ratio: '1280:720', duration: 5 });

  const { id } = await order('[[queue=1 run=1]]');
  const states = [await client.tasks.retrieve(id), await client.tasks.retrieve(id), await client.tasks.retrieve(id)];
  assert.deepEqual(
    states.map(({ status }) => status),
    ['PENDING', 'RUNNING', 'SUCCEEDED'],
  );
  const done = states[2];
  assert.ok(done?.status === 'SUCCEEDED');
  const [url = ''] = done.output;
  assert.ok(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(await smallPicture));
  assert.deepEqual(done.cost, { credits: 25 });

  const promptImage = `data:image/png;base64,${(await smallPicture).toString('base64')}`;
  const moving = await client.imageToVideo.create({ model: 'gen4_turbo', promptImage, ratio: '960:960', duration: 2 });
  assert.equal((await client.tasks.retrieve(moving.id)).status, 'SUCCEEDED');

  const failed = await client.tasks.retrieve((await order('[[end=content]]')).id);
  assert.ok(failed.status === 'FAILED' && failed.failureCode?.startsWith('SAFETY.') === true);
  assert.match(new TaskFailedError(failed).message, /safety check/);

  const unwanted = await order('[[run=9]]');
  await client.tasks.delete(unwanted.id);
  assert.equal((await client.tasks.retrieve(unwanted.id)).status, 'CANCELLED');
  assert.equal((await client.organization.retrieve()).creditBalance, 100);

  assert.equal(fake.jobs.size, 4);
  const told = (error: unknown) => (error instanceof APIError ? error.status : null);
  await assertRefusals(told, {
    'a wrong key': [() => order('', clientWith('wrong')), 401],
    'a busy upstream': [() => order('[[submit=busy]]'), 429],
    'an empty account': [() => order('[[submit=billing]]'), 400],
    'a broken upstream': [() => order('[[submit=internal]]'), 500],
    'an order that is not there': [() => client.tasks.retrieve('nobody'), 404],
    'too long a film': [
      () => client.textToVideo.create({ model: 'gen4.5', promptText: 'a fox', ratio: '1280:720', duration: 11 }),
      400,
    ],
  });
});
