import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { type Compilable, sql } from 'kysely';
import { type Answer, type DataOf, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createStoppableEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Tags of customers on their tasks: what they may be, who sees them, which lists they filter, and when they end. */

const clock = new ManualClock();
const service = await startTestService(wholeFile, {
  env: { DARKROOM_RETENTION_DAYS: '2' },
  service: { clock, engines: [createStoppableEngine(clock)] },
});
const { call, make } = service;
const DAY_MS = 86_400_000;
/** It runs until it is canceled. */
const order = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'stuck' } };
const film = { ...order, model_id: 'sketch-motion' };

const newKey = async () => (await service.issueKey({ mode: 'test' })).key;
const told = ({ status, error }: Answer) => [status, error?.code, error?.param];
const ids = (items: readonly TaskAnswer[]) => items.map((task) => task.task_id);

async function place(key: string, path: '/v1/images' | '/v1/videos' = '/v1/images', more: object = {}) {
  const body = { ...(path === '/v1/images' ? order : film), ...more };
  const { status, data } = await call(key, 'POST', path, body);
  assert.equal(status, 201);
  clock.advance(1);
  return data as TaskAnswer;
}

const addressOf = ({ type, task_id: id }: Pick<TaskAnswer, 'type' | 'task_id'>) => `/v1/${type}s/${id}/tags` as const;

async function tag(key: string, task: Pick<TaskAnswer, 'type' | 'task_id'>, ...tags: string[]): Promise<string[]> {
  const answer = await call(key, 'PUT', addressOf(task), { tags });
  assert.deepEqual([answer.status, answer.data?.task_id], [200, task.task_id], JSON.stringify(answer.body));
  return answer.data.tags;
}

async function tagsOf(key: string, query = ''): Promise<DataOf<'GET', '/v1/tags'>> {
  const { status, data } = await call(key, 'GET', `/v1/tags${query}`);
  assert.equal(status, 200);
  return data as DataOf<'GET', '/v1/tags'>;
}

async function found(key: string, query: string, path = '/v1/images'): Promise<string[]> {
  const { status, data } = await call(key, 'GET', `${path}?${query}`);
  assert.equal(status, 200, query);
  return ids((data as DataOf<'GET', '/v1/images'>).items);
}

test('a task has the tags that were set last, trimmed, each once, in alphabetical order', async () => {
  const key = await newKey();
  const task = await place(key);
  assert.deepEqual((await call(key, 'GET', addressOf(task))).data, { task_id: task.task_id, tags: [] });
  const tags = ['hero', ' favourite ', 'hero', '🦊 #1', 'u\u0308ber', 'über', 'Hero', '%_'];
  const sorted = ['%_', 'Hero', 'favourite', 'hero', 'über', '🦊 #1'];
  assert.deepEqual(await tag(key, task, ...tags), sorted);
  assert.deepEqual(await tag(key, task, ...tags), sorted, 'repeated');
  assert.deepEqual((await call(key, 'GET', addressOf(task))).data.tags, sorted);
  assert.deepEqual(await tag(key, task, 'hero', 'spare'), ['hero', 'spare']);
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, writer) =>
      tag(key, task, ...Array.from({ length: 20 }, (_, index) => `${writer}-${index}`)),
    ),
  );
  const { tags: left } = (await call(key, 'GET', addressOf(task))).data;
  assert.ok(
    all.some((set) => JSON.stringify(set) === JSON.stringify(left)),
    'of writes at the same moment one wins as a whole',
  );
  assert.deepEqual(await tag(key, task), []);
  assert.deepEqual((await tagsOf(key)).items, []);
  const { data: retrieved } = await call(key, 'GET', task.urls.self);
  assert.ok(!('tags' in (retrieved as object)), 'a retrieval does not read tags');
});

test('tags that a task cannot have are refused, with the place of each', async () => {
  const key = await newKey();
  const task = await place(key);
  await tag(key, task, 'kept', '🦊'.repeat(40));
  for (const [body, code, param] of [
    [{ tags: [''] }, 'invalid_request', 'tags[0]'],
    [{ tags: ['fox', ' \t '] }, 'invalid_request', 'tags[1]'],
    [{ tags: ['a\nb'] }, 'invalid_request', 'tags[0]'],
    [{ tags: ['a\u0085b'] }, 'invalid_request', 'tags[0]'],
    [{ tags: ['a\u2028b'] }, 'invalid_request', 'tags[0]'],
    [{ tags: ['x'.repeat(41)] }, 'invalid_request', 'tags[0]'],
    [{ tags: Array.from({ length: 21 }, (_, index) => `${index}`) }, 'invalid_request', 'tags'],
    [{ tags: 'hero' }, 'invalid_request', 'tags'],
    [{ tags: [7] }, 'invalid_request', 'tags[0]'],
    [{}, 'invalid_request', 'tags'],
    [{ tags: [], tag: 'x' }, 'unsupported_field', 'tag'],
  ] as const)
    assert.deepEqual(told(await call(key, 'PUT', addressOf(task), body)), [400, code, param], JSON.stringify(body));
  assert.deepEqual((await call(key, 'GET', addressOf(task))).data.tags, ['kept', '🦊'.repeat(40)]);
  for (const query of ['tag=', 'tag=%20', `tag=${'x'.repeat(41)}`, 'include=cost'])
    assert.equal((await call(key, 'GET', `/v1/images?${query}`)).status, 400, query);
});

