import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { plainFilm } from '@darkroom-service/testing/samples';
import sharp from 'sharp';
import { type FileAnswer, type Refusal, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What a key is told of its account, and the files it hands in (contract §8). */

const DAY = 86_400_000;
const clock = new ManualClock();
const service = await startTestService(wholeFile, { service: { clock, engines: [createSwiftEngine({}, clock)] } });
const { call, keys, make, issueKey, createAccount } = service;
/** Costs 0.005. */
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
/** Costs 0.01. */
const LARGER = { ...ORDER, resolution: '1K' };
const STUCK = { simulate: { outcome: 'stuck' } };

const accountId = await createAccount(null);
const wish = { mode: 'test', accountId } as const;
const plain = await issueKey({ ...wish, name: 'shop', models: ['sketch*'], createsPerMinute: 500, concurrency: 9 });
const viewer = await issueKey({ ...wish, accountView: true });
for (const [key, order, endUser] of [
  [plain.key, ORDER, 'ann'],
  [plain.key, LARGER, 'bob'],
  [plain.key, { ...LARGER, simulate: { outcome: 'timeout' } }, 'bob'],
  [viewer.key, LARGER, 'ann'],
] as const) {
  await make(key, '/v1/images', { ...order, end_user: endUser });
  clock.advance(60_000);
}
const films = { model_id: 'sketch-motion', prompt: 'a fox', resolution: '360p', duration: 1, ...STUCK };
const film = (await call(plain.key, 'POST', '/v1/videos', films)).data;
const get = async <Path extends string>(key: string, path: Path) => {
  const answer = await call(key, 'GET', `/v1/account${path}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.data;
};

test('the account shows its balance, holds and limits, and the key', async () => {
  const account = await get(plain.key, '');
  assert.deepEqual(
    [account.account_id, account.mode, account.currency, account.credit_limit],
    [accountId, 'test', 'USD', null],
  );
  assert.equal(account.held, film.cost.amount);
  assert.equal(Number(account.balance).toFixed(6), (-0.025 - Number(film.cost.amount)).toFixed(6));
  const { key } = account;
  assert.deepEqual(
    [key.key_id, key.name, key.models, key.rpm, key.read_rpm, key.concurrency, key.queue, key.expires_at],
    [plain.key_id, 'shop', ['sketch*'], 500, 3_000, 9, 10_000, null],
  );
  assert.deepEqual(key.spend_limits, { day: null, month: null, total: null });
});

test('a key with spend limits sees what it has spent of each', async () => {
  const { key } = await issueKey({ mode: 'test', spendLimits: { day: 1_000_000, total: 5_000_000 } });
  await make(key, '/v1/images', LARGER);
  await call(key, 'POST', '/v1/images', { ...ORDER, ...STUCK });
  const { spend_limits: limits } = (await get(key, '')).key;
  assert.deepEqual(limits, {
    day: { limit: '1.00', spent: '0.015' },
    month: null,
    total: { limit: '5.00', spent: '0.015' },
  });
});

test('usage sums the tasks of the calling key, ungrouped and by day, model, status and end user', async () => {
  const rows = async (query: `?${string}` | '', key = plain.key) => (await get(key, `/usage${query}`)).items;
  const held = film.cost.amount;
  const amounts = { charged: '0.015', held, currency: 'USD' };
  assert.deepEqual(await rows(''), [{ tasks: 4, ...amounts }]);
  assert.deepEqual(await rows('?group_by=day'), [{ day: '2026-11-20', tasks: 4, ...amounts }]);
  assert.deepEqual(await rows('?group_by=model_id'), [
    { model_id: 'sketch', tasks: 3, charged: '0.015', held: '0.00', currency: 'USD' },
    { model_id: 'sketch-motion', tasks: 1, charged: '0.00', held, currency: 'USD' },
  ]);
  const byStatus = await rows('?group_by=status');
  assert.deepEqual(
    byStatus.map((row) => [row.status, row.tasks]),
    [
      ['failed', 1],
      ['processing', 1],
      ['succeeded', 2],
    ],
  );
  const byBoth = await rows('?group_by=end_user,status');
  assert.deepEqual(
    byBoth.map((row) => [row.end_user, row.status, row.charged]),
    [
      [null, 'processing', '0.00'],
      ['ann', 'succeeded', '0.005'],
      ['bob', 'failed', '0.00'],
      ['bob', 'succeeded', '0.01'],
    ],
  );
  assert.deepEqual(await rows('?from=2026-11-21&to=2026-11-22'), [
    { tasks: 0, charged: '0.00', held: '0.00', currency: 'USD' },
  ]);
  assert.equal((await rows(`?from=2026-11-20T12:01:00Z&to=2026-11-20T12:02:00Z`))[0].tasks, 1);
});

test('usage of a whole account is for a key made with account view alone', async () => {
  const mine = await get(viewer.key, '/usage');
  assert.deepEqual([mine.scope, mine.items[0].tasks], ['key', 1]);
  const all = await get(viewer.key, '/usage?scope=account');
  assert.deepEqual([all.scope, all.items[0].tasks, all.items[0].charged], ['account', 5, '0.025']);
  for (const path of ['/usage', '/ledger']) {
    const refused = await call(plain.key, 'GET', `/v1/account${path}?scope=account`);
    assert.deepEqual([refused.status, refused.error.code, refused.error.param], [403, 'forbidden', 'scope']);
  }
});

test('the ledger lists the entries of the key, newest first, and those of the account in its scope', async () => {
  const { items, limit, scope, has_more: hasMore } = await get(plain.key, '/ledger');
  assert.deepEqual([items.length, limit, scope, hasMore], [9, 20, 'key', false]);
  for (const entry of items) {
    const fields = ['entry_id', 'kind', 'amount', 'currency', 'task_id', 'batch_id', 'corrects', 'note', 'created_at'];
    assert.deepEqual(Object.keys(entry), fields);
    assert.equal(entry.batch_id, null);
    assert.match(entry.amount, entry.kind === 'release' ? /^\d/ : /^-\d/);
  }
  assert.deepEqual([items[0].kind, items[0].task_id], ['hold', film.task_id]);
  const sum = items.reduce((total: number, entry) => total + Number(entry.amount), 0);
  assert.equal(sum.toFixed(6), (-0.015 - Number(film.cost.amount)).toFixed(6));
  const pages: string[] = [];
  for (let after = ''; ; ) {
    const page = await get(plain.key, `/ledger?limit=4${after}`);
    pages.push(...page.items.map((entry) => entry.entry_id));
    if (!page.has_more) break;
    after = `&after=${pages.at(-1)}`;
  }
  assert.deepEqual(
    pages,
    items.map((entry) => entry.entry_id),
  );
  for (const id of pages)
    assert.match(
      id,
      /^(img|vid)_[0-9a-z]{26}_(hold|release|charge)$/,
      'an id names the task and the kind, and tells nothing of how many entries there are',
    );
  const foreign = await call(keys.test, 'GET', `/v1/account/ledger?after=${pages[0]}`);
  assert.deepEqual([foreign.status, foreign.error.code, foreign.error.param], [400, 'invalid_request', 'after']);
  const credit = await call(keys.admin, 'POST', `/admin/v1/accounts/${accountId}/credit`, { amount: '5.00' });
  assert.equal(credit.status, 201);
  assert.equal((await get(viewer.key, '/ledger?scope=account')).items.length, 12, 'a credit is of the live ledger');
  const live = await issueKey({ mode: 'live', accountId, accountView: true });
  const { items: entries } = await get(live.key, '/ledger?scope=account');
  assert.deepEqual(
    entries.map((entry) => [entry.kind, entry.amount, entry.task_id]),
    [['credit', '5.00', null]],
  );
  assert.deepEqual((await get(live.key, '/ledger')).items, [], 'a credit belongs to no key');
});

test('invalid account queries are refused with the accepted values', async () => {
  for (const [path, param] of [
    ['/usage?group_by=hour', 'group_by'],
    ['/usage?from=2026-11-22&to=2026-11-21', 'from'],
    ['/usage?from=2020-01-01', 'from'],
    ['/usage?to=soon', 'to'],
    ['/usage?scope=world', 'scope'],
    ['/ledger?limit=101', 'limit'],
    ['/ledger?after=x', 'after'],
    ['/ledger?offset=1', 'offset'],
    ['?verbose=1', 'verbose'],
  ] as const) {
    const { status, error } = await call(plain.key, 'GET', `/v1/account${path}`);
    assert.deepEqual([status, error.param], [400, param], path);
  }
});

const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c00' } })
  .png()
  .toBuffer();

async function upload(key: string, body: FormData | Uint8Array<ArrayBuffer>, type?: string) {
  const response = await fetch(`${service.url}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(type === undefined ? {} : { 'content-type': type }) },
    body,
  });
  const { data, error } = (await response.json()) as { readonly data: FileAnswer; readonly error: Refusal };
  return { status: response.status, headers: response.headers, data, error };
}

