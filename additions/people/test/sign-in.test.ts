import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../../src/base/log.ts';
import { startOidcProvider } from '../../../test/helpers/oidc-provider.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { browserOf, type Cookies, type SignedIn, signInAs, visit } from '../../../test/helpers/signed-in.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const provider = await startOidcProvider(wholeFile);
let skewMs = 0;
const clock = { now: () => Date.now() + skewMs };
const lines: string[] = [];
/** The fields of the last log line with this text. */
const logged = (text: string) => JSON.parse(lines.findLast((line) => line.includes(text)) ?? 'null');
const service = await startTestService(wholeFile, {
  env: {
    ...provider.env,
    DARKROOM_OIDC_DOMAINS: 'example.com',
    DARKROOM_OIDC_ROLES: 'designers=creator@default,support=operator,admins=owner,nowhere=viewer@missing',
  },
  service: {
    clock,
    engines: [createSwiftEngine()],
    log: createLog('info', { write: (line) => void lines.push(line) }),
  },
});
provider.serve(service.url);
const { call, keys, url } = service;
const TEST = { account_id: 'default', mode: 'test' } as const;
const FOX = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };

let number = 0;
/** Somebody new in these groups. */
function newPerson(groups: readonly string[] = ['designers'], more: object = {}): string {
  const sub = `person-${++number}`;
  provider.people.set(sub, {
    sub,
    email: `${sub}@example.com`,
    email_verified: true,
    name: `Ada ${number}`,
    groups,
    ...more,
  });
  return sub;
}
const setGroups = (sub: string, groups: readonly string[]) => {
  const person = provider.people.get(sub);
  assert.ok(person);
  provider.people.set(sub, { ...person, groups });
};

test('a person signs in, orders with a bearer of five minutes, and the order belongs to that person alone', async () => {
  const ada = await signInAs(service, provider, newPerson());
  const { status, data } = await ada.trade(TEST);
  assert.equal(status, 200);
  assert.equal(data.role, 'creator');
  const left = Date.parse(data.expires_at) - clock.now();
  assert.ok(left > 200_000 && left <= 300_000, `${left} ms`);
  const task = await service.make(data.token, '/v1/images', FOX);
  assert.equal(task.status, 'succeeded');
  const { data: own } = await call(await ada.bearer(TEST), 'GET', '/v1/images');
  assert.deepEqual(
    own.items.map(({ task_id }) => task_id),
    [task.task_id],
  );
  const bob = await signInAs(service, provider, newPerson());
  const { data: others } = await call(await bob.bearer(TEST), 'GET', '/v1/images');
  assert.deepEqual(others.items, []);
});

/** The address that the provider sends the browser back to, not yet visited. */
async function untilCallback(sub: string): Promise<{ readonly cookies: Cookies; readonly callback: string }> {
  provider.signsIn = sub;
  const cookies: Cookies = new Map();
  const stopAt = (to: string) => to.startsWith(`${url}/console/callback`);
  const { url: callback } = await visit(cookies, `${url}/console/sign-in`, { stopAt });
  assert.match(callback, /\?code=/);
  return { cookies, callback };
}

async function assertRefused(cookies: Cookies, address: string, status = 403): Promise<string> {
  const end = await visit(cookies, address);
  assert.equal(end.status, status, end.text);
  assert.match(end.text, /You are not signed in/);
  assert.ok(!cookies.has('__Secure-darkroom-session'));
  return end.text;
}

test('a sign-in with another state, in another browser, or with a code that was used is refused', async () => {
  const { cookies, callback } = await untilCallback(newPerson());
  const changed = callback.replace(/state=[^&]+/, 'state=somebody-elses');
  const asked = provider.asked.length;
  await assertRefused(new Map(cookies), changed);
  await assertRefused(new Map(), callback);
  assert.equal(provider.asked.length, asked, 'the provider is not asked about it');
  const copy = new Map(cookies);
  assert.equal((await visit(cookies, callback)).status, 200);
  assert.ok(cookies.has('__Secure-darkroom-session'));
  assert.match(await assertRefused(copy, callback), /invalid_grant/);
});

