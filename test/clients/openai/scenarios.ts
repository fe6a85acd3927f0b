import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import type { Fault } from '../fault-proxy.ts';
import type { FileArgument, Outcome, PublishedClient } from './clients.ts';
import { assertNoOrder, assertOneCharge, FILM, IMAGE, openMount, readBooks } from './mount.ts';

/** Each drives a published client against a running service, through the fault proxy. */

type Scenario = (t: TestContext, client: PublishedClient) => Promise<void>;

const ORDER = /^POST /;
const RESULT = /^GET .*\/results\//;

export const generates: Scenario = async (t, client) => {
  const mount = await openMount(t, client);
  const { data, size } = resultOf(await mount.call(['images.generate', IMAGE]));
  assert.deepEqual([data.length, size], [1, '256x256']);
  await assertPicture(data[0].b64_json, 256);
  await assertOneCharge(mount);
};

export const edits: Scenario = async (t, client) => {
  const mount = await openMount(t, client);
  const { data } = resultOf(await mount.call(['images.edit', { ...IMAGE, image: await picture() }]));
  await assertPicture(data[0].b64_json, 256);
  const { tasks } = await readBooks(mount);
  assert.match(tasks[0]!.input.image_urls[0], /^upload:/);
  await assertOneCharge(mount);
};

export const streams: Scenario = async (t, client) => {
  const mount = await openMount(t, client);
  const events = resultOf(await mount.call(['images.generate', { ...IMAGE, stream: true }]));
  assert.deepEqual(
    events.map(({ type }: { type: string }) => type),
    ['image_generation.completed'],
  );
  await assertPicture(events[0].b64_json, 256);
  await assertOneCharge(mount);
};

export const films: Scenario = async (t, client) => {
  const mount = await openMount(t, client, 'films');
  const ordered = resultOf(await mount.call(['videos.create', FILM]));
  assert.deepEqual([ordered.object, ordered.seconds, ordered.size], ['video', '1', '640x360']);
  const film = await until(
    async () => resultOf(await mount.call(['videos.retrieve', ordered.id])),
    ({ status }) => status === 'completed' || status === 'failed',
    500,
  );
  assert.deepEqual([film.status, film.progress, film.error], ['completed', 100, null]);
  const { bytes } = resultOf(await mount.call(['videos.downloadContent', ordered.id]));
  assert.equal(Buffer.from(bytes, 'base64').subarray(4, 8).toString(), 'ftyp');
  const still = resultOf(await mount.call(['videos.downloadContent', ordered.id, { variant: 'thumbnail' }]));
  assert.equal((await sharp(Buffer.from(still.bytes, 'base64')).metadata()).format, 'webp');
  await assertOneCharge(mount);
};

export const lists: Scenario = async (t, client) => {
  const mount = await openMount(t, client, 'films');
  const models = resultOf(await mount.call(['models.list']));
  const ids = models.map(({ id }: { id: string }) => id);
  assert.ok(ids.indexOf('sketch') >= 0 && ids.indexOf('sketch') < ids.indexOf('sketch-motion'), 'pictures first');
  assert.ok(ids.includes('gpt-image-1'), 'names that stand for a model');
  const made: string[] = [];
  for (let count = 0; count < 3; count++) made.push(resultOf(await mount.call(['videos.create', FILM])).id);
  const listed = resultOf(await mount.call(['videos.list', { limit: 2, order: 'asc' }]));
  assert.deepEqual(
    listed.map(({ id }: { id: string }) => id),
    made,
    'all pages, oldest first',
  );
};

export const deletes: Scenario = async (t, client) => {
  const mount = await openMount(t, client, 'films');
  mount.proxy.fail(/^DELETE /, 'lose answer');
  const body = withOwn(client, FILM, { simulate: { seconds: 3600 } });
  const { id } = resultOf(await mount.call(['videos.create', body]));
  assert.deepEqual(resultOf(await mount.call(['videos.delete', id])), { id, object: 'video.deleted', deleted: true });
  const gone = await mount.call(['videos.retrieve', id]);
  assert.deepEqual([gone.error?.status, gone.error?.code], [404, 'task_not_found']);
  assert.deepEqual((await readBooks(mount)).kinds, ['hold', 'release'], 'nothing is charged');
};

