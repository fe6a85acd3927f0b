import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { solidPng, until } from '@darkroom-service/testing';
import { audit } from '../../../src/service/doctor/audit.ts';
import { ADDED, AUDITS, HOOKS } from '../../../test/helpers/additions.ts';
import { findInFiles, findInTables } from '../../../test/helpers/find-text.ts';
import { runDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { createStoppableEngine } from '../../../test/helpers/swift-engine.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';
import { entriesOf, linesOf } from '../../../test/helpers/zip-entries.ts';

/** Exports and erasures of what is stored of people: nothing of theirs is left, and the books stay as they were. */

const clock = new ManualClock();
const service = await startTestService(wholeFile, {
  service: { clock, engines: [createStoppableEngine(clock)] },
  env: { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8', DARKROOM_SECRETS_KEY: randomBytes(32).toString('base64') },
});
const { call, config, database, issueKey, keys, url } = service;
const admin = keys.admin;

/** A customer whose end users leave their mark wherever they can. */
async function openCustomer(mark: string) {
  const accountId = await service.createAccount(null);
  const { key, key_id: keyId } = await issueKey({ mode: 'live', accountId, accountView: true, name: `${mark} shop` });
  return { accountId, key, keyId };
}

/** Orders, uploads, batches, tags, links and limits of one end user that all contain the mark. */
async function leaveMarks(key: string, mark: string): Promise<void> {
  const endUser = `user ${mark}`;
  const body = {
    model_id: 'sketch',
    prompt: `a fox ${mark}`,
    resolution: '0.5K',
    end_user: endUser,
    metadata: { note: mark },
    webhook_url: `http://127.0.0.1:9/?user=${mark}`,
  };
  const headers = { prefer: 'wait=60', 'idempotency-key': `order ${mark}` };
  const made = await call(key, 'POST', '/v1/images', body, headers);
  assert.equal(made.data.status, 'succeeded', JSON.stringify(made.body));
  await call(key, 'PUT', `/v1/images/${made.data.task_id}/tags`, { tags: [mark] });
  assert.equal((await call(key, 'POST', '/v1/shares', { task_id: made.data.task_id })).status, 201);
  assert.equal((await call(key, 'PUT', `/v1/end_users/${endUser}`, { limits: { day: '9.00' } })).status, 200);
  const token = (await call(key, 'POST', '/v1/client_tokens', { end_user: endUser })).data.token;
  const upload = await fetch(`${url}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(solidPng({ width: 64, height: 64, value: 90 })),
  });
  assert.equal(upload.status, 201);
  const { webhook_url: _url, ...order } = body;
  const batch = await call(key, 'POST', '/v1/batches', {
    metadata: { note: mark },
    orders: [{ operation: 'images', name: `name-${mark}`, body: order }],
  });
  assert.equal(batch.status, 201, JSON.stringify(batch.body));
  await until(
    async () => (await call(key, 'GET', batch.data.urls.self)).data,
    ({ status }) => status !== 'processing',
  );
}

async function booksOf(key: string) {
  const [account, ledger, usage] = [
    (await call(key, 'GET', '/v1/account')).data,
    (await call(key, 'GET', '/v1/account/ledger?limit=100')).data.items,
    (await call(key, 'GET', '/v1/account/usage')).data.items,
  ];
  return { balance: account.balance, ledger, usage };
}

async function erase(wish: object, name = randomBytes(6).toString('hex')) {
  const headers = { 'idempotency-key': name };
  const asked = await call(admin, 'POST', '/admin/v1/erasures', wish, headers);
  assert.equal(asked.status, 201, JSON.stringify(asked.body));
  const again = await call(admin, 'POST', '/admin/v1/erasures', wish, headers);
  assert.equal(again.data.erasure_id, asked.data.erasure_id);
  return await until(
    async () => {
      // It waits until every process knows of it, and looks at open orders again and again.
      clock.advance(1_000);
      return (await call(admin, 'GET', `/admin/v1/erasures/${asked.data.erasure_id}`)).data;
    },
    ({ status }) => status === 'completed',
  );
}

test('an erased end user is in no table and no file, others stay, and balance, ledger and usage are as before', async () => {
  const { accountId, key } = await openCustomer('plain');
  await leaveMarks(key, 'Xerxes7');
  await leaveMarks(key, 'Yolanda8');
  assert.ok((await findInTables(database, 'Xerxes7')).length > 8);
  const before = await booksOf(key);
  const kept = await findInTables(database, 'Yolanda8');
  const erasure = await erase({ account_id: accountId, end_user: 'user Xerxes7' });
  assert.deepEqual([erasure.orders, erasure.files, erasure.waiting, erasure.end_user], [2, 1, 0, null]);
  assert.deepEqual(await findInTables(database, 'Xerxes7'), []);
  // The log of the database is emptied in a moment without a reader.
  await until(
    () => findInFiles(config.dataDirectory, 'Xerxes7'),
    ({ length }) => length === 0,
  );
  assert.deepEqual(await booksOf(key), before);
  assert.deepEqual(await findInTables(database, 'Yolanda8'), kept);
  const [left] = (await call(key, 'GET', '/v1/images')).data.items;
  assert.equal((await call(key, 'GET', '/v1/images')).data.items.length, 2);
  assert.equal((await fetch(left!.outputs[0]!.url)).status, 200);
  const { data } = await call(key, 'GET', '/v1/end_users/user Xerxes7');
  assert.notEqual(data.windows.total.charged, '0.00', 'what it spent still counts');
  const repeated = await call(
    key,
    'POST',
    '/v1/images',
    { model_id: 'sketch', prompt: 'a fox' },
    { 'idempotency-key': 'order Xerxes7' },
  );
  assert.deepEqual([repeated.status, repeated.error?.code], [410, 'task_expired'], 'its key never orders again');
  assert.match(repeated.error.message, /was erased/);
  const failed = (
    await Array.fromAsync(audit(config, Date.now(), { files: 0, tables: ADDED, added: AUDITS, hooks: HOOKS }))
  ).filter((one) => one.status === 'failed');
  assert.deepEqual(failed, []);
  const acts = (await call(admin, 'GET', `/admin/v1/audit?target=${erasure.end_user_digest}`)).data.items;
  assert.deepEqual(
    acts.map(({ act, actor_kind: kind }) => [act, kind]),
    [
      ['end_user.erased', 'program'],
      ['end_user.erase', 'key'],
      ['end_user.limits', 'key'],
    ].slice(0, acts.length),
  );
});

test('an erased account keeps its id and its ledger, its keys are revoked, and an account of operators is refused', async () => {
  const { accountId, key, keyId } = await openCustomer('Zebulon9');
  await call(admin, 'PATCH', `/admin/v1/accounts/${accountId}`, { name: 'renamed' });
  await leaveMarks(key, 'Zebulon9');
  const path = `/v1/account/webhooks`;
  assert.equal((await call(key, 'PUT', path, { url: 'http://127.0.0.1:9/Zebulon9' })).status, 200);
  const { balance } = (await call(admin, 'GET', `/admin/v1/accounts/${accountId}`)).data;
  const erasure = await erase({ account_id: accountId });
  assert.equal(erasure.orders, 2);
  // Names that operators gave stay in the log for DARKROOM_AUDIT_DAYS.
  assert.deepEqual(
    (await findInTables(database, 'Zebulon9')).filter((place) => !place.startsWith('audit_log.')),
    [],
  );
  assert.deepEqual(await findInFiles(config.filesDirectory, 'Zebulon9'), []);
  const account = (await call(admin, 'GET', `/admin/v1/accounts/${accountId}`)).data;
  assert.deepEqual([account.name, account.balance, account.webhook_url], [accountId, balance, null]);
  assert.notEqual((await call(admin, 'GET', `/admin/v1/keys/${keyId}`)).data.revoked_at, null);
  const refused = await call(admin, 'POST', '/admin/v1/erasures', { account_id: 'default' });
  assert.deepEqual([refused.status, refused.error.param], [400, 'account_id']);
  assert.equal((await call(admin, 'POST', '/admin/v1/erasures', { account_id: 'nobody' })).status, 404);
});

test('an order that an engine has is canceled or waited for, and erased when it has ended', async () => {
  const { accountId } = await openCustomer('plain');
  const { key } = await issueKey({ mode: 'test', accountId });
  const order = { model_id: 'sketch', prompt: 'Walburga5', end_user: 'Walburga5', simulate: { outcome: 'stuck' } };
  const { data } = await call(key, 'POST', '/v1/images', order);
  const erasure = await erase({ account_id: accountId, end_user: 'Walburga5' });
  assert.equal(erasure.orders, 1);
  assert.deepEqual(await findInTables(database, 'Walburga5'), []);
  assert.equal((await call(admin, 'GET', `/admin/v1/tasks/${data.task_id}`)).data.status, 'canceled');
});

test('an export has all of an end user or an account and nothing of others, in archives that the command line resumes', async (t) => {
  const { accountId, key } = await openCustomer('plain');
  await leaveMarks(key, 'Quirin3');
  await leaveMarks(key, 'Rosalba4');
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-export-'));
  t.after(() => rm(directory, { recursive: true }));
  const variables = { DARKROOM_URL: url, DARKROOM_API_KEY: admin };
  const run = (folder: string, ...words: string[]) =>
    runDarkroom(['privacy', 'export', accountId, folder, ...words, '--json'], variables, directory);
  const done = await run('one', '--end-user', 'user Quirin3');
  assert.equal(done.code, 0, done.stderr);
  const { export_id: id, archives } = JSON.parse(done.stdout);
  assert.equal(archives, 1);
  const bytes = await readFile(join(directory, 'one', `${id}-1.zip`));
  const archive = bytes.toString('latin1');
  const names = entriesOf(bytes).map(({ name }) => name);
  for (const name of ['manifest.json', 'orders.jsonl', 'ledger.jsonl', 'uploads.jsonl', 'task_tags.jsonl'])
    assert.ok(names.includes(name), `${name} of ${names.join()}`);
  assert.equal(names.filter((name) => name.startsWith('files/')).length, 2);
  assert.equal(names.filter((name) => name.startsWith('uploads/')).length, 1);
  assert.match(archive, /a fox Quirin3/);
  const [batch] = linesOf<{ readonly metadata: object }>(bytes, 'batches.jsonl');
  assert.deepEqual(batch?.metadata, { note: 'Quirin3' });
  assert.doesNotMatch(archive, /Rosalba4|sealed|whsec_/);
  const again = await run('one', '--end-user', 'user Quirin3');
  assert.equal(JSON.parse(again.stdout).export_id, id, 'what is complete is not exported again');
  assert.equal((await run('one')).code, 2);
  const whole = await run('two');
  assert.equal(whole.code, 0, whole.stderr);
  const [file] = (await readdir(join(directory, 'two'))).filter((name) => name.endsWith('.zip'));
  const text = await readFile(join(directory, 'two', file!), 'latin1');
  for (const part of ['a fox Quirin3', 'a fox Rosalba4', 'keys.jsonl', 'request_log.jsonl', '"kind":"hold"'])
    assert.ok(text.includes(part), part);
  assert.doesNotMatch(text, /previous_hash|"hash"|sealed|whsec_/);
});

test('an upload that names its end user is theirs, and one that does not is listed, and erased only when told to', async (t) => {
  const { accountId, key } = await openCustomer('plain');
  const send = async (query: string, form?: FormData) => {
    const raw = { 'content-type': 'image/png' };
    const answer = await fetch(`${url}/v1/files${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...(form === undefined ? raw : {}) },
      body: form ?? new Uint8Array(solidPng({ width: 64, height: 64, value: ++shade })),
    });
    const { data, error } = (await answer.json()) as {
      data: { file_id: string; end_user: string | null };
      error?: { param: string };
    };
    return { status: answer.status, ...data, error };
  };
  const order = async (endUser: string | null, ...files: string[]) => {
    const image_urls = files.map((id) => `upload:${id}`);
    const body = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', image_urls, end_user: endUser };
    const made = await call(key, 'POST', '/v1/images', body, { prefer: 'wait=60' });
    assert.equal(made.data.status, 'succeeded', JSON.stringify(made.body));
  };
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(solidPng({ width: 64, height: 64, value: 3 }))]), 'a.png');
  form.append('end_user', 'bob');
  const [named, inForm] = [await send('?end_user=bob'), await send('', form)];
  assert.deepEqual([named.end_user, inForm.end_user, inForm.status], ['bob', 'bob', 201]);
  assert.deepEqual([(await send('?end_user=..')).status, (await send('?end_user=ada', form)).status], [400, 400]);
  const [face, logo, own, unused] = [await send(''), await send(''), await send(''), await send('')];
  assert.equal(face.end_user, null);
  await order('bob', named.file_id, face.file_id);
  await order('bob', logo.file_id);
  await order('bob', own.file_id);
  await order('carol', logo.file_id);
  await order(null, own.file_id);

  const directory = await mkdtemp(join(tmpdir(), 'darkroom-export-'));
  t.after(() => rm(directory, { recursive: true }));
  const variables = { DARKROOM_URL: url, DARKROOM_API_KEY: admin };
  const words = ['privacy', 'export', accountId, 'bob', '--end-user', 'bob', '--json'];
  const exported = await runDarkroom(words, variables, directory);
  const { export_id: id } = JSON.parse(exported.stdout);
  const bytes = await readFile(join(directory, 'bob', `${id}-1.zip`));
  const names = entriesOf(bytes).map(({ name }) => name);
  for (const { file_id } of [named, inForm]) assert.ok(names.includes(`uploads/${file_id}`), names.join());
  const [missing] = linesOf<readonly string[]>(bytes, 'missing.json');
  for (const { file_id } of [face, logo, own]) assert.ok(missing?.includes(`uploads/${file_id}`), String(missing));

  const statusOf = async ({ file_id }: { file_id: string }) => (await call(key, 'GET', `/v1/files/${file_id}`)).status;
  const statuses = () => Promise.all([named, inForm, face, logo, own, unused].map(statusOf));
  const first = await erase({ account_id: accountId, end_user: 'bob' });
  assert.deepEqual([first.files, first.undecided, first.undecided_uploads], [2, 1, [face.file_id]]);
  assert.deepEqual(await statuses(), [404, 404, 200, 200, 200, 200]);
  const again = await erase({ account_id: accountId, end_user: 'bob', uploads: true });
  assert.deepEqual([again.files, again.undecided, again.uploads], [1, 0, true]);
  assert.deepEqual(await statuses(), [404, 404, 404, 200, 200, 200]);
  const { data } = await call(admin, 'GET', `/admin/v1/erasures/${first.erasure_id}`);
  assert.equal(data.undecided, 0, 'it is decided');
});
let shade = 10;