test('a file is taken raw or as multipart, told by its content, and served under a signed address', async () => {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(png)], { type: 'image/gif' }), 'holiday.gif');
  for (const answer of [
    await upload(keys.test, new Uint8Array(png), 'image/png'),
    await upload(keys.test, new Uint8Array(png), 'application/octet-stream'),
    await upload(keys.test, form),
  ]) {
    const { status, headers, data } = answer;
    assert.equal(status, 201);
    assert.match(data.file_id, /^file_[0-9a-z]{26}$/);
    assert.deepEqual([data.content_type, data.bytes, data.width, data.height], ['image/png', png.byteLength, 40, 30]);
    assert.equal(data.sha256, createHash('sha256').update(png).digest('hex'));
    assert.equal(Date.parse(data.expires_at) - clock.now(), 30 * DAY);
    assert.equal(headers.get('location'), `${service.url}/v1/files/${data.file_id}`);
    const served = await fetch(data.url);
    assert.deepEqual([served.status, served.headers.get('content-type')], [200, 'image/png']);
    assert.ok(Buffer.from(await served.arrayBuffer()).equals(png));
    assert.deepEqual((await call(keys.test, 'GET', `/v1/files/${data.file_id}`)).data, data);
  }
});

test('films are taken too, with their length', async () => {
  const bytes = new Uint8Array(await plainFilm({ width: 640, height: 360, durationSeconds: 1 }, 'upload'));
  const { status, data } = await upload(keys.test, bytes, 'video/mp4');
  assert.deepEqual([status, data.content_type, data.width, data.height], [201, 'video/mp4', 640, 360]);
  assert.ok(Math.abs(data.duration_seconds - 1) < 0.1);
});