test('two tabs of one browser sign in at once, and only so many sign-ins stay open', async () => {
  provider.signsIn = newPerson();
  const cookies: Cookies = new Map();
  const begin = async (page: string) => {
    const stopAt = (to: string) => to.startsWith(provider.issuer);
    return (await visit(cookies, `${url}/console/sign-in?page=${page}`, { stopAt })).url;
  };
  const finish = (address: string) =>
    visit(cookies, address, { stopAt: (to) => to.startsWith(url) && !to.startsWith(`${url}/console`) });
  const first = await begin('/history');
  assert.equal((await finish(await begin('/money/usage'))).url, `${url}/#/money/usage`);
  assert.equal((await finish(first)).url, `${url}/#/history`);
  const begun: string[] = [];
  for (let turn = 0; turn < 10; turn++) begun.push(await begin('/'));
  assert.equal([...cookies.keys()].filter((name) => name.includes('sign-in')).length, 8);
  assert.match((await finish(begun[0] ?? '')).text, /has not begun this sign-in/);
  assert.equal((await finish(begun[9] ?? '')).url, `${url}/#/`);
});

test('tokens with a rotated key are accepted, and those of a withdrawn key, another nonce or audience, or the past are not', async (t) => {
  provider.rotateKeys({ keepsOld: true });
  await signInAs(service, provider, newPerson());
  provider.rotateKeys({ keepsOld: false });
  await signInAs(service, provider, newPerson());
  t.after(() => {
    provider.tamper = null;
  });
  const now = Math.floor(Date.now() / 1000);
  const wrong: [change: object, key: 'current' | 'withdrawn', head?: object][] = [
    [{}, 'withdrawn'],
    [{ nonce: 'somebody-elses' }, 'current'],
    [{ aud: 'another-client' }, 'current'],
    [{ iss: 'https://issuer.example' }, 'current'],
    [{ iat: now - 7200, exp: now - 3600 }, 'current'],
    [{ iat: now + 7200, exp: now + 9000 }, 'current'],
    [{ sub: 'some\0body' }, 'current'],
    [{}, 'current', { alg: 'none' }],
  ];
  for (const [change, key, head] of wrong) {
    const { cookies, callback } = await untilCallback(newPerson());
    provider.tamper = (path, answer) => {
      if (path !== '/token') return;
      const claims = JSON.parse(Buffer.from(String(answer.id_token).split('.')[1] ?? '', 'base64url').toString());
      answer.id_token = provider.sign({ ...claims, ...change }, key, head);
    };
    await assertRefused(cookies, callback);
    provider.tamper = null;
  }
});

test('a minute of clock skew is tolerated, and hours are not', async (t) => {
  t.after(() => {
    skewMs = 0;
  });
  for (const skew of [45_000, -45_000]) {
    skewMs = skew;
    await signInAs(service, provider, newPerson());
  }
  skewMs = 2 * 3_600_000;
  const { cookies, callback } = await untilCallback(newPerson());
  await assertRefused(cookies, callback);
});

test('while the provider is away nobody signs in and no bearer is issued anew, keys work, and sessions go on afterwards', async (t) => {
  const ada = await signInAs(service, provider, newPerson());
  const bearer = await ada.bearer(TEST);
  provider.isAway = true;
  t.after(() => {
    provider.isAway = false;
    skewMs = 0;
  });
  assert.equal((await ada.trade(TEST)).status, 200, 'the provider was asked less than a minute ago');
  skewMs = 61_000;
  const refused = await ada.trade(TEST);
  assert.equal(refused.status, 503);
  assert.match(refused.error.message, /use an API key/);
  assert.equal((await call(keys.test, 'GET', '/v1/account')).status, 200);
  assert.equal((await call(bearer, 'GET', '/v1/account')).status, 200);
  const { cookies, callback } = {
    cookies: new Map<string, string>(),
    callback: `${url}/console/callback?code=a&state=b`,
  };
  await assertRefused(cookies, callback);
  skewMs = 301_000;
  assert.equal((await call(bearer, 'GET', '/v1/account')).error.code, 'expired_api_key');
  provider.isAway = false;
  assert.equal((await ada.trade(TEST)).status, 200);
});

