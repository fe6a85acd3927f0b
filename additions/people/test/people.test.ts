import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { startOidcProvider } from '../../../test/helpers/oidc-provider.ts';
import { startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { accept, type KeyWish, type SignedIn, signInAs, visit } from '../../../test/helpers/signed-in.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const provider = await startOidcProvider(wholeFile);
let skewMs = 0;
const service = await startTestService(wholeFile, {
  env: { ...provider.env, DARKROOM_OIDC_ROLES: 'designers=creator@default' },
  service: { clock: { now: () => Date.now() + skewMs }, engines: [createSwiftEngine()] },
});
provider.serve(service.url);
const { call, keys, make, issueKey, createAccount } = service;
const TEST: KeyWish = { account_id: 'default', mode: 'test' };
const LIVE: KeyWish = { account_id: 'default', mode: 'live' };
const ADMIN: KeyWish = { account_id: null, mode: 'admin' };
const FOX = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };

let number = 0;
function newPerson(groups: readonly string[] = []): { readonly sub: string; readonly email: string } {
  const sub = `person-${++number}`;
  const email = `${sub}@example.com`;
  provider.people.set(sub, { sub, email, email_verified: true, name: `Ada ${number}`, groups });
  return { sub, email };
}

/** Somebody who has come by an invitation. */
async function invited(
  role: string,
  accountId: string | null = 'default',
): Promise<SignedIn & { readonly id: string }> {
  const { sub, email } = newPerson();
  const body = { account_id: accountId, role, email };
  const { status, data, error } = await call(keys.admin, 'POST', '/admin/v1/invitations', body);
  assert.equal(status, 201, JSON.stringify(error));
  const browser = await signInAs(service, provider, sub, data.url ?? '');
  const { data: people } = await call(keys.admin, 'GET', '/admin/v1/people?limit=100');
  return { ...browser, id: people.items.find((person) => person.email === email)?.person_id ?? '' };
}

test('an invitation is accepted once, by the address that it is for, before it expires', async (t) => {
  t.after(() => {
    skewMs = 0;
    provider.tamper = null;
  });
  const { sub, email } = newPerson();
  const invite = async (wish: object) => (await call(keys.admin, 'POST', '/admin/v1/invitations', wish)).data;
  const { url: link } = await invite({ account_id: 'default', role: 'viewer', email });
  provider.signsIn = newPerson().sub;
  assert.match((await visit(new Map(), link ?? '')).text, /another email address/);
  provider.tamper = (path, answer) => void (path === '/me' && delete answer.email_verified);
  provider.signsIn = sub;
  assert.match((await visit(new Map(), link ?? '')).text, /does not say that the address is verified/);
  provider.tamper = (path, answer) => void (path === '/me' && Object.assign(answer, { email_verified: 'true' }));
  await signInAs(service, provider, sub, link ?? '');
  provider.tamper = null;
  provider.signsIn = newPerson().sub;
  assert.match((await visit(new Map(), link ?? '')).text, /was used already/);
  const withdrawn = await invite({ account_id: 'default', role: 'viewer' });
  const { status } = await call(keys.admin, 'DELETE', `/admin/v1/invitations/${withdrawn.invitation_id}`);
  assert.equal(status, 200);
  assert.equal((await visit(new Map(), withdrawn.url ?? '')).status, 403);
  const late = await invite({ account_id: 'default', role: 'viewer' });
  skewMs = 7 * 86_400_000 + 1000;
  assert.equal((await visit(new Map(), late.url ?? '')).status, 403);
});

