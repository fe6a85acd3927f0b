import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { startOidcProvider } from '../helpers/oidc-provider.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { type OrderPath, startTestService } from '../helpers/service.ts';
import { signInAs } from '../helpers/signed-in.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** One box finds an order by whatever an operator knows of it. */

const engine = createScriptedEngine();
engine.answer = () => ({ status: 'pending', checkAfterMs: 50 });
const provider = await startOidcProvider(wholeFile);
const models = [plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] })];
const service = await startTestService(wholeFile, {
  env: {
    ...provider.env,
    DARKROOM_OIDC_ROLES: 'ops=operator,platform=owner',
    DARKROOM_CATALOG_DIR: (await openCatalogOverlay(wholeFile as never, models)).directory,
  },
  service: { engines: [createSwiftEngine(), engine] },
});
provider.serve(service.url);
const { call, keys, issueKey, database } = service;
const bearerOf = async (name: string, group: string) => {
  provider.people.set(name, { sub: name, name, groups: [group] });
  return await (await signInAs(service, provider, name)).bearer({ account_id: null, mode: 'admin' });
};
const operator = await bearerOf('vera', 'ops');
const owner = await bearerOf('grace', 'platform');

const account = await call(keys.admin, 'POST', '/admin/v1/accounts', {
  account_id: 'acc-north',
  name: 'Nordlicht GmbH',
});
assert.equal(account.status, 201, JSON.stringify(account.body));
const north = await issueKey({ mode: 'live', accountId: 'acc-north', name: 'Web shop' });
await call(keys.admin, 'POST', '/admin/v1/accounts/acc-north/credit', { amount: '100.00' });