test('whoever leaves a group has no access after five minutes, and none at once when asked about', async (t) => {
  t.after(() => {
    skewMs = 0;
  });
  const sub = newPerson(['designers', 'support']);
  const ada = await signInAs(service, provider, sub);
  const [creator, operator] = [await ada.bearer(TEST), await ada.bearer({ account_id: null, mode: 'admin' })];
  assert.equal((await call(operator, 'GET', '/admin/v1/engines')).status, 200);
  setGroups(sub, ['designers']);
  skewMs = 61_000;
  assert.equal((await ada.trade({ account_id: null, mode: 'admin' })).status, 403);
  assert.equal((await call(operator, 'GET', '/admin/v1/engines')).status, 401, 'the role is gone');
  assert.equal((await call(creator, 'GET', '/v1/account')).status, 200, 'the other role is not');
  setGroups(sub, []);
  skewMs = 299_000;
  assert.equal((await call(creator, 'GET', '/v1/account')).status, 200);
  skewMs = 301_000;
  assert.equal((await call(creator, 'GET', '/v1/account')).status, 401);
  assert.equal((await ada.trade(TEST)).status, 403);
});

test('whoever is deleted at the provider is signed out', async (t) => {
  t.after(() => {
    skewMs = 0;
  });
  const sub = newPerson();
  const ada = await signInAs(service, provider, sub);
  provider.people.delete(sub);
  skewMs = 61_000;
  assert.equal((await ada.trade(TEST)).status, 401);
  assert.equal((await ada.trade(TEST)).status, 401);
});

test('an access token that has expired is renewed once, however many tabs ask', async (t) => {
  t.after(() => {
    skewMs = 0;
  });
  const ada = await signInAs(service, provider, newPerson());
  for (const minutes of [15, 30]) {
    skewMs = minutes * 60_000;
    const asked = provider.asked.length;
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await ada.trade(TEST)).status));
    assert.deepEqual(statuses, [200, 200, 200, 200]);
    assert.equal(provider.asked.slice(asked).filter((path) => path === '/token').length, 1);
  }
});

test('a session ends after twelve hours without use, and after a week of it', async (t) => {
  t.after(() => {
    skewMs = 0;
  });
  const idle = await signInAs(service, provider, newPerson());
  const busy = await signInAs(service, provider, newPerson());
  const HOUR = 3_600_000;
  for (let hours = 8; hours < 7 * 24; hours += 8) {
    skewMs = hours * HOUR;
    // The provider forgets after a day; here only the service's own limits count.
    await service.database.write('test', (trx) =>
      trx.run(trx.builder.updateTable('person_sessions').set({ checked_at: clock.now() })),
    );
    if (hours === 16) assert.equal((await idle.trade(TEST)).status, 401);
    assert.equal((await busy.trade(TEST)).status, 200, `${hours} h`);
  }
  skewMs = 7 * 24 * HOUR + 1000;
  assert.equal((await busy.trade(TEST)).status, 401);
});

