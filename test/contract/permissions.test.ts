import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACCOUNT_ROLES, type AnyRole, isAllowed, OPERATOR_ROLES } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { readDeclaredRoles } from '../helpers/declared-roles.ts';
import { startOidcProvider } from '../helpers/oidc-provider.ts';
import { startTestService } from '../helpers/service.ts';
import { type KeyWish, signInAs } from '../helpers/signed-in.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import type { Owned } from './access-callers.ts';
import { ROWS } from './access-rows.ts';

/**
 * Every operation of the OpenAPI document, called by people of every role in the account that has what is asked for,
 * and in another account. `access-rows.ts` says what is asked for, and how a key is answered that may ask.
 */

const provider = await startOidcProvider(wholeFile);
const HOME = 'home';
const AWAY = 'away';
const rules = [HOME, AWAY].flatMap((account) => ACCOUNT_ROLES.map((role) => `${account}-${role}=${role}@${account}`));
const service = await startTestService(wholeFile, {
  env: {
    ...provider.env,
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
    DARKROOM_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    DARKROOM_OIDC_ROLES: [...rules, 'operator=operator', 'owner=owner'].join(),
  },
  service: { engines: [createSwiftEngine()] },
});
provider.serve(service.url);
const { call, keys, make } = service;
for (const account of [HOME, AWAY])
  await call(keys.admin, 'POST', '/admin/v1/accounts', { account_id: account, credit_limit: null });

interface Caller {
  readonly name: string;
  readonly role: AnyRole;
  readonly bearer: string;
  readonly account: string | null;
  readonly id: string;
}

async function comes(name: string, role: AnyRole, account: string | null): Promise<Caller> {
  const group = account === null ? role : `${account}-${role}`;
  const email = `${name.replaceAll(' ', '-')}@example.com`;
  provider.people.set(name, { sub: name, email, email_verified: true, name, groups: [group] });
  const wish: KeyWish = { account_id: account, mode: account === null ? 'admin' : 'live' };
  const bearer = await (await signInAs(service, provider, name)).bearer(wish);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/people?limit=100');
  return { name, role, bearer, account, id: data.items.find((person) => person.email === email)?.person_id ?? '' };
}

/** The creator who has ordered what the rows name; last, since it may delete what the others must not find. */
const owner = await comes('the creator', 'creator', HOME);
const callers: Caller[] = [];
for (const account of [AWAY, HOME])
  for (const role of ACCOUNT_ROLES) callers.push(await comes(`${role} of ${account}`, role, account));
for (const role of OPERATOR_ROLES) callers.push(await comes(role, role, null));
callers.push(owner);

const owned = await makeOwned();
/** Where people are answered otherwise than keys: at home and away. Null: as a key. */
const FOR_PEOPLE: Readonly<Record<string, readonly [home: number, away: number]>> = {
  'GET /v1/account/members': [200, 200],
  'PATCH /v1/account/members/{person_id}': [404, 404],
  'DELETE /v1/account/members/{person_id}': [404, 404],
  'GET /v1/account/invitations': [200, 200],
  'POST /v1/account/invitations': [201, 201],
  'DELETE /v1/account/invitations/{invitation_id}': [404, 404],
  'GET /v1/account/keys': [200, 200],
  'POST /v1/account/keys': [201, 201],
  'PATCH /v1/account/keys/{key_id}': [200, 404],
  'POST /v1/account/keys/{key_id}/rotate': [200, 404],
  'POST /v1/account/keys/{key_id}/revoke': [200, 404],
  'GET /v1/account/tasks': [200, 200],
  'GET /v1/account/tasks/{task_id}': [200, 404],
  'GET /v1/account/tasks/{task_id}/content': [200, 404],
  // Managers see and set up their whole account.
  'POST /v1/account/webhooks/secret/rotate': [200, 200],
  'PUT /v1/account/webhooks': [200, 200],
  'PUT /v1/account/upstream_keys/{engine}': [200, 200],
  'DELETE /v1/account/upstream_keys/{engine}': [200, 200],
  'PUT /v1/account/data_rules/{subject}': [200, 200],
  'DELETE /v1/account/data_rules/{subject}': [200, 200],
  'PUT /v1/destinations/{name}': [200, 200],
  'DELETE /v1/destinations/{name}': [200, 200],
  'POST /v1/account/webhooks/deliveries/{delivery_id}/redeliver': [200, 404],
};
/** The same for some roles alone, at home. */
const FOR_ROLES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  manager: { 'GET /v1/provenance': 200 },
  finance: {
    'GET /v1/images/{task_id}/receipt': 200,
    'GET /v1/videos/{task_id}/receipt': 200,
    'GET /v1/batches/{batch_id}/receipt': 200,
  },
};
const declared = await readDeclaredRoles(wholeFile);

