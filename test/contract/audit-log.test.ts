import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { AuditEntry } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { Housekeeping } from '../../src/worker/housekeeping.ts';
import { changingRequests, TESTED_ELSEWHERE } from '../helpers/audited-routes.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import type { OpenApiDocument } from '../helpers/openapi-document.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { runDarkroom } from '../helpers/run-darkroom.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { openTestServices } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** The audit log: who changed what, from where, before and after; without a secret, and for ever as it was written. */

const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] }),
]);
const engine = createScriptedEngine({ concurrency: 100, cancel: async () => true });
engine.answer = () => ({ status: 'pending', checkAfterMs: 600_000 });
const service = await startTestService(wholeFile, {
  env: {
    DARKROOM_CATALOG_DIR: overlay.directory,
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
    // Invitations need one.
    DARKROOM_OIDC_ISSUER: 'https://login.example.com',
    DARKROOM_OIDC_CLIENT_ID: 'darkroom',
    DARKROOM_SECRETS_KEY: randomBytes(32).toString('base64'),
    DARKROOM_TRUST_PROXY: '127.0.0.1',
  },
  service: { engines: [createSwiftEngine(), engine] },
});
const { call, config, keys, issueKey, database } = service;
const MARK = 'Lighthouse';
const admin = await issueKey({ mode: 'admin', name: MARK });
const requests = changingRequests(service);

/** All entries, oldest first, as the export has them. */
async function exported(query = ''): Promise<AuditEntry[]> {
  const answer = await fetch(`${service.url}/admin/v1/audit/export${query}`, {
    headers: { authorization: `Bearer ${keys.admin}` },
  });
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/jsonl; charset=utf-8']);
  const lines = (await answer.text()).split('\n');
  assert.equal(lines.pop(), '');
  return lines.map((line) => JSON.parse(line) as AuditEntry);
}
/** Without the note that an admin key is used where people sign in, which comes by itself. */
const ofAdmin = async () => (await exported(`?actor=${admin.key_id}`)).filter(({ act }) => act !== 'admin_key.use');
const send = (path: string, method: string, body?: object, headers: Record<string, string> = {}) =>
  call(admin.key, method, path, body, headers);

test('every changing route of operators leaves one entry for a change, none for a refusal and none for a repetition', async () => {
  const { body } = await call(null, 'GET', '/openapi.json');
  const document = body as OpenApiDocument;
  const changing = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => path.startsWith('/admin/v1/') && method !== 'get' && method !== 'head')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(
    changing.filter((route) => !TESTED_ELSEWHERE.includes(route)).sort(),
    Object.keys(requests).sort(),
    'a route that changes something has no request in test/helpers/audited-routes.ts',
  );
  for (const [route, prepare] of Object.entries(requests)) {
    const [method = ''] = route.split(' ');
    const { path, body } = await prepare();
    // A deed for many orders has an entry of its own, and later one of each order.
    const isForMany = /\/tasks\/\w+$/.test(route);
    const entries = async () => (await ofAdmin()).filter(({ act }) => !isForMany || act.startsWith('tasks.'));
    const before = await entries();
    assert.equal((await call(keys.test, method, path, body)).status, 403, route);
    assert.equal((await send(path, method, { ...body, unknown_field: 1 })).status < 300, body === undefined, route);
    const refused = await entries();
    // Routes without a body ignore one, so that request was the change.
    if (body !== undefined) assert.equal(refused.length, before.length, `${route} refused`);
    const request = body === undefined ? await prepare() : { path, body };
    const count = (await entries()).length;
    const idempotency = { 'idempotency-key': route, 'x-forwarded-for': '203.0.113.7' };
    const done = await send(request.path, method, request.body, idempotency);
    assert.ok(done.status < 300, `${route}: ${JSON.stringify(done.body)}`);
    const after = await entries();
    assert.equal(after.length, count + 1, route);
    const { actor, actor_kind, actor_name, address } = after.at(-1)!;
    assert.deepEqual([actor, actor_kind, actor_name, address], [admin.key_id, 'key', MARK, '203.0.113.7'], route);
    if (method !== 'POST') continue;
    const again = await send(request.path, method, request.body, idempotency);
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [done.status, 'true'], route);
    assert.equal((await entries()).length, count + 1, `${route} repeated`);
    if (!isForMany) continue;
    await until(
      async () => (await send(request.path, method, request.body, idempotency)).data as { readonly pending: number },
      ({ pending }) => pending === 0,
    );
  }
  await call(keys.admin, 'DELETE', '/admin/v1/hold');
});

