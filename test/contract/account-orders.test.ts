import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { startOidcProvider } from '../helpers/oidc-provider.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { type OrderPath, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { signInAs } from '../helpers/signed-in.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** People find the orders of everybody in their account by one box. */

const provider = await startOidcProvider(wholeFile);
const models = [plainEntry({ model_id: 'waiting', routes: [{ engine: 'secretive' }] })];
const service = await startTestService(wholeFile, {
  env: {
    ...provider.env,
    DARKROOM_OIDC_ROLES: 'looking=viewer@acc-north,making=creator@acc-north,elsewhere=viewer@acc-south',
    DARKROOM_CATALOG_DIR: (await openCatalogOverlay(wholeFile as never, models)).directory,
  },
  service: { engines: [createSwiftEngine(), createScriptedEngine({ name: 'secretive' })] },
});
provider.serve(service.url);
const { call, keys, issueKey } = service;

for (const [account_id, name] of [
  ['acc-north', 'Nordlicht GmbH'],
  ['acc-south', 'Sol SA'],
]) {
  assert.equal((await call(keys.admin, 'POST', '/admin/v1/accounts', { account_id, name })).status, 201);
  await call(keys.admin, 'POST', `/admin/v1/accounts/${account_id}/credit`, { amount: '100.00' });
}
const bearerOf = async (name: string, group: string, account_id: string) => {
  provider.people.set(name, { sub: name, name, groups: [group] });
  return await (await signInAs(service, provider, name)).bearer({ account_id, mode: 'live' });
};
const viewer = await bearerOf('vera', 'looking', 'acc-north');
const creator = await bearerOf('Ines Moreau', 'making', 'acc-north');
const stranger = await bearerOf('sam', 'elsewhere', 'acc-south');
const shop = await issueKey({ mode: 'live', accountId: 'acc-north', name: 'Web shop' });
const playing = await issueKey({ mode: 'test', accountId: 'acc-north', name: 'Web shop' });
const southern = await issueKey({ mode: 'live', accountId: 'acc-south', name: 'Web shop' });

async function order(key: string, fields: object, path: OrderPath = '/v1/images'): Promise<TaskAnswer> {
  const body = { model_id: 'sketch', prompt: 'a fox', size: '256x256', ...fields };
  const answer = await call(key, 'POST', path, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.data;
}
const LANTERN = { prompt: 'A Brass Lantern at dusk', end_user: 'customer-101', metadata: { cart: '88-101' } };
const lantern = await order(shop.key, LANTERN);
const film = await order(
  shop.key,
  { model_id: 'sketch-motion', prompt: 'a heron', size: undefined, resolution: '480p', duration: 1 },
  '/v1/videos',
);
const drawn = await order(creator, { prompt: 'a teapot' });
const waits = await order(shop.key, { model_id: 'waiting', size: undefined });
await order(southern.key, LANTERN);
await order(playing.key, LANTERN);
const gone = await service.make(shop.key, '/v1/images', { model_id: 'sketch', size: '256x256', ...LANTERN });
assert.equal((await call(shop.key, 'DELETE', gone.urls.self)).status, 200);

async function list(query: string, caller = viewer) {
  const { status, data, body } = await call(caller, 'GET', `/v1/account/tasks?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return { ...data, ids: data.items.map(({ task }) => task.task_id) };
}
const search = (text: string, more = '') => list(`search=${encodeURIComponent(text)}${more}`);

for (const [way, text, by, found] of [
  ["an order's id", lantern.task_id, 'task', [lantern]],
  ['words of the prompt, in any case and order', 'lantern BRASS', 'text', [lantern]],
  ["a customer's id", 'customer-101', 'end_user', [lantern]],
  ["a part of a customer's id", 'tomer-10', 'text', [lantern]],
  ['a value of the metadata', '88-101', 'text', [lantern]],
  ["a key's name", 'web SHOP', 'text', [waits, film, lantern]],
  ["a key's id", shop.key_id, 'text', [waits, film, lantern]],
  ['the name of the person who ordered', 'Moreau', 'text', [drawn]],
  ['the model', 'sketch-motion', 'text', [film]],
  ['the price', film.cost.amount, 'text', [waits, film]],
  ['a word of the prompt and one of the key', 'heron shop', 'text', [film]],
  ['nothing that is there', 'dromedary', 'text', []],
  ['a pattern, which is no wildcard', '%', 'text', []],
  ['the engine, which customers are not told', 'secretive', 'text', []],
] as const) {
  test(`an order of the account is found by ${way}`, async () => {
    const answer = await search(text);
    assert.deepEqual(
      answer.ids,
      found.map(({ task_id: id }) => id),
    );
    const { found_by: foundBy, has_more: more, next_after: after, searched_since: since } = answer;
    assert.deepEqual([foundBy, more, after, since], [by, false, null, null]);
  });
}

test('the list has images and videos newest first, of one kind if asked, and a page follows the one before', async () => {
  const all = [waits, drawn, film, lantern].map(({ task_id: id }) => id);
  assert.deepEqual((await list('')).ids, all);
  assert.deepEqual((await list('search=%20')).ids, all, 'blanks are no search');
  assert.deepEqual((await list('type=video')).ids, [film.task_id]);
  assert.deepEqual((await search('shop', '&type=image')).ids, [waits.task_id, lantern.task_id]);
  for (const [query, expected] of [
    ['limit=1', all],
    ['limit=1&search=shop', all.filter((id) => id !== drawn.task_id)],
  ] as const) {
    const pages: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(`${query}${after && `&after=${after}`}`);
      assert.equal(page.has_more, page.next_after !== null);
      pages.push(...page.ids);
      after = page.next_after;
    }
    assert.deepEqual(pages, expected, query);
  }
});

test('nobody finds orders of another account, and a search that is too long is refused by name', async () => {
  assert.deepEqual((await list(`search=${lantern.task_id}`, stranger)).ids, []);
  assert.equal((await list('search=lantern', stranger)).ids.length, 1);
  const { status, error } = await call(viewer, 'GET', `/v1/account/tasks?search=${'x'.repeat(201)}`);
  assert.deepEqual([status, error.param], [400, 'search']);
});