const { paths } = (await call(null, 'GET', '/openapi.json')).body;
const operations = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

test('every operation of the service declares the roles that may call it', () => {
  assert.deepEqual([...declared.keys()].sort(), [...operations].sort());
});

/** What ends something comes last. */
const ends = (operation: string) => Number(/^DELETE|revoke$/.test(operation));
const inOrder = [...operations].sort((a, b) => ends(a) - ends(b));
for (const operation of inOrder) {
  test(`${operation} answers people as its roles say`, async () => {
    const row = ROWS[operation];
    assert.ok(row, 'access-rows.ts has no such row');
    const [method = '', path = ''] = operation.split(' ');
    for (const caller of callers) {
      const response = await send(caller.bearer, method, row.path?.(owned) ?? path, row.body?.(owned));
      await response.body?.cancel();
      assert.equal(response.status, expectedOf(operation, caller), `${caller.name}: ${response.status}`);
    }
  });
}

function expectedOf(operation: string, caller: Caller): number | undefined {
  const expected = ROWS[operation]?.expected;
  const roles = declared.get(operation) ?? [];
  if (roles === 'read_public') return expected?.['no key'];
  if (!isAllowed(caller.role, roles)) return 403;
  if (caller.account === null) return expected?.admin;
  const [home, away] = FOR_PEOPLE[operation] ?? [expected?.['other key'], expected?.['other account']];
  if (caller === owner) return FOR_PEOPLE[operation] === undefined ? expected?.owner : home;
  if (caller.account !== HOME) return away;
  return FOR_ROLES[caller.role]?.[operation] ?? home;
}

/** What the creator has ordered, with live orders. */
async function makeOwned(): Promise<Owned> {
  const { bearer } = owner;
  const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
  const [image, grid, video] = await Promise.all([
    make(bearer, '/v1/images', { ...order, webhook_url: 'http://127.0.0.1:9/' }),
    make(bearer, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' }),
    make(bearer, '/v1/videos', { model_id: 'sketch-motion', prompt: 'a fox', duration: 1, resolution: '480p' }),
  ]);
  const background = { width: 64, height: 64, channels: 3, background: '#456' } as const;
  const picture = new Uint8Array(await sharp({ create: background }).png().toBuffer());
  const upload = (await (await send(bearer, 'POST', '/v1/files', picture)).json()) as { data: { file_id: string } };
  const batch = await call(bearer, 'POST', '/v1/batches', { orders: [{ operation: 'images', body: order }] });
  await until(
    async () => (await call(bearer, 'GET', batch.data.urls.self)).data,
    (found) => found.status !== 'processing',
  );
  const [delivery] = (await call(bearer, 'GET', '/v1/account/webhooks/deliveries')).data.items;
  return {
    image,
    video,
    grid,
    picture,
    accountId: AWAY,
    fileId: upload.data.file_id,
    batchId: batch.data.batch_id,
    shareId: (await call(bearer, 'POST', '/v1/shares', { task_id: grid.task_id })).data.share_id,
    deliveryId: delivery.delivery_id,
    keyId: (await service.issueKey({ mode: 'live', accountId: HOME })).key_id,
  };
}

async function send(key: string, method: string, path: string, body?: object): Promise<Response> {
  const isFile = body instanceof Uint8Array;
  const type = isFile ? 'image/png' : 'application/json';
  return await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: isFile ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
  });
}