test('an invitation is accepted by a button of its page, and by nothing that another page can send', async () => {
  const accountId = 'acme';
  await call(keys.admin, 'POST', '/admin/v1/accounts', { account_id: accountId, name: 'Acme <Studio>' });
  const manager = await invited('manager', accountId);
  const wish: KeyWish = { account_id: accountId, mode: 'live' };
  const { data: invitation } = await call(await manager.bearer(wish), 'POST', '/v1/account/invitations', {
    role: 'creator',
  });
  const { sub } = newPerson(['designers']);
  const before = await signInAs(service, provider, sub);
  const session = before.cookies.get('__Secure-darkroom-session');
  const page = await visit(before.cookies, invitation.url ?? '');
  assert.equal(page.status, 200);
  const { data: people } = await call(keys.admin, 'GET', '/admin/v1/people?limit=100');
  const inviter = people.items.find(({ person_id }) => person_id === manager.id);
  for (const told of ['Acme &lt;Studio&gt;', accountId, 'creator', inviter?.name, inviter?.email, `${sub}@example.com`])
    assert.ok(page.text.includes(told ?? ''), told ?? '');
  assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self'/);
  assert.equal(before.cookies.get('__Secure-darkroom-session'), session, 'nobody is signed in by the link');
  assert.equal((await before.trade(wish)).status, 403);

  const [, answer = ''] = /name="answer" value="([^"]+)"/.exec(page.text) ?? [];
  const send = (
    headers: Record<string, string>,
    cookies: Map<string, string>,
    body = new URLSearchParams({ answer }),
  ) => visit(new Map(cookies), `${service.url}/console/invitation`, { body, headers });
  const foreign = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }];
  for (const headers of foreign)
    assert.equal((await send(headers as Record<string, string>, before.cookies)).status, 403, JSON.stringify(headers));
  assert.equal((await send({}, new Map())).status, 403, 'another browser');
  assert.equal((await send({}, before.cookies, new URLSearchParams({ answer: `${answer}x` }))).status, 403);
  assert.equal((await call(null, 'GET', '/console/invitation')).status, 405);
  assert.equal((await before.trade(wish)).status, 403);

  const old = new Map(before.cookies);
  assert.equal((await accept(before.cookies, page)).status, 200);
  assert.equal((await before.trade(wish)).data.role, 'creator');
  assert.equal((await accept(before.cookies, page)).status, 403, 'used up');
  assert.match((await accept(old, page)).text, /was used already/);
});

test('whoever looks at an invitation and does not accept it is not kept', async () => {
  const { sub, email } = newPerson();
  const { data } = await call(keys.admin, 'POST', '/admin/v1/invitations', { role: 'owner' });
  provider.signsIn = sub;
  const page = await visit(new Map(), data.url ?? '');
  assert.match(page.text, /Join the operators as owner\?/);
  const { data: people } = await call(keys.admin, 'GET', '/admin/v1/people?limit=100');
  assert.ok(people.items.every((person) => person.email !== email));
  const { data: open } = await call(keys.admin, 'GET', '/admin/v1/invitations');
  assert.ok(open.items.some(({ invitation_id }) => invitation_id === data.invitation_id));
});

test('an invitation to a lower role takes none away', async () => {
  const manager = await invited('manager');
  const { data } = await call(keys.admin, 'POST', '/admin/v1/invitations', { account_id: 'default', role: 'viewer' });
  const page = await visit(manager.cookies, data.url ?? '');
  await accept(manager.cookies, page);
  assert.equal((await manager.trade(TEST)).data.role, 'manager');
});

test('a repeated request for an invitation answers without its link, and no list has it', async () => {
  const headers = { 'idempotency-key': 'invite-once' };
  const body = { role: 'owner' };
  const first = await call(keys.admin, 'POST', '/admin/v1/invitations', body, headers);
  const again = await call(keys.admin, 'POST', '/admin/v1/invitations', body, headers);
  assert.equal(again.data.invitation_id, first.data.invitation_id);
  assert.equal(again.data.url, null);
  const token = new URL(first.data.url ?? '').searchParams.get('invitation') ?? '';
  for (const path of ['/admin/v1/invitations', '/admin/v1/audit?limit=100'])
    assert.ok(!JSON.stringify((await call(keys.admin, 'GET', path)).body).includes(token), path);
});

