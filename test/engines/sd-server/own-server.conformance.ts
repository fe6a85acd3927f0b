import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openFakeSdServer } from '@darkroom-service/engines/fakes';
import { until } from '@darkroom-service/testing';
import { startTestService, type TaskAnswer } from '../../helpers/service.ts';

/** A service whose only engine for live keys is a fake sd-server. */
async function openServed(t: TestContext, modes: string[]) {
  const fake = await openFakeSdServer(modes);
  t.after(() => fake.stop());
  const env = { DARKROOM_SD_SERVER_URL: fake.url, DARKROOM_SD_SERVER_AUTHORIZATION: `Bearer ${fake.key}` };
  const { call, keys } = await startTestService(t, { env });
  const engine = async () => {
    const { data } = await call(keys.admin, 'GET', '/admin/v1/engines');
    return data.items.find(({ name }) => name === 'sd-server')!;
  };
  const order = async (path: '/v1/images' | '/v1/videos', body: object) => await call(keys.live, 'POST', path, body);
  const read = async (task: TaskAnswer) => (await call(keys.live, 'GET', task.urls.self)).data;
  return { fake, engine, order, read };
}

test('a server that makes only pictures offers no films, until it makes them', async (t) => {
  const modes = ['img_gen'];
  const { engine, order, read } = await openServed(t, modes);
  const film = { model_id: 'local-video', prompt: 'a fox', duration: 1 };
  await until(
    async () => (await engine()).route_circuits.map(({ model }) => model),
    (closed) => closed.includes('vid_gen'),
  );
  const refused = await order('/v1/videos', film);
  assert.deepEqual([refused.status, refused.error.code], [503, 'model_unavailable']);
  const { data: picture } = await order('/v1/images', { model_id: 'local-image', prompt: 'a fox' });
  await until(
    () => read(picture),
    ({ status }) => status === 'succeeded',
  );
  modes.push('vid_gen');
  await until(
    () => order('/v1/videos', film),
    ({ status }) => status === 201,
    500,
  );
});

test('an order for a server that is away waits untouched, and is handed over as soon as it answers', async (t) => {
  const { fake, engine, order, read } = await openServed(t, ['img_gen', 'vid_gen']);
  await fake.stop();
  await until(
    async () => (await engine()).circuit.state,
    (state) => state === 'open',
  );
  const { data: task } = await order('/v1/images', { model_id: 'local-image', prompt: 'a fox' });
  await fake.start();
  const back = performance.now();
  const ended = await until(
    async () => {
      const now = await read(task);
      if ((await engine()).circuit.state === 'open') assert.deepEqual([now.status, now.started_at], ['queued', null]);
      return now;
    },
    ({ status }) => status === 'succeeded',
  );
  assert.equal(ended.cost.amount, '0.002');
  assert.ok(performance.now() - back < 12_000, `${performance.now() - back} ms`);
});

test('what a restarted server has forgotten is made again, and charged once', async (t) => {
  const { fake, order, read } = await openServed(t, ['img_gen']);
  const { data: task } = await order('/v1/images', { model_id: 'local-image', prompt: 'a fox [[job=a run=2]]' });
  await until(
    () => fake.counts('a').polls,
    (polls) => polls > 0,
  );
  fake.forget();
  const ended = await until(
    () => read(task),
    ({ status }) => status !== 'queued' && status !== 'processing',
  );
  assert.deepEqual([ended.status, ended.cost.amount, fake.counts('a').accepted], ['succeeded', '0.002', 2]);
});