test('lists are filtered by a tag together with the other filters, and show tags on request', async () => {
  const key = await newKey();
  const [first, second, third] = [
    await place(key, '/v1/images', { end_user: 'ann', prompt: 'a red owl' }),
    await place(key),
    await place(key, '/v1/images', { end_user: 'bob', model_id: 'sketch-grid' }),
  ];
  const boat = await place(key, '/v1/videos');
  for (const task of [first, third, boat]) await tag(key, task, 'hero', 'favourite');
  await tag(key, second, 'favourite');
  const canceled = await call(key, 'POST', first.urls.cancel);
  assert.equal(canceled.status, 200);
  // A running one ends when its engine has stopped it.
  await until(
    () => call(key, 'GET', first.urls.self),
    ({ data }) => data.status === 'canceled',
  );
  for (const [query, expected] of [
    ['tag=hero', [third, first]],
    ['tag=%20favourite', [third, second, first]],
    ['tag=Hero', []],
    ['tag=hero&end_user=ann', [first]],
    ['tag=favourite&model_id=sketch', [second, first]],
    ['tag=hero&status=queued,processing', [third]],
    [`tag=favourite&after=${third.task_id}`, [second, first]],
    [`tag=favourite&created_after=${first.created_at}`, [third, second]],
    [`tag=favourite&created_before=${second.created_at}`, [first]],
    ['tag=favourite&limit=1&offset=1', [second]],
    ['tag=hero&search=OWL', [first]],
    [`tag=hero&search=${second.task_id}`, []],
    [`tag=hero&search=${third.task_id}`, [third]],
  ] as const)
    assert.deepEqual(await found(key, query), ids(expected), query);
  assert.deepEqual(await found(key, 'tag=hero', '/v1/videos'), [boat.task_id]);
  const page = (await call(key, 'GET', '/v1/images?tag=favourite&limit=2')).data;
  assert.deepEqual([ids(page.items), page.has_more], [ids([third, second]), true]);
  assert.ok(!('tags' in page.items[0]!));
  const shown = await Promise.all(
    (['', '&search=a'] as const).map(async (more) => (await call(key, 'GET', `/v1/images?include=tags${more}`)).data),
  );
  for (const { items } of shown)
    assert.deepEqual(
      items.map((task) => task.tags),
      [['favourite', 'hero'], ['favourite'], ['favourite', 'hero']],
    );
});

test('the tags of a key are listed by name with their tasks, page by page, and counted to a thousand', async () => {
  const key = await newKey();
  const [image, other, boat] = [await place(key), await place(key), await place(key, '/v1/videos')];
  await tag(key, image, 'b', 'c', 'a');
  await tag(key, boat, 'c', 'a', 'ß');
  await tag(key, other, 'a');
  const all = [
    { tag: 'a', tasks: 3 },
    { tag: 'b', tasks: 1 },
    { tag: 'c', tasks: 2 },
    { tag: 'ß', tasks: 1 },
  ];
  assert.deepEqual(await tagsOf(key), { items: all, limit: 20, has_more: false });
  assert.deepEqual(await tagsOf(key, '?limit=3'), { items: all.slice(0, 3), limit: 3, has_more: true });
  assert.deepEqual(await tagsOf(key, '?limit=1&after=c'), { items: all.slice(3), limit: 1, has_more: false });
  const { read } = service.database;
  const row = await read.first(read.builder.selectFrom('task_tags').selectAll().where('task_id', '=', image.task_id));
  await service.database.write('many', async (trx) => {
    const rows = Array.from({ length: 1_005 }, (_, index) => ({ ...row!, tag: 'many', task_id: `img_${index}` }));
    await trx.run(trx.builder.insertInto('task_tags').values(rows));
  });
  assert.deepEqual((await tagsOf(key, '?after=c&limit=1')).items, [{ tag: 'many', tasks: 1_000 }]);
});

