import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { sql } from 'kysely';
import { copyTask } from '../helpers/copy-task.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createStoppableEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { untilLetGo } from '../helpers/until-let-go.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Lists: pages, filters and their combinations, deep histories (contract §6). */

const clock = new ManualClock();
const service = await startTestService(wholeFile, { service: { clock, engines: [createStoppableEngine(clock)] } });
const { call, keys } = service;
const iso = (ms: number) => new Date(ms).toISOString();

/** Thirty pictures a minute apart: of two models, three customers and three ends. Newest first. */
const tasks: TaskAnswer[] = [];
const began = clock.now();
for (let index = 0; index < 30; index++) {
  const { data } = await call(keys.test, 'POST', '/v1/images', {
    model_id: index % 2 === 0 ? 'sketch' : 'sketch-grid',
    prompt: `picture ${index}`,
    ...(index % 3 === 0 ? {} : { end_user: index % 3 === 1 ? 'ann' : 'bob' }),
    simulate: { outcome: index % 5 === 0 ? 'upstream_error' : 'stuck' },
  });
  if (index % 5 === 1) assert.equal((await call(keys.test, 'POST', data.urls.cancel)).status, 200);
  tasks.unshift(data);
  await untilLetGo(service.database);
  clock.advance(60_000);
}
/** How the order that was placed as the nth comes to stand. */
const endOf = (place: number) => ['failed', 'canceled', 'processing', 'processing', 'processing'][place % 5];
for (const [index, { urls }] of tasks.entries()) {
  tasks[index] = await until(
    async () => (await call(keys.test, 'GET', urls.self)).data,
    (task) => task.status === endOf(tasks.length - 1 - index),
  );
}

const ids = (items: readonly TaskAnswer[]) => items.map((task) => task.task_id);
const list = async <Query extends string>(query: Query, key = keys.test) => {
  const answer = await call(key, 'GET', `/v1/images?${query}`);
  assert.equal(answer.status, 200, `${query} ${JSON.stringify(answer.body)}`);
  return answer.data;
};

test('a list answers its items newest first, its position, and whether there is more', async () => {
  const page = await list('');
  assert.deepEqual(Object.keys(page), ['items', 'limit', 'offset', 'has_more']);
  assert.deepEqual([page.limit, page.offset, page.has_more], [20, 0, true]);
  assert.deepEqual(ids(page.items), ids(tasks).slice(0, 20));
  const { queue_position: _, estimated_seconds: __, ...one } = tasks[3] as Partial<TaskAnswer>;
  const { queue_position: ___, estimated_seconds: ____, ...listed } = page.items[3]! as Partial<TaskAnswer>;
  assert.deepEqual(listed, one, 'an item is the task as its retrieval gives it');
});

test('images page by limit and offset until has_more is false', async () => {
  const seen: string[] = [];
  for (let offset = 0; ; offset += 7) {
    const page = await list(`limit=7&offset=${offset}`);
    seen.push(...ids(page.items));
    assert.deepEqual([page.limit, page.offset], [7, offset]);
    if (!page.has_more) break;
  }
  assert.deepEqual(seen, ids(tasks));
  const end = await list('limit=30');
  assert.deepEqual([end.items.length, end.has_more], [30, false]);
  const beyond = await list('offset=10000');
  assert.deepEqual([beyond.items, beyond.has_more], [[], false]);
});

test('videos page by limit and page, from 1', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const films: string[] = [];
  for (let count = 0; count < 5; count++) {
    const order = { model_id: 'sketch-motion', prompt: 'a fox', simulate: { outcome: 'stuck' } };
    films.unshift((await call(key, 'POST', '/v1/videos', order)).data.task_id);
    clock.advance(1);
  }
  const page = async (query: string) => (await call(key, 'GET', `/v1/videos?${query}`)).data;
  const first = await page('limit=2');
  assert.deepEqual(Object.keys(first), ['items', 'limit', 'page', 'has_more']);
  assert.deepEqual([ids(first.items), first.page, first.has_more], [films.slice(0, 2), 1, true]);
  const last = await page('limit=2&page=3');
  assert.deepEqual([ids(last.items), last.page, last.has_more], [films.slice(4), 3, false]);
  assert.deepEqual((await page('page=4')).items, []);
  assert.deepEqual((await call(key, 'GET', '/v1/images')).data.items, [], 'a film is no image task');
});