test('a viewer sees the orders of everybody in the account and orders nothing, and finance sees no picture', async () => {
  const order = await make(keys.test, '/v1/images', FOX);
  const creator = await invited('creator');
  const drawn = await make(await creator.bearer(TEST), '/v1/images', FOX);
  const elsewhere = await issueKey({ mode: 'test', accountId: await createAccount(null) });
  const foreign = await make(elsewhere.key, '/v1/images', FOX);
  const viewer = await (await invited('viewer')).bearer(TEST);
  const { data } = await call(viewer, 'GET', '/v1/account/tasks?type=image');
  const listed = data.items.map(({ task, ordered_by }) => [task.task_id, ordered_by.person_id]);
  assert.deepEqual(listed.slice(0, 2), [
    [drawn.task_id, creator.id],
    [order.task_id, null],
  ]);
  assert.ok(!JSON.stringify(data).includes(foreign.task_id));
  for (const end of ['', '/content'])
    assert.equal((await call(viewer, 'GET', `/v1/account/tasks/${drawn.task_id}${end}`)).status, 200);
  assert.equal((await call(viewer, 'GET', `/v1/account/tasks/${foreign.task_id}`)).status, 404);
  assert.equal((await call(viewer, 'GET', `/v1/images/${order.task_id}`)).status, 404, 'keys are not shared');
  assert.equal((await call(viewer, 'POST', '/v1/images', FOX)).status, 403);
  const live = await (await invited('viewer')).bearer(LIVE);
  assert.equal((await call(live, 'GET', `/v1/account/tasks/${order.task_id}`)).status, 404, 'of another mode');

  const finance = await (await invited('finance')).bearer(TEST);
  const usage = await call(finance, 'GET', '/v1/account/usage?scope=account&group_by=end_user');
  assert.ok(
    usage.data.items.some(({ end_user }) => end_user === creator.id),
    JSON.stringify(usage.data),
  );
  assert.equal((await call(finance, 'GET', '/v1/account/ledger?scope=account')).status, 200);
  const receipt = await call(finance, 'GET', `/v1/images/${drawn.task_id}/receipt?scope=account`);
  assert.equal(receipt.status, 200, JSON.stringify(receipt.error));
  for (const { task_id: id } of [drawn, order])
    assert.equal((await call(finance, 'GET', `/v1/images/${id}/receipt`)).status, 200, 'of whichever key');
  assert.equal((await call(finance, 'GET', `/v1/images/${foreign.task_id}/receipt`)).status, 404);
  assert.equal((await call(viewer, 'GET', `/v1/images/${order.task_id}/receipt`)).status, 403);
  for (const path of ['/v1/account/tasks?type=image', `/v1/account/tasks/${drawn.task_id}/content`, '/v1/images'])
    assert.equal((await call(finance, 'GET', path)).status, 403, path);
});

test('a page of the orders of an account follows the one before, across the keys of everybody', async () => {
  const accountId = await createAccount(null);
  const wish: KeyWish = { account_id: accountId, mode: 'test' };
  const people = [await invited('creator', accountId), await invited('creator', accountId)];
  const made: TaskAnswer[] = [];
  for (let turn = 0; turn < 4; turn++)
    made.push(await make((await people[turn % 2]?.bearer(wish)) ?? '', '/v1/images', FOX));
  const viewer = await (await invited('viewer', accountId)).bearer(wish);
  const found: string[] = [];
  for (let after = '', more = true; more; ) {
    const page = await call(
      viewer,
      'GET',
      `/v1/account/tasks?type=image&limit=3${after === '' ? '' : `&after=${after}`}`,
    );
    found.push(...page.data.items.map(({ task }) => task.task_id));
    more = page.data.has_more;
    after = found.at(-1) ?? '';
  }
  assert.deepEqual(found, made.map(({ task_id }) => task_id).reverse());
});

test('a manager limits what a creator spends, with single orders and with batches', async () => {
  const accountId = await createAccount(null);
  const live: KeyWish = { account_id: accountId, mode: 'live' };
  const manager = await invited('manager', accountId);
  const creator = await invited('creator', accountId);
  const path = `/v1/account/members/${creator.id}` as const;
  const bearer = await creator.bearer(live);
  const body = { limits: { day: '0.012', timezone: 'Asia/Kathmandu' } };
  const changed = await call(await manager.bearer(live), 'PATCH', path, body);
  assert.equal(changed.status, 200, JSON.stringify(changed.error));
  const { limits, windows } = changed.data;
  assert.deepEqual([limits, windows.day.limit], [body.limits, '0.012']);
  assert.match(windows.day.resets_at ?? '', /T18:15:00\.000Z$/, 'midnight in Kathmandu');
  assert.equal((await call(bearer, 'PATCH', path, { limits: {} })).status, 403);
  assert.equal((await call(bearer, 'PUT', `/v1/end_users/${creator.id}`, body)).status, 403, 'nor by the other way');
  // Each costs 0.005.
  const batch = { orders: [{ operation: 'images', body: FOX, vary: { seed: [1, 2, 3] } }] };
  const tooMuch = await call(bearer, 'POST', '/v1/batches', batch);
  assert.equal(tooMuch.error.code, 'end_user_limit_reached', JSON.stringify(tooMuch.body));
  assert.match(tooMuch.error.message, /ask a manager of the account/);
  for (let turn = 0; turn < 2; turn++) assert.equal((await call(bearer, 'POST', '/v1/images', FOX)).status, 201);
  assert.equal((await call(bearer, 'POST', '/v1/images', FOX)).error.code, 'end_user_limit_reached');
  const foreign = await call(bearer, 'POST', '/v1/images', { ...FOX, end_user: 'somebody else' });
  assert.deepEqual([foreign.error.code, foreign.error.param], ['unsupported_field', 'end_user']);
});