test('the provider ends a session by back-channel logout, at once and with its bearers, and nobody else can', async () => {
  const sub = newPerson();
  const ada = await signInAs(service, provider, sub);
  const bearer = await ada.bearer(TEST);
  const { read } = service.database;
  const row = await read.first(
    read.builder
      .selectFrom('person_sessions')
      .innerJoin('people', 'people.id', 'person_sessions.person_id')
      .select('provider_session')
      .where('subject', '=', sub),
  );
  const sid = row?.provider_session ?? '';
  assert.notEqual(sid, '');
  const now = Math.floor(Date.now() / 1000);
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const good = { iss: provider.issuer, aud: 'darkroom', iat: now, jti: 'a', sub, sid, events: event };
  const forged = [
    provider.sign(good, 'withdrawn'),
    provider.sign({ ...good, aud: 'another-client' }, 'current'),
    provider.sign({ ...good, iss: 'https://issuer.example' }, 'current'),
    provider.sign({ ...good, nonce: 'an ID token' }, 'current'),
    provider.sign({ ...good, events: {} }, 'current'),
    provider.sign({ ...good, iat: now - 3600 }, 'current'),
    provider.sign({ ...good, sub: undefined, sid: undefined }, 'current'),
    provider.sign({ ...good, sub: { $ne: null } }, 'current'),
    provider.sign({ ...good, sub: ['a'] }, 'current'),
    provider.sign({ ...good, sub: `${sub}\0` }, 'current'),
    provider.sign({ ...good, sub: 7 }, 'current'),
    provider.sign({ ...good, sid: {} }, 'current'),
    provider.sign({ ...good, jti: {} }, 'current'),
    provider.sign({ ...good, events: 'backchannel-logout' }, 'current'),
    provider.sign({ ...good, iat: now + 3600 }, 'current'),
    provider.sign(good, 'current', { alg: 'none' }),
    'nothing',
  ];
  const send = (token: string) =>
    fetch(`${url}/console/back-channel-logout`, { method: 'POST', body: new URLSearchParams({ logout_token: token }) });
  for (const token of forged) assert.equal((await send(token)).status, 400, token);
  assert.equal((await call(bearer, 'GET', '/v1/account')).status, 200);
  await provider.logOut(sub, sid);
  assert.equal((await call(bearer, 'GET', '/v1/account')).status, 401);
  assert.equal((await ada.trade(TEST)).status, 401);
  const ofPerson = provider.sign({ ...good, sid: undefined, jti: 'of the person' }, 'current');
  assert.equal((await send(ofPerson)).status, 200);
  const later = await signInAs(service, provider, sub);
  assert.equal((await send(ofPerson)).status, 200);
  assert.equal((await later.trade(TEST)).status, 200, 'a token works once');
});

test('signing out ends the session and its bearers, and the cookie is no credential elsewhere', async () => {
  const ada = await signInAs(service, provider, newPerson(['admins']));
  const bearer = await ada.bearer({ account_id: null, mode: 'admin' });
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const by = (headers: Record<string, string>, path = '/console/session/end') =>
    call(null, 'POST', path, {}, { cookie, ...headers });
  for (const path of ['/v1/account', '/admin/v1/engines']) {
    const { status } = await call(null, 'GET', path, undefined, { cookie });
    assert.equal(status, 401, path);
  }
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])
    assert.equal((await by(headers as Record<string, string>)).status, 403, JSON.stringify(headers));
  assert.equal((await call(bearer, 'GET', '/admin/v1/engines')).status, 200);
  assert.equal((await by({ origin: url, 'sec-fetch-site': 'same-origin' })).status, 200);
  assert.equal((await call(bearer, 'GET', '/admin/v1/engines')).status, 401);
  assert.equal((await browserOf(service, ada.cookies).trade(TEST)).status, 401);
});

test('signing out ends the session of the provider too, if it has a page for that', async (t) => {
  const signOut = async (at: typeof service, { cookies }: SignedIn) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { data } = await at.call(null, 'POST', '/console/session/end', {}, { cookie });
    return (data as unknown as { readonly sign_out_url: string | null }).sign_out_url;
  };
  const ada = await signInAs(service, provider, newPerson());
  const page = new URL((await signOut(service, ada)) ?? '');
  const { client_id, post_logout_redirect_uri, id_token_hint = '' } = Object.fromEntries(page.searchParams);
  assert.deepEqual([page.origin, client_id, post_logout_redirect_uri], [provider.issuer, 'darkroom', `${url}/`]);
  assert.equal(JSON.parse(Buffer.from(id_token_hint.split('.')[1] ?? '', 'base64url').toString()).aud, 'darkroom');
  assert.match((await visit(ada.cookies, page.href)).text, /Sign out everywhere/);

  const other = await startTestService(t, {
    env: { ...provider.env, DARKROOM_OIDC_ROLES: 'designers=creator@default' },
  });
  t.after(() => {
    provider.tamper = null;
    provider.serve(url);
  });
  provider.serve(other.url);
  provider.tamper = (path, answer) => {
    if (path === '/.well-known/openid-configuration') delete answer.end_session_endpoint;
  };
  assert.equal(await signOut(other, await signInAs(other, provider, newPerson())), null);
});