export const refusals: Scenario = async (t, client) => {
  const mount = await openMount(t, client);
  const unknown = await mount.call(['images.generate', { ...IMAGE, model: 'no-such-model' }]);
  assert.deepEqual([unknown.error?.status, unknown.error?.code], [404, 'model_not_found']);
  assert.match(unknown.error?.message ?? '', /no-such-model/);
  const empty = await mount.call(['images.generate', { ...IMAGE, prompt: '' }]);
  assert.equal(empty.error?.status, 400);
  const stranger = await client.call(mount.proxy.url, 'dk_test_wrong', ['images.generate', IMAGE]);
  assert.equal(stranger.error?.status, 401);
  assert.equal(mount.proxy.seen.length, 3, 'a final refusal is not sent again');
  await assertNoOrder(mount);
};

export const failures: Scenario = async (t, client) => {
  const mount = await openMount(t, client);
  for (const [outcome, status] of [
    ['content_policy', 400],
    ['upstream_error', 422],
  ] as const) {
    const { error } = await mount.call(['images.generate', withOwn(client, { ...IMAGE }, { simulate: { outcome } })]);
    assert.deepEqual([error?.status, error?.code], [status, outcome]);
  }
  assert.equal(mount.proxy.sent(ORDER).length, 2, 'a failed order is not sent again');
  assert.deepEqual((await readBooks(mount)).kinds, ['hold', 'hold', 'release', 'release'], 'nothing is charged');
};

/** An image that the service makes within one wait, with faults on the way of its order. */
export function generatesDespite(faults: readonly Fault[]): Scenario {
  return async (t, client) => {
    const mount = await openMount(t, client);
    mount.proxy.fail(ORDER, ...faults);
    const { data } = resultOf(await mount.call(['images.generate', IMAGE]));
    await assertPicture(data[0].b64_json, 256);
    assert.equal(mount.proxy.sent(ORDER).length, faults.length + 1);
    await assertOneCharge(mount);
  };
}

/** The answer breaks off as often as the client asks; what was made can still be collected. */
export const breaksOff: Scenario = async (t, client) => {
  const mount = await openMount(t, client);
  mount.proxy.decide = () => 'cut answer';
  const { error } = await mount.call(['images.generate', IMAGE]);
  assert.notEqual(error, undefined);
  await assertOneCharge(mount);
  const { tasks } = await readBooks(mount);
  const file = await fetch(tasks[0]!.outputs[0].url);
  await assertPicture(Buffer.from(await file.arrayBuffer()).toString('base64'), 256);
};

/** Returns the scenario of a video, whose order is answered at once, despite faults of the proxy. */
export function filmsDespite(faults: readonly Fault[]): Scenario {
  return async (t, client) => {
    const mount = await openMount(t, client, 'films');
    mount.proxy.fail(ORDER, ...faults);
    const { id } = resultOf(await mount.call(['videos.create', FILM]));
    const { tasks, kinds } = await readBooks(mount);
    assert.deepEqual([tasks.map((task) => task.task_id), kinds.filter((kind) => kind === 'hold')], [[id], ['hold']]);
  };
}

/** An image that takes several waits, with faults on the way of one of them. */
export function waitsDespite(faults: readonly Fault[]): Scenario {
  return async (t, client) => {
    const mount = await openMount(t, client);
    mount.proxy.fail(RESULT, 'pass', ...faults);
    const slow = withOwn(client, { ...IMAGE }, { simulate: { seconds: 4 } });
    const { data } = resultOf(await mount.call(['images.generate', slow]));
    await assertPicture(data[0].b64_json, 256);
    const waits = mount.proxy.sent(RESULT).length;
    assert.ok(
      waits >= (faults.length === 0 ? 3 : 1 + faults.length),
      `the client followed from wait to wait: ${waits}`,
    );
    assert.equal(mount.proxy.sent(ORDER).length, 1 + faults.length, 'the order is sent again only after a fault');
    await assertOneCharge(mount);
  };
}

/** Fields of the service's own; the Python client takes them only apart. */
function withOwn(client: PublishedClient, body: object, own: object): object {
  return client.name.endsWith('Python') ? { ...body, extra_body: own } : { ...body, ...own };
}

function resultOf({ value, error }: Outcome) {
  assert.equal(error, undefined);
  return value;
}

async function picture(): Promise<FileArgument> {
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();
  return { $file: { name: 'fox.png', type: 'image/png', base64: bytes.toString('base64') } };
}

async function assertPicture(base64: string, width: number): Promise<void> {
  const found = await sharp(Buffer.from(base64, 'base64')).metadata();
  assert.deepEqual([found.format, found.width], ['png', width]);
}