test('a manager manages the keys and the members of one account, and reaches nothing of another', async () => {
  const accountId = await createAccount(null);
  const wish: KeyWish = { account_id: accountId, mode: 'live' };
  const manager = await (await invited('manager', accountId)).bearer(wish);
  const made = await call(manager, 'POST', '/v1/account/keys', { mode: 'test', name: 'of the shop' });
  assert.equal(made.status, 201);
  assert.equal((await call(made.data.key, 'GET', '/v1/account')).data.account_id, accountId);
  assert.equal((await call(manager, 'POST', '/v1/account/keys', { mode: 'admin' } as object)).status, 400);
  const { data: listed } = await call(manager, 'GET', '/v1/account/keys');
  assert.deepEqual(
    listed.items.map(({ name }) => name),
    ['of the shop'],
    'no key of a person',
  );
  for (const act of ['rotate', 'revoke'])
    assert.equal((await call(manager, 'POST', `/v1/account/keys/${made.data.key_id}/${act}`)).status, 200);

  // An admin key is stored in the account `default`.
  const near = await (await invited('manager')).bearer(LIVE);
  const { data: all } = await call(keys.admin, 'GET', '/admin/v1/keys?limit=100');
  const foreign = all.items.filter(({ account_id, mode }) => account_id !== 'default' || mode === 'admin');
  assert.ok(foreign.some(({ mode }) => mode === 'admin'));
  for (const { key_id } of foreign)
    for (const act of ['rotate', 'revoke'])
      assert.equal((await call(near, 'POST', `/v1/account/keys/${key_id}/${act}`)).status, 404);
  const { data: members } = await call(manager, 'GET', '/v1/account/members');
  const stranger = members.items[0]?.person_id ?? '';
  for (const method of ['PATCH', 'DELETE'] as const)
    assert.equal(
      (await call(near, method, `/v1/account/members/${stranger}`, method === 'PATCH' ? { role: 'viewer' } : undefined))
        .status,
      404,
    );
  const invitation = (await call(manager, 'POST', '/v1/account/invitations', { role: 'viewer' })).data;
  assert.equal((await call(near, 'DELETE', `/v1/account/invitations/${invitation.invitation_id}`)).status, 404);
  assert.equal((await call(manager, 'POST', '/v1/account/invitations', { role: 'owner' } as object)).status, 400);
});

test('a role that is changed or taken ends its bearers at once', async () => {
  const owner = await invited('owner', null);
  const admin = await owner.bearer(ADMIN);
  const creator = await invited('creator');
  const before = await creator.bearer(TEST);
  const order = await make(before, '/v1/images', FOX);
  const set = (role: string | null) =>
    call(admin, 'PUT', `/admin/v1/people/${creator.id}/role`, { account_id: 'default', role });
  assert.equal((await set('viewer')).status, 200);
  assert.equal((await call(before, 'GET', '/v1/account')).status, 401);
  const viewing = await creator.bearer(TEST);
  assert.equal((await call(viewing, 'POST', '/v1/images', FOX)).status, 403);
  assert.equal((await call(viewing, 'GET', `/v1/images/${order.task_id}`)).status, 200, 'the orders stay');
  assert.equal((await set('owner')).status, 400, 'a role of operators');
  assert.equal((await set(null)).status, 200);
  assert.equal((await call(viewing, 'GET', '/v1/account')).status, 401);
  assert.equal((await creator.trade(TEST)).status, 403);
  assert.equal((await fetch(order.outputs[0]?.url ?? '')).status, 200, 'files stay with the account');
  const { data: audit } = await call(admin, 'GET', '/admin/v1/audit?limit=20');
  assert.ok(
    audit.items.some(({ actor, act, target }) => actor === owner.id && act === 'member.role' && target === creator.id),
  );
});