test('the address of an entry has one notation, whatever a trusted proxy writes, and is the peer if it writes none', async () => {
  const id = await service.createAccount(null);
  const named = [
    ['203.0.113.11:5555', '203.0.113.11'],
    ['[2001:DB8::8]:4711', '2001:db8::8'],
    ['::ffff:203.0.113.10', '203.0.113.10'],
    ['fe80::1%eth0', 'fe80::1'],
    ['unknown', '127.0.0.1'],
    // The proxies behind the first one, which are trusted, are named in any form too.
    ['198.51.100.1, 203.0.113.12:80, [::ffff:127.0.0.1]:99', '203.0.113.12'],
    ['203.0.113.13, _hidden', '203.0.113.13'],
  ] as const;
  for (const [index, [forwarded]] of named.entries()) {
    const change = { credit_limit: `${index + 1}.00` };
    const answer = await send(`/admin/v1/accounts/${id}`, 'PATCH', change, { 'x-forwarded-for': forwarded });
    assert.equal(answer.status, 200);
  }
  assert.deepEqual(
    (await exported(`?target=${id}&act=account.change`)).map(({ address }) => address),
    named.map(([, address]) => address),
  );
});

test('a change has the fields that differ, before and after, and the same change again has no entry', async () => {
  const id = await service.createAccount(null);
  const change = { credit_limit: '5.00', hidden_models: ['flux-*'] };
  for (let count = 0; count < 2; count++)
    assert.equal((await send(`/admin/v1/accounts/${id}`, 'PATCH', change)).status, 200);
  const entries = (await exported(`?target=${id}&act=account.change`)).map(({ detail }) => detail);
  assert.deepEqual(entries, [
    {
      before: { credit_limit: null, hidden_models: [] },
      after: { credit_limit: '5.00', hidden_models: ['flux-*'] },
    },
  ]);
});

test('what a customer changes of webhooks, limits, buckets and upstream keys is on record with the key that did it', async () => {
  const accountId = await service.createAccount(null);
  const own = await issueKey({ mode: 'live', accountId, accountView: true, name: 'shop' });
  const steps: readonly [string, string, object | undefined, string][] = [
    ['PUT', '/v1/account/webhooks', { url: 'https://example.com/hook?token=abc' }, 'account.change'],
    ['POST', '/v1/account/webhooks/secret/rotate', undefined, 'webhook_secret.rotate'],
    ['PUT', '/v1/end_users/lou', { limits: { day: '1.00' } }, 'end_user.limits'],
    ['DELETE', '/v1/end_users/lou', undefined, 'end_user.limits'],
  ];
  for (const [method, path, body, act] of steps) {
    const answer = await call(own.key, method, path, body);
    assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    const entries = await exported(`?actor=${own.key_id}`);
    assert.equal(entries.at(-1)?.act, act);
    assert.deepEqual([entries.at(-1)?.actor_name, entries.at(-1)?.address], ['shop', '127.0.0.1']);
  }
  const entries = await exported(`?actor=${own.key_id}`);
  assert.equal(entries.length, steps.length);
  const text = JSON.stringify(entries);
  assert.match(text, /https:\/\/example\.com\/\[masked\]/);
  assert.doesNotMatch(text, /lou|token=abc/);
});

/** Ids, names and sentences that operators write: the log has them as they are, but for secrets of this service. */
const FREE_TEXTS = ['account_id', 'name', 'note', 'reason', 'message', 'resolution'];

test('a secret in any field of any changing route is not in the log', async () => {
  const accountId = await service.createAccount(null);
  const { key } = await issueKey({ mode: 'live', accountId, accountView: true });
  const ofCustomers: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
    ['PUT', '/v1/account/webhooks', { url: 'https://u:p@example.com/x' }],
    ['PUT', '/v1/end_users/bob', { limits: { day: '1.00' } }],
    [
      ...(['PUT', '/v1/destinations/mine'] as const),
      { bucket: 'abc', region: 'eu-central-1', access_key_id: 'AKIA0000', secret_access_key: 'x', path: '{task_id}' },
    ],
    ['PUT', '/v1/account/upstream_keys/fal', { secret: 'x' }],
  ];
  const planted: string[] = [];
  let accepted = 0;
  const plant = async (token: string, method: string, path: string, body: Readonly<Record<string, unknown>>) => {
    for (const [field, value] of Object.entries(body)) {
      if (typeof value !== 'string') continue;
      const id = randomBytes(18).toString('hex');
      const secrets = [`dk_live_${id}`, ...(FREE_TEXTS.includes(field) ? [] : [`s${id}`])];
      for (const secret of secrets) {
        const wish = field === 'url' ? `https://u:${secret}@example.com/${secret}?a=${secret}#${secret}` : secret;
        const answer = await call(token, method, path, { ...body, [field]: wish });
        assert.ok(answer.status < 500, `${method} ${path} ${field}`);
        if (answer.status < 300) accepted++;
        planted.push(secret);
      }
    }
  };
  for (const [route, prepare] of Object.entries(requests)) {
    const { path, body = {} } = await prepare();
    await plant(keys.admin, route.split(' ')[0] ?? '', path, body);
    // What is left as prepared stops no later order.
    for (const undo of ['engines/sketch/resume', 'models/sketch/resume', 'engines/sketch/circuit/close'])
      await call(keys.admin, 'POST', `/admin/v1/${undo}`);
    await call(keys.admin, 'DELETE', '/admin/v1/hold');
  }
  for (const [method, path, body] of ofCustomers) await plant(key, method, path, body);
  const rows = await database.read.all(database.read.builder.selectFrom('audit_log').selectAll());
  const log = JSON.stringify(rows);
  assert.ok(planted.length > 20 && accepted > 8, `${planted.length} secrets, ${accepted} accepted`);
  assert.deepEqual(
    planted.filter((secret) => log.includes(secret.replace('dk_live_', ''))),
    [],
  );
});

