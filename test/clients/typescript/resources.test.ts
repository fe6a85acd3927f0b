import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ApiError, Darkroom, WebhookError } from '@darkroom/client';
import { until } from '@darkroom-service/testing';
import { multiplyTask } from '../../helpers/multiply-task.ts';
import { startTestService } from '../../helpers/service.ts';
import { startReceiver } from '../../helpers/webhook-receiver.ts';
import { wholeFile } from '../../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8' } });
const ORDER = { model_id: 'sketch', prompt: 'two red boats', resolution: '0.5K' } as const;

async function newClient(): Promise<Darkroom> {
  const { key } = await service.issueKey({ mode: 'test' });
  return new Darkroom({ baseUrl: `${service.url}/`, apiKey: key });
}

test('a video is quoted, ordered within the quote, and saved', async () => {
  const client = await newClient();
  const film = { model_id: 'sketch-motion', prompt: 'a sailing boat', duration: 1, resolution: '480p' } as const;
  const quote = await client.prices(film);
  const boat = await client.videos.generate({ ...film, max_price: quote.amount });
  assert.equal(boat.task.cost.amount, quote.amount);
  assert.equal(boat.output.content_type, 'video/mp4');
  assert.equal((await client.videos.content(boat.taskId).blob()).size, boat.output.bytes);
});

test('a search goes on through pages without a match', async () => {
  const client = await newClient();
  const { taskId } = await client.images.generate(ORDER);
  const change = (index: number) => (index === 5_090 ? { input_json: '{"prompt":"a needle"}' } : {});
  await multiplyTask(service.database, taskId, { count: 5_100, everyMs: 1, change });
  const prompts = [];
  for await (const { input } of client.images.list({ search: 'Needle' })) prompts.push(input.prompt);
  assert.deepEqual(prompts, ['a needle']);
});

test('a result is shared, its link listed, and revoked', async () => {
  const client = await newClient();
  const { taskId } = await client.images.generate(ORDER);
  const share = await client.shares.create({ task_id: taskId, expires_in: 600, show_prompt: true });
  assert.match(await (await fetch(share.url)).text(), /two red boats/);
  assert.deepEqual(await client.shares.get(share.share_id), share);
  const second = await client.shares.create({ task_id: taskId });
  const listed = [];
  for await (const one of client.shares.list({ task_id: taskId, limit: 1 })) listed.push(one);
  assert.deepEqual(listed, [second, share]);
  assert.equal((await client.shares.delete(share.share_id)).share_id, share.share_id);
  assert.equal((await fetch(share.file_url)).status, 410);
  const other = await client.images.generate(ORDER);
  const both = await client.shares.create({ task_ids: [other.taskId, taskId] });
  assert.deepEqual([both.task_id, both.task_ids], [other.taskId, [other.taskId, taskId]]);
});

test('tasks are tagged, listed by a tag, and the tags are listed page by page', async () => {
  const client = await newClient();
  const { taskId } = await client.images.generate(ORDER);
  const boat = await client.videos.create({ model_id: 'sketch-motion', prompt: 'a boat', duration: 1 });
  assert.deepEqual(await client.tags.set(taskId, ['hero', ' favourite ']), {
    task_id: taskId,
    tags: ['favourite', 'hero'],
  });
  assert.deepEqual((await client.tags.set(boat.taskId, ['hero'])).tags, ['hero']);
  const tagged = [];
  for await (const task of client.images.list({ tag: 'hero', include: 'tags' })) tagged.push([task.task_id, task.tags]);
  assert.deepEqual(tagged, [[taskId, ['favourite', 'hero']]]);
  const tags = [];
  for await (const { tag, tasks } of client.tags.list({ limit: 1 })) tags.push([tag, tasks]);
  assert.deepEqual(tags, [
    ['favourite', 1],
    ['hero', 2],
  ]);
  await client.tags.set(taskId, []);
  assert.deepEqual((await client.tags.get(taskId)).tags, []);
});

test('files are uploaded from a path, a Blob, bytes and a stream, and named in an order', async (t) => {
  const client = await newClient();
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-client-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const bytes = await (await client.images.generate(ORDER)).content().bytes();
  const path = join(directory, 'boats.png');
  await writeFile(path, bytes);
  const files = [];
  for (const source of [
    path,
    new URL(`file://${path}`),
    new Blob([Buffer.from(bytes)]),
    bytes,
    new Blob([Buffer.from(bytes)]).stream(),
  ])
    files.push(await client.files.upload(source as string));
  assert.deepEqual(new Set(files.map(({ bytes: size }) => size)), new Set([bytes.length]));
  const [file] = files;
  const edited = await client.images.generate({ ...ORDER, image_urls: [`upload:${file?.file_id}`] });
  assert.equal(edited.task.status, 'succeeded');
  assert.equal((await client.files.get(file?.file_id ?? '')).content_type, 'image/png');
  assert.equal((await client.files.delete(file?.file_id ?? '')).file_id, file?.file_id);
});