test('after a task come the older ones, page for page to the end', async () => {
  const seen: string[] = [];
  let query = 'limit=8';
  for (;;) {
    const page = await list(query);
    seen.push(...ids(page.items));
    if (!page.has_more) break;
    query = `limit=8&after=${seen.at(-1)}`;
    assert.ok(!('offset' in page) || page.offset === 0);
  }
  assert.deepEqual(seen, ids(tasks));
});

test('every filter and every pair of filters returns exactly the matching tasks, with the right has_more', async () => {
  const at = (minute: number) => iso(began + minute * 60_000);
  const filters: [string, (task: TaskAnswer) => boolean][] = [
    ['status=failed', ({ status }) => status === 'failed'],
    ['status=failed,canceled', ({ status }) => status === 'failed' || status === 'canceled'],
    ['status=canceled,%20failed,canceled', ({ status }) => status === 'failed' || status === 'canceled'],
    ['status=succeeded', ({ status }) => status === 'succeeded'],
    ['status=processing', ({ status }) => status === 'processing'],
    ['model_id=sketch', ({ model_id }) => model_id === 'sketch'],
    ['model_id=veo-3.1', () => false],
    ['end_user=ann', ({ end_user }) => end_user === 'ann'],
    ['end_user=nobody', () => false],
    [`created_after=${at(10)}`, ({ created_at }) => created_at > at(10)],
    [`created_before=${at(20)}`, ({ created_at }) => created_at < at(20)],
    [`after=${tasks[9]!.task_id}`, ({ task_id }) => task_id < tasks[9]!.task_id],
  ];
  for (const [first, firstFits] of filters) {
    for (const [second, secondFits] of filters) {
      const names = [first, second].map((query) => query.split('=')[0]);
      if (first !== second && names[0] === names[1]) continue;
      const query = first === second ? first : `${first}&${second}`;
      const fitting = ids(tasks.filter((task) => firstFits(task) && secondFits(task)));
      const page = await list(`${query}&limit=4`);
      assert.deepEqual([ids(page.items), page.has_more], [fitting.slice(0, 4), fitting.length > 4], query);
    }
  }
});

test('a filtered list pages like the whole list', async () => {
  const failed = ids(tasks.filter((task) => task.status === 'failed' || task.status === 'canceled'));
  const seen: string[] = [];
  for (let offset = 0; ; offset += 5) {
    const page = await list(`status=failed,canceled&limit=5&offset=${offset}`);
    seen.push(...ids(page.items));
    if (!page.has_more) break;
  }
  assert.deepEqual(seen, failed);
  assert.equal(failed.length, 12);
});

test('parent_task_id lists the follow-up actions of a task', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const parent = await service.make(key, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' });
  const children: string[] = [];
  for (const index of [1, 2]) {
    const body = { parent_task_id: parent.task_id, action: 'upscale', index, simulate: { outcome: 'stuck' } };
    children.unshift((await call(key, 'POST', '/v1/images/actions', body)).data.task_id);
    clock.advance(1);
  }
  const page = await list(`parent_task_id=${parent.task_id}`, key);
  assert.deepEqual(ids(page.items), children);
  assert.deepEqual((await list(`parent_task_id=${parent.task_id}&status=succeeded`, key)).items, []);
  assert.equal((await list('', key)).items.length, 3);
});

test('a list by model takes an alias of the model too', async (t) => {
  const { model_id: modelId, aliases } = (await call(keys.test, 'GET', '/v1/models')).data.items.find(
    (model) => model.aliases.length > 0 && model.type === 'image',
  )!;
  const { key } = await service.issueKey({ mode: 'test' });
  const order = { model_id: aliases[0], prompt: 'a fox', simulate: { outcome: 'stuck' } };
  const { data: task } = await call(key, 'POST', '/v1/images', order);
  t.after(() => call(key, 'POST', task.urls.cancel));
  for (const name of [modelId, aliases[0]])
    assert.deepEqual(ids((await list(`model_id=${name}`, key)).items), [task.task_id], name);
});

test('times are taken with a zone, in UTC without one, and as dates', async () => {
  const count = async (query: string) => (await list(`${query}&limit=100`)).items.length;
  const ten = began + 10 * 60_000;
  for (const text of [
    iso(ten),
    iso(ten).replace('Z', ''),
    iso(ten).replace(/\.000Z$/, 'Z'),
    encodeURIComponent(iso(ten + 2 * 3_600_000).replace('Z', '+02:00')),
  ])
    assert.equal(await count(`created_after=${text}`), 19, text);
  assert.equal(await count('created_after=2026-11-20'), 30);
  assert.equal(await count('created_before=2026-11-20'), 0);
});

