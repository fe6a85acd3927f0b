import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOidcProvider } from '../oidc-provider.ts';
import { startTestService } from '../service.ts';
import { browserOf, type Cookies, signInAs, visit } from '../signed-in.ts';
import { wholeFile } from '../whole-file.ts';

const provider = await startOidcProvider(wholeFile);
let skewMs = 0;
const clock = { now: () => Date.now() + skewMs };
const service = await startTestService(wholeFile, {
  env: {
    ...provider.env,
    DARKROOM_OIDC_ROLES: 'designers=creator@default,support=operator,admins=owner,nowhere=viewer@missing',
  },
  service: { clock },
});
provider.serve(service.url);
const { call, keys, url } = service;
const TEST = { account_id: 'default', mode: 'test' } as const;
const FOX = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };

let number = 0;
/** Somebody new in these groups. */
function newPerson(groups: readonly string[] = ['designers'], more: object = {}): string {
  const sub = `person-${++number}`;
  provider.people.set(sub, { sub, email: `${sub}@example.com`, email_verified: true, name: `Ada ${number}`, groups, ...more });
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
  assert.deepEqual(own.items.map(({ task_id }) => task_id), [task.task_id]);
  const bob = await signInAs(service, provider, newPerson());
  const { data: others } = await call(await bob.bearer(TEST), 'GET', '/v1/images');
  assert.deepEqual(others.items, []);
});