test('an operator ends the sessions of a person everywhere', async () => {
  const operator = await (await invited('operator', null)).bearer(ADMIN);
  const creator = await invited('creator');
  const bearer = await creator.bearer(TEST);
  const { status, data } = await call(operator, 'POST', `/admin/v1/people/${creator.id}/sign_out`);
  assert.equal(status, 200);
  assert.equal(data.sessions, 0);
  assert.equal((await call(bearer, 'GET', '/v1/account')).status, 401);
  assert.equal((await creator.trade(TEST)).status, 401);
});

test('a person who is removed has no name, role or session any more, and their orders stay', async () => {
  const creator = await invited('creator');
  const bearer = await creator.bearer(TEST);
  const { task_id: id } = await make(bearer, '/v1/images', FOX);
  const removed = await call(keys.admin, 'DELETE', `/admin/v1/people/${creator.id}`);
  assert.equal(removed.status, 200);
  assert.equal((await call(keys.admin, 'DELETE', `/admin/v1/people/${creator.id}`)).status, 404);
  assert.equal((await call(bearer, 'GET', '/v1/images')).status, 401);
  await assert.rejects(creator.bearer(TEST));
  const { data: people } = await call(keys.admin, 'GET', '/admin/v1/people?limit=100');
  assert.ok(people.items.every(({ person_id }) => person_id !== creator.id));
  const { data: order } = await call(keys.admin, 'GET', `/admin/v1/tasks/${id}`);
  assert.deepEqual([order.status, order.key_name], ['succeeded', creator.id]);
});

test('whoever is removed leaves keys that work: the answers list those that the person knows, and revoke them if told to', async () => {
  const accountId = await createAccount(null);
  const wish: KeyWish = { account_id: accountId, mode: 'live' };
  const [leaver, manager] = [await invited('manager', accountId), await invited('manager', accountId)];
  const [of, by] = [await leaver.bearer(wish), await manager.bearer(wish)];
  const make = async (bearer: string, name: string) =>
    (await call(bearer, 'POST', '/v1/account/keys', { mode: 'test', name })).data;
  const rotate = (bearer: string, id: string, grace: number) =>
    call(bearer, 'POST', `/v1/account/keys/${id}/rotate`, { grace_seconds: grace });
  const [made, rotated, taken, graced, ended] = [
    await make(of, 'made'),
    await make(by, 'rotated'),
    await make(of, 'taken over'),
    await make(of, 'in grace'),
    await make(of, 'ended'),
  ];
  await make(by, 'of others');
  await rotate(of, rotated.key_id, 0);
  await rotate(by, taken.key_id, 0);
  await rotate(by, graced.key_id, 3600);
  await call(of, 'POST', `/v1/account/keys/${ended.key_id}/revoke`);
  const removed = await call(by, 'DELETE', `/v1/account/members/${leaver.id}`);
  const ids = [made, rotated, graced].map(({ key_id: id }) => id).sort();
  assert.equal(removed.status, 200, JSON.stringify(removed.body));
  assert.deepEqual(removed.data.keys.map(({ key_id: id }) => id).sort(), ids, JSON.stringify(removed.body));
  assert.equal((await call(made.key, 'GET', '/v1/account')).status, 200);
  assert.ok(!JSON.stringify(removed.body).includes(made.key ?? '-'));
  const gone = await call(keys.admin, 'DELETE', `/admin/v1/people/${leaver.id}?revoke_keys=true`);
  assert.equal(gone.status, 200, JSON.stringify(gone.body));
  assert.deepEqual(gone.data.keys.map(({ key_id: id }) => id).sort(), ids);
  assert.ok(gone.data.keys.every(({ revoked_at }) => revoked_at !== null));
  assert.equal((await call(made.key, 'GET', '/v1/account')).status, 401);
  assert.equal((await call(taken.key, 'GET', '/v1/account')).status, 401, 'rotated without grace');
});