test('another key sees none of it, under any filter', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  for (const query of ['', 'status=failed', 'model_id=sketch', 'end_user=ann', `after=${tasks[0]!.task_id}`])
    assert.deepEqual((await list(query, key)).items, []);
});

test('what is outside the bounds or unknown is refused, never clamped or passed over, and the right pager is named', async () => {
  for (const [path, param, hint] of [
    ['/v1/images?limit=0', 'limit', /1/],
    ['/v1/images?limit=101', 'limit', /100/],
    ['/v1/images?limit=ten', 'limit', /integer/],
    ['/v1/images?offset=-1', 'offset', /0/],
    ['/v1/images?offset=10001', 'offset', /'after'/],
    ['/v1/images?page=1', 'page', /'offset'/],
    ['/v1/videos?offset=0', 'offset', /'page'/],
    ['/v1/videos?page=0', 'page', /1/],
    ['/v1/videos?page=102&limit=100', 'page', /'after'/],
    ['/v1/images?status=finished', 'status', /succeeded/],
    ['/v1/images?status=failed,finished', 'status', /finished/],
    ['/v1/images?sort=asc', 'sort', /limit/],
    ['/v1/images?created_after=yesterday', 'created_after', /ISO 8601/],
    ['/v1/images?created_before=2026-13-40', 'created_before', /ISO 8601/],
    [`/v1/images?after=${tasks[0]!.task_id}&offset=5`, 'offset', /'after'/],
    [`/v1/videos?after=vid_${'0'.repeat(26)}&page=2`, 'page', /'after'/],
    ['/v1/images?search=', 'search', /1/],
    ['/v1/images?search=%20', 'search', /word/],
    ['/v1/images?search=fox&offset=20', 'offset', /'next_after'/],
    ['/v1/videos?search=fox&page=2', 'page', /'next_after'/],
    ['/v1/images?after=nothing', 'after', /task_id/],
  ] as const) {
    const { status, error } = await call(keys.test, 'GET', path);
    assert.deepEqual([status, error?.param], [400, param], path);
    assert.match(error.message, hint, path);
  }
});

test('a deleted task is in no list', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const failed = await service.make(key, '/v1/images', {
    model_id: 'sketch',
    prompt: 'a fox',
    end_user: 'ann',
    simulate: { outcome: 'timeout' },
  });
  assert.equal((await list('', key)).items.length, 1);
  await call(key, 'DELETE', failed.urls.self);
  for (const query of ['', 'status=failed', 'model_id=sketch', 'end_user=ann'])
    assert.deepEqual((await list(query, key)).items, [], query);
});

test('a filter that matches only old tasks finds them, and has_more always comes with a task to continue from', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const order = { model_id: 'sketch', prompt: 'a fox', end_user: 'ann', simulate: { outcome: 'timeout' } };
  const newest = await service.make(key, '/v1/images', order);
  // More than are walked at a time that one filter fits and the other does not, then three that both fit, then one more
  // of the first.
  const far = 20_500;
  await copyBack(
    newest.task_id,
    far + 4,
    `case when i in (${far}, ${far + 1}, ${far + 2}) then 'sketch' else 'sketch-grid' end`,
  );
  const first = await list('end_user=ann&model_id=sketch&status=failed&limit=1', key);
  assert.deepEqual([ids(first.items), first.has_more], [[newest.task_id], true]);
  for (const filters of ['end_user=ann&model_id=sketch', 'end_user=ann&model_id=sketch&status=failed,canceled']) {
    const seen: string[] = [];
    for (let after = newest.task_id; ; after = seen.at(-1) ?? '') {
      const page = await list(`${filters}&limit=2&after=${after}`, key);
      seen.push(...ids(page.items));
      if (!page.has_more) break;
      assert.ok(page.items.length > 0, 'there is a task to go on from');
    }
    assert.deepEqual(seen, [far, far + 1, far + 2].map(copyId), filters);
  }
  const deep = await list('end_user=ann&model_id=sketch&limit=2&offset=2', key);
  assert.deepEqual([ids(deep.items), deep.has_more], [[far + 1, far + 2].map(copyId), false]);
  const none = await list('end_user=ann&status=canceled', key);
  assert.deepEqual([none.items, none.has_more], [[], false]);
});