test('an action is ordered on a grid', async () => {
  const client = await newClient();
  const grid = await client.images.generate({ model_id: 'sketch-grid', prompt: 'a castle' });
  const offer = grid.task.available_actions.find(({ action }) => action === 'upscale');
  const parent_task_id = grid.taskId;
  const quote = await client.prices({ model_id: 'sketch-grid', action: 'upscale', parent_task_id, index: 2 });
  assert.equal(offer?.price, quote.amount);
  const large = await client.images.actions.generate({ parent_task_id, action: 'upscale', index: 2 });
  assert.deepEqual([large.task.action, large.task.parent_task_id], ['upscale', parent_task_id]);
});

test('lists are read to their end, page by page', async () => {
  const client = await newClient();
  const ids = [];
  for (let count = 0; count < 5; count++) ids.unshift((await client.images.create(ORDER)).taskId);
  const found = [];
  for await (const task of client.images.list({ limit: 2 })) found.push(task.task_id);
  assert.deepEqual(found, ids);
  for (const id of ids) await client.images.wait(id);
  const pages = [];
  for await (const { items } of client.images.list({ limit: 3, status: ['succeeded', 'failed'] }).pages())
    pages.push(items.length);
  assert.deepEqual(pages, [3, 2]);
  const kinds = [];
  for await (const { kind } of client.account.ledger({ limit: 4 })) kinds.push(kind);
  assert.deepEqual(
    kinds.sort(),
    ['charge', 'hold', 'release'].flatMap((kind) => Array(5).fill(kind)),
  );
});

test('models, account and usage are read', async () => {
  const client = await newClient();
  assert.ok((await client.models.list({ type: 'video' })).every(({ type }) => type === 'video'));
  assert.equal(typeof (await client.models.get('sketch')).input_schema, 'object');
  assert.ok((await new Darkroom({ baseUrl: service.url, apiKey: null }).models.catalog()).length > 10);
  assert.equal((await client.account.get()).mode, 'test');
  assert.deepEqual((await client.account.usage({ group_by: 'model_id' })).items, []);
});

test('a refused request is found again with its code', async () => {
  const client = await newClient();
  const refusal = await client.images.create({ ...ORDER, max_price: '0.000001' }).catch((error: unknown) => error);
  assert.ok(refusal instanceof ApiError);
  const refused = client.account.requests({ status: 'failed', method: 'POST', limit: 1 });
  // Requests are written about once a second.
  const [found] = await until(
    async () => (await refused.page()).items,
    (items) => items.length > 0,
  );
  assert.ok(found !== undefined);
  assert.deepEqual([found.request_id, found.path, found.code], [refusal.requestId, '/v1/images', 'price_exceeded']);
});

test('a webhook of the service is verified; one that was changed, or is old, is refused', async (t) => {
  const client = await newClient();
  const receiver = await startReceiver(t);
  const fox = await client.images.generate({ ...ORDER, webhook_url: receiver.url });
  await receiver.count(1);
  const [{ body, headers } = assert.fail()] = receiver.received;
  const secret = (await client.webhooks.secrets()).map((one) => one.secret);
  for (const form of [body, new TextEncoder().encode(body)]) {
    const event = await client.webhooks.unwrap(form, headers, { secret });
    assert.deepEqual([event.type, event.data.task_id, event.id], ['task.succeeded', fox.taskId, headers['webhook-id']]);
  }
  const sent = Number(headers['webhook-timestamp']) * 1000;
  const lower = new Headers(headers);
  const wrong: readonly (readonly [string, Headers | typeof headers, object])[] = [
    [body.replace('succeeded', 'failed'), headers, { secret }],
    [body, { ...headers, 'webhook-id': 'whd_other' }, { secret }],
    [body, headers, { secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    [body, headers, { secret, now: sent + 301_000 }],
    [body, headers, { secret, now: sent - 301_000 }],
    [body, {}, { secret }],
    [body, headers, { secret: 'whsec_%' }],
  ];
  for (const [text, given, options] of wrong)
    await assert.rejects(client.webhooks.unwrap(text, given, options as never), WebhookError);
  await client.webhooks.unwrap(body, lower, { secret: secret[0] ?? '', now: sent + 299_000 });
  const [delivery] = (await client.webhooks.deliveries().page()).items;
  assert.equal(delivery?.delivery_id, headers['webhook-id']);
});

test('a test webhook goes to the given or the default URL, and what the receiver answered is returned', async (t) => {
  const { key } = await service.issueKey({ mode: 'test', accountView: true });
  const client = new Darkroom({ baseUrl: service.url, apiKey: key });
  const receiver = await startReceiver(t);
  const tested = await client.webhooks.test(receiver.url);
  assert.deepEqual([tested.delivered, tested.response_status, tested.url], [true, 204, receiver.url]);
  const { headers, body } = receiver.received[0]!;
  const [secret] = await client.webhooks.secrets();
  const event = await client.webhooks.unwrap(body, headers as Record<string, string>, { secret: secret!.secret });
  assert.deepEqual([event.type, event.id], ['webhook.test', tested.webhook_id]);
  await assert.rejects(client.webhooks.test(), { code: 'invalid_request' });
  await client.webhooks.setUrl(receiver.url);
  t.after(() => client.webhooks.setUrl(null));
  assert.equal((await client.webhooks.test()).delivered, true);
  assert.equal(receiver.received.length, 2);
});