test('cookies are for no script, no other site and no other path, and no link leads out of the console', async () => {
  provider.signsIn = newPerson();
  const lines: string[] = [];
  const cookies: Cookies = new Map();
  const stopAt = (to: string) => to.startsWith(`${url}/console/callback`);
  const begin = await fetch(`${url}/console/sign-in`, { redirect: 'manual' });
  lines.push(...begin.headers.getSetCookie());
  const pages = [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/a/../..//evil.example',
    'javascript:alert(1)',
  ];
  for (const page of [...pages, '/history']) {
    const address = `${url}/console/sign-in?page=${encodeURIComponent(page)}`;
    const { url: callback } = await visit(cookies, address, { stopAt });
    const back = await visit(cookies, callback, { stopAt: (to) => !to.startsWith(`${url}/console`) });
    assert.equal(back.url, `${url}/#${page === '/history' ? page : '/'}`);
    lines.push(...back.headers.getSetCookie());
  }
  assert.ok(lines.some((line) => /^__Secure-darkroom-session=dps_/.test(line)));
  for (const line of lines)
    assert.match(
      line,
      /^__Secure-darkroom-[a-z0-9-]+=[^;]*; Path=\/console; Max-Age=\d+; HttpOnly; Secure; SameSite=Lax$/,
    );
});

test('nobody without a role gets in, nor is kept', async () => {
  const sub = newPerson(['strangers']);
  provider.signsIn = sub;
  assert.match(await assertRefused(new Map(), `${url}/console/sign-in`), /Ask a manager of your account/);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/people?limit=100');
  assert.ok(!data.items.some(({ email }) => email === `${sub}@example.com`));
});

test('a group may come as one text, and an address that is verified as the text "true"; what is missing is said', async (t) => {
  t.after(() => {
    provider.tamper = null;
  });
  const asTold = (change: object) => {
    provider.tamper = (path, answer) => void (path === '/me' && Object.assign(answer, change));
  };
  asTold({ groups: 'designers', email_verified: 'true' });
  await signInAs(service, provider, newPerson());
  for (const [change, said] of [
    [{ email_verified: undefined }, /The provider does not say that the address is verified/],
    [{ email_verified: 'false' }, /The provider says that the address is not verified/],
    [{ email: 'ada@example.org' }, /Yours is of another domain/],
  ] as const) {
    asTold(change);
    provider.signsIn = newPerson();
    assert.match(await assertRefused(new Map(), `${url}/console/sign-in`), said);
  }
  asTold({ groups: ['designers', 'painters'] });
  await signInAs(service, provider, newPerson());
  const { claim, groups } = logged('sign-in has groups without a rule');
  assert.deepEqual([claim, groups], ['groups', ['painters']]);
});

test('another issuer in the ID token is refused, and the log names both', async (t) => {
  t.after(() => {
    provider.tamper = null;
  });
  const { cookies, callback } = await untilCallback(newPerson());
  provider.tamper = (path, answer) => {
    if (path !== '/token') return;
    const claims = JSON.parse(Buffer.from(String(answer.id_token).split('.')[1] ?? '', 'base64url').toString());
    answer.id_token = provider.sign({ ...claims, iss: `${provider.issuer}/other` }, 'current');
  };
  assert.match(await assertRefused(cookies, callback), /names another issuer than this service expects/);
  const { expected, found } = logged('sign-in failed');
  assert.deepEqual([expected, found], [provider.issuer, `${provider.issuer}/other`]);
});

test('an address that the provider names is not fetched if it is a private one of another origin', async (t) => {
  const other = await startTestService(t, {
    env: { ...provider.env, DARKROOM_OIDC_ROLES: 'designers=creator@default' },
  });
  t.after(() => {
    provider.tamper = null;
    provider.serve(url);
  });
  provider.serve(other.url);
  provider.tamper = (path, answer) => {
    if (path === '/.well-known/openid-configuration') answer.token_endpoint = `${url}/token`;
  };
  provider.signsIn = newPerson();
  const end = await visit(new Map(), `${other.url}/console/sign-in`);
  assert.equal(end.status, 503, end.text);
});