const order = async (key: string, fields: object, path: OrderPath = '/v1/images') => {
  const body = { model_id: 'sketch', prompt: 'a fox', size: '256x256', ...fields };
  const answer = await call(key, 'POST', path, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return { id: answer.data.task_id, requestId: answer.headers.get('x-request-id') ?? '' };
};
const lantern = await order(north.key, {
  prompt: 'A Brass Lantern at dusk',
  end_user: 'customer-101',
  metadata: { cart: '88-101' },
});
const film = await order(
  north.key,
  {
    model_id: 'sketch-motion',
    size: undefined,
    resolution: '480p',
    duration: 1,
    prompt: 'a heron',
    end_user: 'customer-7',
  },
  '/v1/videos',
);
const other = await order(keys.live, { prompt: 'a teapot', end_user: 'customer-7' });
const failed = await order(keys.test, { prompt: 'a kite', simulate: { outcome: 'upstream_error' } });
const open = await order(keys.live, { model_id: 'scripted', size: undefined, end_user: 'customer-open' });
const idsOf = ({ items }: Awaited<ReturnType<typeof list>>) => items.map(({ task_id: id }) => id);
await until(
  async () => idsOf(await list('mode=all&state=open')),
  (ids) => ids.length === 1,
);

async function list(query: string, caller = keys.admin) {
  const answer = await call(caller, 'GET', `/admin/v1/tasks?${query}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.data;
}
const search = (text: string, query = 'mode=all', caller = keys.admin) =>
  list(`${query}&search=${encodeURIComponent(text)}`, caller);

for (const [way, text, by, found] of [
  ["an order's id", () => lantern.id, 'task', [lantern]],
  ["the first 20 characters of an order's id", () => lantern.id.slice(0, 20), 'task', [lantern]],
  ["a customer's id, over all keys", () => 'customer-7', 'end_user', [other, film]],
  ["an account's id", () => 'acc-north', 'account', [film, lantern]],
  ["an account's name, in any case", () => 'nordlicht gmbh', 'account', [film, lantern]],
  ["a part of an account's name", () => 'Nordl', 'account', [film, lantern]],
  ["a key's id", () => north.key_id, 'key', [film, lantern]],
  ["the beginning of a key's id", () => north.key_id.slice(0, -4), 'key', [film, lantern]],
  ["a key's name", () => 'Web Shop', 'key', [film, lantern]],
  ['a request id', () => lantern.requestId, 'request', [lantern]],
  ['a value of the metadata', () => '88-101', 'text', [lantern]],
  ["a part of a customer's id", () => 'tomer-10', 'text', [lantern]],
  ['words of the prompt', () => 'lantern BRASS', 'text', [lantern]],
  ['the model', () => 'sketch-motion', 'text', [film]],
  ['the engine', () => 'scripted', 'text', [open]],
  ['nothing that is there', () => 'dromedary', 'text', []],
  ['a pattern, which is no wildcard', () => '%', 'text', []],
] as const) {
  test(`an order is found by ${way}`, async () => {
    const asked = () => search(text());
    // Requests are written down shortly after their answer.
    const answer = by === 'request' ? await until(asked, ({ found_by: found }) => found === by) : await asked();
    assert.deepEqual([answer.found_by, idsOf(answer)], [by, found.map(({ id }) => id)]);
    assert.deepEqual([answer.has_more, answer.searched_since], [false, null]);
  });
}

test('the list has all orders newest first, by page, and those that are open, failed or of unknown outcome', async () => {
  const all = [open, failed, other, film, lantern].map(({ id }) => id);
  assert.deepEqual(idsOf(await list('mode=all')), all);
  assert.deepEqual(
    idsOf(await list('')),
    all.filter((id) => id !== failed.id),
    'orders of live keys',
  );
  const pages: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: Awaited<ReturnType<typeof list>> = await list(`mode=all&limit=2${after && `&after=${after}`}`);
    assert.ok(page.items.length <= 2);
    pages.push(...idsOf(page));
    after = page.next_after;
  }
  assert.deepEqual(pages, all);
  const failures = await list('mode=all&state=failed');
  assert.deepEqual([idsOf(failures), failures.items[0]?.error?.code], [[failed.id], 'upstream_error']);
  assert.deepEqual(idsOf(await list('mode=all&state=failed&search=customer-7')), []);
  assert.deepEqual(idsOf(await list('mode=all&state=failed&search=upstream_error')), [failed.id]);
  assert.deepEqual(idsOf(await list('state=open&search=customer-open')), [open.id]);
  assert.deepEqual(idsOf(await list('state=open&search=customer-7')), []);
  assert.deepEqual(idsOf(await list('engine=scripted')), [open.id]);
  assert.deepEqual(idsOf(await list(`search=${failed.id}`)), [failed.id], 'an id means the order, in whatever mode');
  const report = {
    task_id: film.id,
    kind: 'late_result',
    detail_json: '{"message":"came late"}',
    created_at: 0,
  } as const;
  const row = { ...report, id: 'rec_1', resolved_at: null, resolution: null };
  await database.write('report', (trx) => trx.run(trx.builder.insertInto('reconciliation').values(row)));
  const unknown = await list('state=unknown');
  assert.deepEqual(idsOf(unknown), [film.id]);
  assert.deepEqual(unknown.items[0]?.unresolved, [
    { reconciliation_id: 'rec_1', kind: 'late_result', message: 'came late', created_at: new Date(0).toISOString() },
  ]);
  assert.deepEqual(idsOf(await list('state=unknown&search=acc-north')), [film.id]);
  assert.deepEqual(idsOf(await list('state=unknown&search=customer-101')), []);
  const resolution = 'Billed once; refunded by their support.';
  const resolve = { ids: ['rec_1'], resolution };
  assert.equal((await call(keys.admin, 'POST', '/admin/v1/reconciliation/resolve', resolve)).status, 200);
  assert.deepEqual(idsOf(await list('state=unknown')), []);
  const { unresolved, resolved } = (await call(keys.admin, 'GET', `/admin/v1/tasks/${film.id}`)).data;
  assert.deepEqual(
    [unresolved, resolved.map(({ resolved_at: at, ...entry }) => [entry, Date.parse(at) > 0])],
    [[], [[{ kind: 'late_result', created_at: new Date(0).toISOString(), resolution }, true]]],
  );
  const { end_user: customer, metadata } = (await list(`search=${lantern.id}`)).items[0] ?? {};
  assert.deepEqual([customer, metadata], ['customer-101', { cart: '88-101' }]);
});

test('only who may export what customers stored finds orders by words of the prompt', async () => {
  assert.deepEqual(idsOf(await search('lantern', '', owner)), [lantern.id]);
  assert.deepEqual(idsOf(await search('lantern', '', operator)), []);
  assert.deepEqual(idsOf(await search('88-101', '', operator)), [lantern.id]);
});