test('other keys and end users neither see tags nor change them', async () => {
  const { key, key_id: keyId } = await service.issueKey({ mode: 'test' });
  const tokenOf = async (endUser: string) =>
    (await call(key, 'POST', '/v1/client_tokens', { end_user: endUser })).data.token;
  const [ada, bob] = [await tokenOf('ada'), await tokenOf('bob')];
  const [own, plain] = [await place(ada, '/v1/images', { simulate: undefined }), await place(key)];
  await tag(ada, own, 'hero', 'ada only');
  await tag(key, plain, 'hero', 'mine');
  const { key: live } = await service.issueKey({ mode: 'live' });
  for (const [caller, task] of [
    [bob, own],
    [bob, plain],
    [ada, plain],
    [live, own],
    [await newKey(), own],
  ] as const) {
    const refusal = [404, 'task_not_found', 'task_id'];
    assert.deepEqual(told(await call(caller, 'GET', addressOf(task))), refusal);
    assert.deepEqual(told(await call(caller, 'PUT', addressOf(task), { tags: ['x'] })), refusal);
  }
  assert.deepEqual(
    told(await call(key, 'PUT', `/v1/videos/${own.task_id}/tags`, { tags: ['x'] }))[1],
    'task_not_found',
  );
  const counts = async (caller: string) => (await tagsOf(caller)).items.map((one) => `${one.tag}: ${one.tasks}`);
  assert.deepEqual(await counts(ada), ['ada only: 1', 'hero: 1']);
  assert.deepEqual(await counts(bob), []);
  assert.deepEqual(await counts(live), []);
  assert.deepEqual(await counts(key), ['ada only: 1', 'hero: 2', 'mine: 1']);
  assert.deepEqual(await found(ada, 'tag=hero'), [own.task_id]);
  assert.deepEqual(await found(bob, 'tag=hero'), []);
  assert.deepEqual(await found(live, 'tag=hero'), []);
  assert.deepEqual(await found(key, 'tag=hero'), ids([plain, own]));
  await tag(ada, own);
  assert.deepEqual(await counts(key), ['hero: 1', 'mine: 1']);
  const { read } = service.database;
  const rows = await read.all(read.builder.selectFrom('task_tags').select('tag').where('api_key_id', '=', keyId));
  assert.equal(rows.length, 2);
});

test('tags end with their task, whether it is deleted or expires, and an erased task takes none', async () => {
  const key = await newKey();
  const ended = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
  const [doomed, expiring] = [await make(key, '/v1/images', ended), await make(key, '/v1/images', ended)];
  for (const task of [doomed, expiring]) await tag(key, task, 'hero');
  const writes = [
    call(key, 'DELETE', doomed.urls.self),
    ...Array.from({ length: 6 }, (_, index) => call(key, 'PUT', addressOf(doomed), { tags: [`late ${index}`] })),
  ];
  assert.equal((await Promise.all(writes))[0]?.status, 200);
  const deleted = told(await call(key, 'PUT', addressOf(doomed), { tags: ['x'] }));
  assert.deepEqual(deleted.slice(0, 2), [404, 'task_not_found']);
  assert.deepEqual((await tagsOf(key)).items, [{ tag: 'hero', tasks: 1 }], 'no tag of the deleted task is left');

  clock.advance(2 * DAY_MS);
  await service.service.runHousekeeping();
  assert.deepEqual((await tagsOf(key)).items, []);
  assert.deepEqual((await call(key, 'GET', addressOf(expiring))).data.tags, []);
  const refused = await call(key, 'PUT', addressOf(expiring), { tags: ['x'] });
  assert.deepEqual(told(refused), [410, 'outputs_expired', 'task_id']);
  const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const words = ([status, code]: readonly unknown[]) => `${status} \`${code}\``;
  const sentence = `\`PUT\` answers ${words(told(refused))} when it has expired, ${words(deleted)} after \`DELETE\``;
  assert.ok(page.replaceAll(/\s+/g, ' ').includes(sentence), sentence);
});

test('a task that another process erases at the same moment gets no tags', async () => {
  const key = await newKey();
  const task = await place(key);
  const { database } = service;
  const { read } = database;
  const change = { answer: null as Promise<Answer> | null, isOver: false };
  const waits = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const isWaiting = async () =>
    (await read.first({ compile: () => waits.compile(read.builder) } as Compilable<unknown>)) !== undefined;
  await database.write('erase', async (trx) => {
    await trx.run(trx.builder.updateTable('tasks').set({ erased_at: clock.now() }).where('id', '=', task.task_id));
    change.answer = call(key, 'PUT', addressOf(task), { tags: ['late'] }).finally(() => {
      change.isOver = true;
    });
    // SQLite has one writer, which waits of itself.
    if (database.kind === 'postgres') await until(async () => change.isOver || (await isWaiting()), Boolean);
  });
  assert.deepEqual(told((await change.answer)!), [410, 'outputs_expired', 'task_id']);
  assert.deepEqual((await tagsOf(key)).items, []);
});