test('an export of several archives has every order once, with what belongs to it in the same archive', async (t) => {
  const accountId = await service.createAccount(null);
  const { key: first } = await issueKey({ mode: 'test', accountId });
  const { key: second } = await issueKey({ mode: 'test', accountId });
  const simulate = { outcome: 'content_policy' };
  const image = (prompt: string) => ({ operation: 'images', body: { model_id: 'sketch', prompt, simulate } });
  const video = (prompt: string) => ({
    operation: 'videos',
    body: { model_id: 'sketch-motion', prompt, duration: 1, simulate },
  });
  const prompts = (count: number, words: string) => Array.from({ length: count }, (_, place) => `${words} ${place}`);
  const placed: { readonly task_id: string; readonly prompt: string }[] = [];
  // 100 of one kind end exactly with an archive.
  for (const [key, orders] of [
    [first, [...prompts(100, 'a fox').map(image), ...prompts(30, 'a boat').map(video)]],
    [second, prompts(120, 'a hare').map(image)],
  ] as const) {
    const batch = await call(key, 'POST', '/v1/batches', { orders });
    await until(
      async () => (await call(key, 'GET', batch.data.urls.self)).data,
      ({ status }) => status !== 'processing',
    );
    for (const path of ['/v1/images', '/v1/videos'] as const)
      for (let after = ''; ; ) {
        const { data } = await call(key, 'GET', `${path}?limit=100${after}` as const);
        for (const { task_id, input } of data.items) placed.push({ task_id, prompt: String(input.prompt) });
        if (!data.has_more) break;
        after = `&after=${data.items.at(-1)?.task_id}`;
      }
  }
  assert.equal(placed.length, 250);
  const tagged = placed.filter((_, place) => place % 50 === 0).map(({ task_id }) => task_id);
  for (const id of tagged)
    for (const key of [first, second])
      await call(key, 'PUT', `/v1/${id.startsWith('vid_') ? 'videos' : 'images'}/${id}/tags`, { tags: ['kept'] });

  const directory = await mkdtemp(join(tmpdir(), 'darkroom-export-'));
  t.after(() => rm(directory, { recursive: true }));
  const variables = { DARKROOM_URL: url, DARKROOM_API_KEY: admin };
  const done = await runDarkroom(['privacy', 'export', accountId, 'all', '--json'], variables, directory);
  assert.equal(done.code, 0, done.stderr);
  const { archives, export_id: id } = JSON.parse(done.stdout);
  assert.equal(archives, 3);
  const parts = [];
  for (let number = 1; number <= archives; number++) {
    const bytes = await readFile(join(directory, 'all', `${id}-${number}.zip`));
    const [manifest] = linesOf<Manifest>(bytes, 'manifest.json');
    const orders = linesOf<{ readonly id: string; readonly input: { readonly prompt: string } }>(bytes, 'orders.jsonl');
    parts.push({ manifest, orders, tags: linesOf<{ readonly task_id: string }>(bytes, 'task_tags.jsonl') });
  }
  assert.deepEqual(
    parts.map(({ manifest }) => manifest?.orders),
    [100, 100, 50],
  );
  assert.deepEqual(
    parts.map(({ manifest }) => manifest?.after),
    [null, ...parts.slice(0, -1).map(({ manifest }) => manifest?.next)],
  );
  const byId = (one: { readonly task_id: string }, other: { readonly task_id: string }) =>
    one.task_id < other.task_id ? -1 : 1;
  const exported = parts.flatMap(({ orders }) => orders).map((row) => ({ task_id: row.id, prompt: row.input.prompt }));
  assert.deepEqual(exported.sort(byId), placed.sort(byId));
  for (const { orders, tags } of parts) {
    const here = orders.map((row) => row.id).filter((task) => tagged.includes(task));
    assert.deepEqual(tags.map((row) => row.task_id).sort(), here.sort());
  }
});

interface Manifest {
  readonly orders: number;
  readonly after: string | null;
  readonly next: string | null;
}

test("an erasure of an end user removes the requests about its orders, and an account's removes all of its keys", async () => {
  const { accountId, key } = await openCustomer('requests');
  const place = async (end_user: string) =>
    (await service.make(key, '/v1/images', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', end_user }))
      .task_id;
  const [, ofBob] = [await place('ada'), await place('bob')];
  await call(key, 'POST', '/v1/images', { model_id: 'sketch' });
  const tasksOf = async () => {
    const { data } = await call(admin, 'GET', `/admin/v1/requests?account_id=${accountId}` as '/admin/v1/requests');
    return data.items.map(({ task_id: id }) => id);
  };
  await until(tasksOf, ({ length }) => length === 3);
  await erase({ account_id: accountId, end_user: 'ada' });
  assert.deepEqual(await tasksOf(), [null, ofBob]);
  await erase({ account_id: accountId });
  assert.deepEqual(await tasksOf(), []);
});