test('the log is searched by who, what, which and when, and pages without a gap', async () => {
  const list = async (query: string) =>
    (await call(keys.admin, 'GET', `/admin/v1/audit?limit=100&${query}`)).data.items;
  const all = await list('');
  const byName = await list(`actor=${MARK}`);
  assert.ok(byName.length > 10);
  assert.deepEqual(byName, await list(`actor=${admin.key_id}`));
  assert.ok((await list('act=key')).every(({ act }) => act.startsWith('key.')));
  assert.ok((await list('act=key.revoke')).every(({ act }) => act === 'key.revoke'));
  // Work that an earlier test began may add entries meanwhile. They are later, and of other actors.
  const [newest] = byName;
  assert.ok(newest);
  assert.equal((await list(`actor=${MARK}&from=${newest.created_at}`))[0]?.audit_id, newest.audit_id);
  assert.ok((await list(`to=${newest.created_at}`)).every(({ created_at: at }) => at < newest.created_at));
  const refused = await call(keys.admin, 'GET', '/admin/v1/audit?from=2026-02-30');
  assert.deepEqual([refused.status, refused.error.param], [400, 'from']);
  const ids = (await exported()).map(({ audit_id: id }) => id);
  assert.deepEqual([...ids].sort(), ids);
  const listed = all.map(({ audit_id: id }) => id);
  const known = ids.slice(0, ids.indexOf(listed[0] ?? '') + 1);
  assert.deepEqual(known.slice(-listed.length).reverse(), listed);
});

test('the command line lists and exports the same entries, and names its host', async () => {
  const { dataDirectory: directory } = config;
  const variables = {
    DARKROOM_DATA_DIR: directory,
    ...(config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: config.databaseUrl }),
  };
  const made = await runDarkroom(['accounts', 'create', 'from-shell', '--json'], variables, directory);
  assert.equal(made.code, 0, made.stderr);
  const { stdout } = await runDarkroom(['audit', 'export', '--target', 'from-shell'], variables, directory);
  const entries = stdout.trimEnd().split('\n');
  assert.deepEqual(
    entries.map((line) => JSON.parse(line)),
    await exported('?target=from-shell'),
  );
  const listed = await runDarkroom(
    ['audit', 'list', '--act', 'account', '--limit', '1', '--json'],
    variables,
    directory,
  );
  const [entry] = JSON.parse(listed.stdout).items as AuditEntry[];
  assert.deepEqual([entry?.actor, entry?.actor_kind, entry?.target], ['command line', 'program', 'from-shell']);
  assert.ok(entry?.address);
});

test('entries go after DARKROOM_AUDIT_DAYS, and only then', async (t) => {
  const { services, clock } = await openTestServices(t);
  const { createAccount } = await import('../../src/accounts/accounts.ts');
  const { listActs } = await import('@darkroom-service/addition-common/operators/search-acts');
  const act = () => ({ actor: 'test', now: clock.now(), createId: services.createId });
  const create = (id: string) => createAccount(services.database, act(), { id });
  const targets = async () =>
    (await listActs(services.database.read, { limit: 10, after: null })).items.map(({ target }) => target);
  await create('older');
  clock.advance(services.settings.auditMs);
  await create('newer');
  const housekeeping = new Housekeeping(services);
  t.after(() => housekeeping.stop());
  await housekeeping.runOnce();
  assert.ok((await targets()).includes('older'));
  clock.advance(1);
  await housekeeping.runOnce();
  assert.deepEqual(
    (await targets()).filter((one) => one === 'older' || one === 'newer'),
    ['newer'],
  );
});

test('no statement changes an entry, and one chore alone removes some', async () => {
  const touching: string[] = [];
  const root = `${import.meta.dirname}/../..`;
  for await (const file of glob('{src,{packages,additions}/*/src}/**/*.ts', { cwd: root })) {
    const text = await readFile(`${root}/${file}`, 'utf8');
    const writes = /(updateTable|deleteFrom|replaceInto)\('audit_log'|(update|delete from|drop table) audit_log/g;
    for (const [found] of text.matchAll(writes)) touching.push(`${file}: ${found}`);
  }
  assert.deepEqual(touching, ["src/worker/trim-audit.ts: deleteFrom('audit_log'"]);
});
