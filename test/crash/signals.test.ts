import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { usualTime } from '../helpers/usual-time.ts';
import { assertBooks, assertFiles, assertReconciliation, readTasks } from './books.ts';
import { type ChildService, openPremises, type Premises } from './child-service.ts';
import { readSubmissions } from './paid-engine.ts';

const IMAGES = '/v1/images';

async function order(
  child: ChildService,
  key: string,
  path: '/v1/images' | '/v1/videos',
  body: object,
): Promise<string> {
  const answer = await child.call(key, 'POST', path, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.data.task_id;
}

async function untilStep(premises: Premises, taskId: string, step: string): Promise<void> {
  await until(
    () => readTasks(premises.database),
    (tasks) => tasks.find((task) => task.id === taskId)?.step === step,
  );
}

const millisecondsToEnd = (child: ChildService) => usualTime(() => child.ended);

test('SIGTERM ends the service within ten seconds, whatever clients and painters are about, and all goes on after the next start', async (t) => {
  const premises = await openPremises(t);
  const { keys } = premises;
  const first = await premises.start();

  // A client that reads nothing of its download.
  const large = { model_id: 'sketch', prompt: 'noise', size: '2048x2048' };
  const made = await first.call(keys.live, 'POST', IMAGES, large, { prefer: 'wait=60' });
  assert.equal(made.body.data.status, 'succeeded');
  const address = new URL(first.url);
  const stalled = connect(Number(address.port), address.hostname);
  t.after(() => stalled.destroy());
  stalled.on('error', () => {});
  await once(stalled, 'connect');
  stalled.pause();
  stalled.write(
    `GET ${IMAGES}/${made.body.data.task_id}/content HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${keys.live}\r\n\r\n`,
  );
  // One that never sends its body to the end, and a host of a reference that never answers.
  const half = connect(Number(address.port), address.hostname);
  t.after(() => half.destroy());
  half.on('error', () => {});
  half.write(
    `POST ${IMAGES} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${keys.live}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
  );
  const film = { model_id: 'sketch-motion', prompt: 'a fox', resolution: '720p', duration: 8 };
  const painted = await order(first, keys.live, '/v1/videos', film);
  const readFilm = (headers: Record<string, string>) =>
    first.call(keys.live, 'GET', `/v1/videos/${painted}`, undefined, headers);
  const waitingCall = readFilm({ prefer: 'wait=60' });
  const waiting = await order(first, keys.test, IMAGES, { ...large, simulate: { seconds: 5 } });
  // With progress the painter is at the frames of the film.
  await until(
    () => readTasks(premises.database),
    (tasks) => tasks.some((task) => task.id === painted && task.progress > 0),
  );
  // The service has read the call that waits, as it has answered two later ones.
  await readFilm({});

  first.process.kill('SIGTERM');
  const took = await millisecondsToEnd(first);
  assert.ok(took < 10_000, `it took ${Math.round(took)} ms`);
  assert.deepEqual(await first.ended, { code: 0, signal: null });
  const held = await waitingCall;
  assert.equal(held.status, 200);
  assert.equal(held.body.data.status, 'processing');
  await assertBooks(premises);

  // No lease is left to wait for: what was let go is claimed at once.
  const second = await premises.start();
  const [canceled] = await Promise.all([
    second.call(keys.live, 'POST', `/v1/videos/${painted}/cancel`),
    second.call(keys.test, 'GET', `${IMAGES}/${waiting}`, undefined, { prefer: 'wait=60' }).then((answer) => {
      assert.equal(answer.body.data.status, 'succeeded');
    }),
  ]);
  assert.equal(canceled.status, 200);
  const film2 = await second.call(keys.live, 'GET', `/v1/videos/${painted}`, undefined, { prefer: 'wait=60' });
  assert.equal(film2.body.data.status, 'canceled');
  second.process.kill('SIGTERM');
  await second.ended;
  await assertBooks(premises);
  await assertFiles(t, premises);
});

test('a painting interrupted by SIGTERM is finished after the next start', async (t) => {
  const premises = await openPremises(t);
  const first = await premises.start();
  const film = { model_id: 'sketch-motion', prompt: 'a fox', resolution: '360p', duration: 3 };
  const taskId = await order(first, premises.keys.live, '/v1/videos', film);
  await untilStep(premises, taskId, 'running');
  first.process.kill('SIGTERM');
  await first.ended;
  assert.equal((await readTasks(premises.database))[0]?.step, 'running');
  const second = await premises.start();
  const answer = await until(
    () => second.call(premises.keys.live, 'GET', `/v1/videos/${taskId}`, undefined, { prefer: 'wait=60' }),
    ({ body }) => body.data.completed_at !== null,
  );
  assert.deepEqual([answer.body.data.status, answer.body.data.outputs.length], ['succeeded', 1]);
  await assertBooks(premises);
});

test('a stop waits for no reference: it is fetched again after the next start', async (t) => {
  let asked = 0;
  const untilAsked = (times: number) =>
    until(
      () => asked,
      (found) => found >= times,
    );
  const host = createServer(() => {
    asked++;
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  t.after(() => {
    host.closeAllConnections();
    host.close();
  });
  const premises = await openPremises(t);
  const variables = { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' };
  const first = await premises.start({ variables });
  const source = `http://127.0.0.1:${(host.address() as AddressInfo).port}/a.png`;
  const body = { model_id: 'sketch', prompt: 'a fox', size: '64x64', image_urls: [source] };
  const taskId = await order(first, premises.keys.live, IMAGES, body);
  await untilAsked(1);
  first.process.kill('SIGTERM');
  const took = await millisecondsToEnd(first);
  assert.ok(took < 10_000, `it took ${Math.round(took)} ms`);
  const row = (await readTasks(premises.database))[0];
  assert.deepEqual([row?.id, row?.step, row?.worker], [taskId, 'waiting', null]);
  await premises.start({ variables });
  await untilAsked(2);
});

test('a call that cannot be resumed is waited for, as long as DARKROOM_DRAIN_SECONDS allows', async (t) => {
  const premises = await openPremises(t, [{ name: 'paid-blocking', blocking: true, startMs: 3_000 }]);
  const body = { model_id: 'paid-blocking', prompt: 'a fox' };
  const patient = await premises.start({ variables: { DARKROOM_DRAIN_SECONDS: '60' } });
  const kept = await order(patient, premises.keys.live, IMAGES, body);
  await untilStep(premises, kept, 'submitting');
  patient.process.kill('SIGTERM');
  const [whenTold] = await readTasks(premises.database);
  assert.equal(whenTold?.step, 'submitting', 'the call is under way');
  await patient.ended;
  assert.equal((await readTasks(premises.database))[0]?.status, 'succeeded');

  const hasty = await premises.start({ variables: { DARKROOM_DRAIN_SECONDS: '0.2' } });
  const lost = await order(hasty, premises.keys.live, IMAGES, body);
  await untilStep(premises, lost, 'submitting');
  hasty.process.kill('SIGTERM');
  const took = await millisecondsToEnd(hasty);
  assert.ok(took < 10_000, `it took ${Math.round(took)} ms`);
  premises.aheadMs += 16_000;
  const last = await premises.start();
  const answer = await last.call(premises.keys.live, 'GET', `${IMAGES}/${lost}`, undefined, { prefer: 'wait=60' });
  const { status, error, cost } = answer.body.data;
  assert.deepEqual([status, error?.code, cost.state], ['failed', 'outcome_unknown', 'released']);
  assert.equal(readSubmissions(premises.books).length, 2);
  await assertBooks(premises);
  await assertReconciliation(premises);
});

test('a second SIGTERM ends at once, and what was under way is not submitted again', async (t) => {
  const premises = await openPremises(t, [{ name: 'paid-blocking', blocking: true, startMs: 30_000 }]);
  const child = await premises.start();
  const body = { model_id: 'paid-blocking', prompt: 'a fox' };
  const taskId = await order(child, premises.keys.live, IMAGES, body);
  await untilStep(premises, taskId, 'submitting');
  child.process.kill('SIGTERM');
  // It has heard the first: two at once would be one.
  await until(
    () =>
      child.call(null, 'GET', '/readyz').then(
        ({ status }) => status !== 200,
        () => true,
      ),
    (isStopping) => isStopping,
  );
  assert.equal(child.hasEnded(), false);
  child.process.kill('SIGTERM');
  const took = await millisecondsToEnd(child);
  assert.ok(took < 10_000, `it took ${Math.round(took)} ms`);
  assert.deepEqual(await child.ended, { code: 1, signal: null });
  premises.aheadMs += 16_000;
  const next = await premises.start();
  const answer = await next.call(premises.keys.live, 'GET', `${IMAGES}/${taskId}`, undefined, { prefer: 'wait=60' });
  assert.equal(answer.body.data.error?.code, 'outcome_unknown');
  assert.equal(readSubmissions(premises.books).length, 1);
  await assertReconciliation(premises);
});