test('a search finds the tasks with all its words in prompt or model id, or the one with its id', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const order = async (prompt: string, more: object = {}) => {
    const body = { model_id: 'sketch', prompt, simulate: { outcome: 'stuck' }, ...more };
    const { data } = await call(key, 'POST', '/v1/images', body);
    clock.advance(1);
    return data;
  };
  const fox = await order('A Red FOX in the snow', { end_user: 'ann' });
  const grid = await order('a red house', { model_id: 'sketch-grid' });
  const umlaut = await order('ein roter Fuchs, über dem Zaun\n“100 %”');
  const refused = { model_id: 'sketch', prompt: 'a fox to be deleted', simulate: { outcome: 'content_policy' } };
  const gone = await service.make(key, '/v1/images', refused);
  assert.equal((await call(key, 'DELETE', gone.urls.self)).status, 200);
  for (const [words, found] of [
    ['fox', [fox]],
    ['snow red', [fox]],
    ['red', [grid, fox]],
    ['RED grid', [grid]],
    ['ÜBER fuchs', [umlaut]],
    ['u\u0308ber', [umlaut]],
    ['“100 %”', [umlaut]],
    ['_', []],
    ['fox house', []],
    [fox.task_id, [fox]],
    [` ${fox.task_id.toUpperCase()} `, [fox]],
    [gone.task_id, []],
    [tasks[0]!.task_id, []],
  ] as const) {
    const page = await list(`search=${encodeURIComponent(words)}`, key);
    assert.deepEqual([ids(page.items), page.has_more, page.next_after], [ids(found), false, null], words);
  }
  for (const [filter, found] of [
    ['search=red&end_user=ann', [fox]],
    ['search=red&model_id=sketch-grid&status=queued,processing', [grid]],
    ['search=red&status=failed', []],
    [`search=red&after=${grid.task_id}`, [fox]],
    [`search=${fox.task_id}&model_id=sketch-grid`, []],
    [`search=${fox.task_id}&created_after=${grid.created_at}`, []],
  ] as const)
    assert.deepEqual(ids((await list(filter, key)).items), ids(found), filter);
  const half = await list('search=red&limit=1', key);
  assert.deepEqual([ids(half.items), half.has_more, half.next_after], [[grid.task_id], true, grid.task_id]);
  const { data: films } = await call(key, 'GET', `/v1/videos?search=${fox.task_id}`);
  assert.deepEqual([films.items, films.has_more], [[], false], 'an image is in no list of videos');
});

test('a search examines a bounded number of tasks, and says where it continues even if it found none', async () => {
  const { key } = await service.issueKey({ mode: 'test' });
  const order = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'timeout' } };
  const newest = await service.make(key, '/v1/images', order);
  await copyBack(newest.task_id, 7_000, "case when i = 36500 then 'sketch-grid' else 'sketch' end", 30_000);
  const first = await list('search=grid', key);
  assert.deepEqual([first.items, first.has_more], [[], true]);
  // On a busy machine its time is over before.
  assert.ok(placeOf(first.next_after) <= 34_998, 'after 5,000 tasks');
  const found: string[] = [];
  let after = first.next_after;
  while (after !== null) {
    const page = await list(`search=grid&after=${after}`, key);
    found.push(...ids(page.items));
    assert.ok(page.next_after === null || placeOf(page.next_after) > placeOf(after), 'it goes on');
    after = page.next_after;
  }
  assert.deepEqual(found, [copyId(36_500)]);

  const { key: other } = await service.issueKey({ mode: 'test' });
  const long = await service.make(other, '/v1/images', { ...order, prompt: 'long '.repeat(1_800) });
  await copyBack(long.task_id, 800, "'sketch'", 40_000);
  const page = await list('search=grid', other);
  assert.deepEqual([page.items, page.has_more], [[], true]);
  assert.ok(placeOf(page.next_after) <= 40_443, 'after 4 million characters: 445 such tasks');
});

const NEWEST = 9_000_000_000;
const copyId = (place: number) => `img_0${String(NEWEST - place).padStart(25, '0')}`;
const placeOf = (id: string | null) => NEWEST - Number(id?.slice('img_'.length));

/** Inserts copies of a task that are older than it, the nearest at place `first`. @param model SQL */
async function copyBack(taskId: string, count: number, model: string, first = 0): Promise<void> {
  const id = sql`${sql.lit(copyId(0).slice(0, -10))} || (${sql.lit(NEWEST)} - i)`;
  await copyTask(service.database, taskId, { count, first, changes: { id, model_id: sql.raw(model) } });
}
