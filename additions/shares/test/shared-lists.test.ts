import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { type DataOf, startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** Share links to several tasks: what they show, what they refuse, and how they shrink and end. */

const clock = new ManualClock();
const service = await startTestService(wholeFile, { service: { clock, engines: [createSwiftEngine({}, clock)] } });
const { call, keys, make, database } = service;
type ShareAnswer = DataOf<'POST', '/v1/shares'>;

const DAY_MS = 86_400_000;
const order = { model_id: 'sketch', prompt: 'a fox & an "owl"', resolution: '0.5K', end_user: 'ann' };
const film = { model_id: 'sketch-motion', prompt: 'a boat', duration: 1, resolution: '480p' };
const makeImage = (key = keys.test) => make(key, '/v1/images', order);
const makeFilm = () => make(keys.test, '/v1/videos', film);
const [fox, boat, owl] = await Promise.all([makeImage(), makeFilm(), makeImage()]);

async function share(taskIds: readonly string[], more: object = {}): Promise<ShareAnswer> {
  const answer = await call(keys.test, 'POST', '/v1/shares', { task_ids: taskIds, ...more });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.data;
}

const read = async (shareId: string) => await call(keys.test, 'GET', `/v1/shares/${shareId}`);
const fileOf = (link: ShareAnswer, name: string | number) => link.file_url.replace('/file?', `/files/${name}?`);

async function statusOf(address: string): Promise<number> {
  const { status, body } = await fetch(address);
  await body?.cancel();
  return status;
}

/** Digests of the files on the page, in the order of the page. */
async function shownFiles(link: ShareAnswer): Promise<string[]> {
  const html = await (await fetch(link.url)).text();
  const sources = [...html.matchAll(/<a href="([^"]+)&amp;download=1"/g)].map(([, source = '']) => source);
  return await Promise.all(
    sources.map(async (source) => await digestAt(new URL(source.replaceAll('&amp;', '&'), link.url))),
  );
}

/** A digest, because the difference of two files takes minutes to tell. */
async function digestAt(address: string | URL): Promise<string> {
  const answer = await fetch(address);
  assert.equal(answer.status, 200, `${address}`);
  return hash('sha256', Buffer.from(await answer.arrayBuffer()));
}

const outputsOf = async (...tasks: (typeof fox)[]) =>
  await Promise.all(tasks.map(async ({ outputs }) => await digestAt(outputs[0]!.url)));

/** The tasks that the database keeps for a link, erased or not. */
async function keptTasks(shareId: string): Promise<string[]> {
  const { read } = database;
  const rows = await read.all(read.builder.selectFrom('shares').selectAll().where('id', '=', shareId));
  return rows.map((row) => row.task_id);
}

test('a link to a list shows exactly its images and videos, in its order, and none of their prompts', async () => {
  const ids = [owl.task_id, boat.task_id, fox.task_id];
  const link = await share(ids, { expires_in: 3_600 });
  assert.deepEqual([link.task_id, link.task_ids, link.type, link.show_prompt], [owl.task_id, ids, 'image', false]);
  assert.deepEqual((await read(link.share_id)).data, link);
  const page = await fetch(link.url);
  const html = await page.text();
  assert.match(html, /<h1>Shared images and videos \(3\)<\/h1>/);
  for (const hidden of [...ids, 'fox', 'boat', 'ann', 'sketch', keys.test, '<script'])
    assert.ok(!html.includes(hidden), hidden);
  const plain = await fetch((await call(keys.test, 'POST', '/v1/shares', { task_id: fox.task_id })).data.url);
  await plain.body?.cancel();
  for (const name of ['cache-control', 'content-security-policy', 'x-robots-tag', 'referrer-policy', 'x-frame-options'])
    assert.equal(page.headers.get(name), plain.headers.get(name), name);
  assert.deepEqual(await shownFiles(link), await outputsOf(owl, boat, fox));
  assert.deepEqual(await digestAt(link.file_url), (await outputsOf(owl))[0]);

  const still = await fetch(`${fileOf(link, 2)}&variant=thumbnail&download=1`);
  assert.deepEqual(
    [still.status, still.headers.get('content-type'), still.headers.get('content-disposition')],
    [200, 'image/webp', 'attachment; filename="shared-video.webp"'],
  );
  await still.body?.cancel();
  const told = await (await fetch((await share(ids, { show_prompt: true })).url)).text();
  assert.equal(told.split('<p class="prompt" dir="auto">a fox &amp; an &quot;owl&quot;</p>').length - 1, 2);
  const films = await (await fetch((await share([boat.task_id, (await makeFilm()).task_id])).url)).text();
  assert.match(films, /<h1>Shared videos \(2\)<\/h1>/);
});

test('nothing outside of the list is reachable with its link', async () => {
  const link = await share([fox.task_id, boat.task_id]);
  const one = (await call(keys.test, 'POST', '/v1/shares', { task_id: owl.task_id })).data;
  for (const [address, status] of [
    [fileOf(link, 2), 200],
    [fileOf(one, 1), 200],
    [fileOf(one, 2), 404],
    ...['0', '3', '-1', '01', '1e0', '201', '99999999999999999999', owl.task_id, fox.task_id].map(
      (name) => [fileOf(link, name), 404] as const,
    ),
    [fileOf(link, 1).replace(link.share_id, one.share_id), 403],
    [fileOf(link, 1).replace(/expires=\d/, 'expires=9'), 403],
    [fileOf(link, 1).split('?')[0]!, 403],
    [`${owl.outputs[0]!.url.split('?')[0]}${new URL(link.url).search}`, 403],
  ] as const)
    assert.equal(await statusOf(address), status, address);
});

test('a list is refused as a whole, with the field and the place of the first task that cannot be shared', async () => {
  const waiting = await call(keys.test, 'POST', '/v1/images', { ...order, simulate: { outcome: 'stuck' } });
  const failed = await make(keys.test, '/v1/images', { ...order, simulate: { outcome: 'content_policy' } });
  const gone = await makeImage();
  assert.equal((await call(keys.test, 'DELETE', gone.urls.self)).status, 200);
  const { key: other } = await service.issueKey({ mode: 'test' });
  const foreign = await makeImage(other);
  const before = (await call(keys.test, 'GET', '/v1/shares')).data.items;
  const many = Array.from({ length: 201 }, (_, place) => `img_${place}`);
  for (const [body, status, code, param] of [
    [{ task_ids: [fox.task_id, foreign.task_id] }, 404, 'task_not_found', 'task_ids[1]'],
    [{ task_ids: [fox.task_id, boat.task_id, 'img_unknown'] }, 404, 'task_not_found', 'task_ids[2]'],
    [{ task_ids: [gone.task_id] }, 404, 'task_not_found', 'task_ids[0]'],
    [{ task_ids: [fox.task_id, waiting.data.task_id] }, 409, 'not_final', 'task_ids[1]'],
    [{ task_ids: [fox.task_id, failed.task_id] }, 404, 'not_found', 'task_ids[1]'],
    [{ task_ids: [fox.task_id, boat.task_id, fox.task_id] }, 400, 'invalid_request', 'task_ids[2]'],
    [{ task_ids: [] }, 400, 'invalid_request', 'task_ids'],
    [{ task_ids: many }, 400, 'invalid_request', 'task_ids'],
    [{ task_ids: many.slice(1) }, 404, 'task_not_found', 'task_ids[0]'],
    [{ task_ids: fox.task_id }, 400, 'invalid_request', 'task_ids'],
    [{ task_id: fox.task_id, task_ids: [fox.task_id] }, 400, 'invalid_request', 'task_id'],
    [{}, 400, 'invalid_request', 'task_id'],
  ] as const) {
    const { status: found, error } = await call(keys.test, 'POST', '/v1/shares', body);
    assert.deepEqual([found, error?.code, error?.param], [status, code, param], JSON.stringify(body).slice(0, 200));
  }
  assert.deepEqual((await call(keys.test, 'GET', '/v1/shares')).data.items, before);
  await call(keys.test, 'POST', waiting.data.urls.cancel);
});

test('an erased task leaves the list, the others keep their addresses, and the link ends with the last', async () => {
  const tasks = await Promise.all([makeImage(), makeImage(), makeImage()]);
  const [first, second, third] = tasks.map(({ task_id }) => task_id);
  const link = await share(tasks.map(({ task_id }) => task_id));
  const remove = async (place: number) =>
    assert.equal((await call(keys.test, 'DELETE', tasks[place]!.urls.self)).status, 200);
  await remove(0);
  const shrunk = { ...link, task_id: second, task_ids: [second, third] };
  assert.deepEqual((await read(link.share_id)).data, shrunk);
  const listed = async (taskId?: string) =>
    (await call(keys.test, 'GET', `/v1/shares?task_id=${taskId}`)).data.items as ShareAnswer[];
  assert.deepEqual([await listed(first), await listed(second), await listed(third)], [[], [shrunk], [shrunk]]);
  assert.deepEqual(await shownFiles(link), await outputsOf(tasks[1]!, tasks[2]!));
  assert.deepEqual([await statusOf(fileOf(link, 1)), await statusOf(fileOf(link, 2))], [404, 200]);
  assert.deepEqual(await keptTasks(link.share_id), [second, third]);

  await Promise.all([remove(1), remove(2)]);
  for (const address of [link.url, link.file_url, fileOf(link, 3)]) assert.equal(await statusOf(address), 410, address);
  assert.equal((await read(link.share_id)).status, 404);
  assert.deepEqual(await keptTasks(link.share_id), []);
});

test('a link to a list ends when it is revoked or expires, and shows no task past its retention', async () => {
  const link = await share([fox.task_id, boat.task_id]);
  assert.equal((await call(keys.live, 'DELETE', `/v1/shares/${link.share_id}`)).status, 404);
  assert.equal((await keptTasks(link.share_id)).length, 2);
  assert.equal((await call(keys.test, 'DELETE', `/v1/shares/${link.share_id}`)).status, 200);
  for (const address of [link.url, link.file_url, fileOf(link, 2)]) assert.equal(await statusOf(address), 410, address);
  assert.deepEqual(await keptTasks(link.share_id), []);

  const short = await share([fox.task_id, boat.task_id], { expires_in: 60 });
  assert.equal(await statusOf(fileOf(short, 2)), 200);
  clock.advance(60_001);
  for (const address of [short.url, fileOf(short, 2)]) assert.equal(await statusOf(address), 410, address);
  const room = await share([fox.task_id, boat.task_id], { expires_in: 60 });
  assert.deepEqual(await keptTasks(short.share_id), [], 'expired links make room');
  assert.equal((await keptTasks(room.share_id)).length, 2);

  clock.advance(DAY_MS);
  const late = await makeImage();
  const long = await share([fox.task_id, late.task_id], { expires_in: 30 * 86_400 });
  assert.equal(long.expires_at, late.expires_at);
  const file = await outputsOf(late);
  clock.advance(Date.parse(fox.expires_at) - clock.now());
  assert.deepEqual((await read(long.share_id)).data, { ...long, task_id: late.task_id, task_ids: [late.task_id] });
  assert.deepEqual(await shownFiles(long), file);
  assert.deepEqual([await statusOf(fileOf(long, 1)), await statusOf(fileOf(long, 2))], [404, 200]);
  const { status, error } = await call(keys.test, 'POST', '/v1/shares', { task_ids: [late.task_id, fox.task_id] });
  assert.deepEqual([status, error?.code, error?.param], [410, 'outputs_expired', 'task_ids[1]']);
  clock.advance(2 * DAY_MS);
  for (const address of [long.url, fileOf(long, 2)]) assert.equal(await statusOf(address), 410, address);
});