test('an operator runs the service and can become nothing more', async () => {
  const operator = await (await invited('operator', null)).bearer(ADMIN);
  assert.equal((await call(operator, 'POST', '/admin/v1/models/sketch/pause')).status, 200);
  assert.equal((await call(operator, 'POST', '/admin/v1/models/sketch/resume')).status, 200);
  const { data: audit } = await call(operator, 'GET', '/admin/v1/audit?limit=1');
  assert.match(audit.items[0]?.actor ?? '', /^psn_/);
  assert.equal((await call(operator, 'POST', '/admin/v1/keys', { mode: 'admin' })).status, 403);
  assert.equal((await call(operator, 'POST', '/admin/v1/invitations', { role: 'owner' })).status, 403);
});

test('the keys behind people are in no list, and nobody can rotate, change or revoke them', async () => {
  await (await invited('creator')).bearer(TEST);
  const { read } = service.database;
  const rows = await read.all(read.builder.selectFrom('person_keys').select('key_id'));
  const { data } = await call(keys.admin, 'GET', '/admin/v1/keys?limit=100');
  assert.ok(rows.length > 0);
  for (const { key_id } of rows) {
    assert.ok(!data.items.some((key) => key.key_id === key_id));
    for (const act of ['rotate', 'revoke'])
      assert.equal((await call(keys.admin, 'POST', `/admin/v1/keys/${key_id}/${act}`)).status, 404);
    assert.equal((await call(keys.admin, 'PATCH', `/admin/v1/keys/${key_id}`, { name: 'mine' })).status, 404);
  }
});

test('what only people may do is refused to API keys', async () => {
  const { key } = await issueKey({ mode: 'test', accountView: true });
  for (const path of [
    '/v1/account/members',
    '/v1/account/keys',
    '/v1/account/tasks?type=image',
    '/v1/account/invitations',
  ])
    assert.equal((await call(key, 'GET', path)).status, 403, path);
});

test('the audit log tells that an admin key was used where people sign in', async () => {
  const { key, key_id } = await issueKey({ mode: 'admin', name: 'break glass' });
  for (let turn = 0; turn < 2; turn++) assert.equal((await call(key, 'GET', '/admin/v1/engines')).status, 200);
  const uses = await until(
    async () => {
      const { data } = await call(key, 'GET', '/admin/v1/audit?limit=100');
      return data.items.filter(({ actor, act }) => actor === key_id && act === 'admin_key.use');
    },
    (found) => found.length > 0,
  );
  assert.equal(uses.length, 1);
});

test('the OpenAI mount and the MCP server take the bearer of a person, for what the role may do', async () => {
  const [creator, viewer] = [await invited('creator'), await invited('viewer')];
  const statuses = async (bearer: string, calls: readonly (readonly [string, string, object?])[]) => {
    const found: number[] = [];
    for (const [method, path, body] of calls) {
      const { status } = await call(bearer, method, path, body);
      found.push(status);
    }
    return found;
  };
  const create = async (bearer: string) => {
    const params = { name: 'create_picture', arguments: FOX };
    const accept = { accept: 'application/json, text/event-stream' };
    const { body } = await call(
      bearer,
      'POST',
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      accept,
    );
    return JSON.stringify(body);
  };
  const reads = [
    ['GET', '/openai/v1/models'],
    ['GET', '/openai/v1/videos'],
    ['GET', '/openai/v1/videos/vid_none'],
    ['GET', '/openai/v1/images/tasks/call_none'],
  ] as const;
  const orders = [
    ['POST', '/openai/v1/images/generations', { model: 'sketch', prompt: 'a fox' }],
    ['POST', '/openai/v1/videos', { model: 'none', prompt: 'a fox' }],
    ['DELETE', '/openai/v1/videos/vid_none'],
  ] as const;
  const [asCreator, asViewer] = [await creator.bearer(TEST), await viewer.bearer(TEST)];
  assert.deepEqual(await statuses(asCreator, [...reads, ...orders]), [200, 200, 404, 404, 200, 404, 404]);
  assert.deepEqual(await statuses(asViewer, [...reads, ...orders]), [200, 200, 404, 404, 403, 403, 403]);
  const { items } = (await call(asCreator, 'GET', '/v1/images')).data;
  assert.equal((items[0] as unknown as { end_user: string }).end_user, creator.id);

  assert.match(await create(asCreator), /img_/);
  assert.match(await create(asViewer), /forbidden: The role 'viewer' may not do this/);
});