test('a file belongs to its key, and is gone once deleted', async () => {
  const { data } = await upload(keys.test, new Uint8Array(png), 'image/png');
  const path = `/v1/files/${data.file_id}` as const;
  for (const method of ['GET', 'DELETE']) {
    const { status, error } = await call(plain.key, method, path);
    assert.deepEqual([status, error.code], [404, 'not_found'], method);
  }
  const deleted = await call(keys.test, 'DELETE', path);
  assert.deepEqual([deleted.status, Object.keys(deleted.data)], [200, ['file_id', 'deleted_at']]);
  for (const method of ['GET', 'DELETE']) assert.equal((await call(keys.test, method, path)).error.code, 'not_found');
  assert.equal((await fetch(data.url)).status, 410);
});

test('a file that is no picture, film or sound is refused with the reason', async () => {
  const two = new FormData();
  two.set('a', new Blob([new Uint8Array(png)]), 'a.png');
  two.set('b', new Blob([new Uint8Array(png)]), 'b.png');
  const text = new TextEncoder().encode('hello');
  for (const [body, type, status, code] of [
    [text, 'image/png', 415, 'unsupported_media_type'],
    [text, 'text/plain', 415, 'unsupported_media_type'],
    [new TextEncoder().encode('{}'), 'application/json', 415, 'unsupported_media_type'],
    [new Uint8Array(png.subarray(0, 50)), 'image/png', 400, 'invalid_request'],
    [new Uint8Array(0), 'image/png', 400, 'invalid_request'],
    [two, undefined, 413, 'body_too_large'],
  ] as const) {
    const answer = await upload(keys.test, body, type);
    if (body === two) assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status}`);
    else assert.deepEqual([answer.status, answer.error.code], [status, code], code);
  }
});
