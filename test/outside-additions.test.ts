import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ADDITIONS } from '../src/additions/list.ts';
import { withOutsideAdditions } from '../src/outside-additions.ts';
import { loadConfig } from '../src/service/config/config.ts';
import { runDarkroom } from './helpers/run-darkroom.ts';
import { startTestService } from './helpers/service.ts';

const MODULE = { 'package.json': '{ "type": "module" }' };

/** A folder of modules outside of the checkout. */
async function folderWith(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'outside-additions-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ ...MODULE, ...files })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** The text of a module whose addition has these points. */
function additionOf(points: string): string {
  return `export const addition = { ${points} };`;
}

async function faultsOf(t: TestContext, files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await folderWith(t, files);
  try {
    await withOutsideAdditions(ADDITIONS, { DARKROOM_ADDITIONS_DIR: folder });
  } catch (error) {
    const [, ...lines] = String(error).replaceAll(`${folder}/`, '').split('\n');
    return lines.map((line) => line.trim().replace('DARKROOM_ADDITIONS_DIR: ', ''));
  }
  return [];
}

test('modules of a folder and indexes of its folders are additions behind those of the service, by name of file', async (t) => {
  const folder = await folderWith(t, {
    'zebra.ts': `import { type Addition, prepare } from '@darkroom-service/darkroom/kernel';
      export const addition: Addition = { name: typeof prepare === 'function' ? 'zebra' : 'none' };`,
    'zebra.test.ts': 'throw new Error("loaded")',
    'zebra.d.ts': 'export {};',
    'ant/index.mjs': additionOf(`name: 'ant'`),
    'ant/helper.js': 'throw new Error("loaded")',
    'node_modules/other/main.js': 'throw new Error("loaded")',
    'README.md': 'Not a module.',
  });
  const additions = await withOutsideAdditions(ADDITIONS, { DARKROOM_ADDITIONS_DIR: folder });
  assert.deepEqual(
    additions.map(({ name }) => name),
    [...ADDITIONS.map(({ name }) => name), 'ant', 'zebra'],
  );
  assert.equal(await withOutsideAdditions(ADDITIONS, { DARKROOM_ADDITIONS_DIR: ' ' }), ADDITIONS);
  const closed = loadConfig({ DARKROOM_WITHOUT: 'ant' }, additions);
  assert.deepEqual(closed.without, ['ant']);
});

test('every fault of the folder is told at once, with the file that has it', async (t) => {
  const table = 'create table tasks (id text not null, constraint tasks_pk primary key (id))';
  const own = 'create table ants (id text not null, constraint ants_pk primary key (id))';
  assert.deepEqual(
    await faultsOf(t, {
      'a.js': 'export const addition = ;',
      'b.js': 'export const other = 1;',
      'c.js': additionOf(`name: 'Not a name'`),
      'd.js': additionOf(`name: 'tags', tables: '${table}'`),
      'e.js': additionOf(`name: 'ant', tables: '${own}', follower: { name: 'ant', bit: 65536, follows: () => false }`),
      'f.js': additionOf(`name: 'ant', tables: '${own}', follower: { name: 'ant', bit: 65536, follows: () => false }`),
      'g.js': additionOf(`name: 'g', settings: { variables: { DARKROOM_PORT: {}, DARKROOM_MODERATION_URL: {} } }`),
      'h.js': additionOf(`name: 'h', tables: 'create table h (id text)', follower: { name: 'h', bit: 32 }`),
      'i.js': additionOf(`name: 'i', deliverTo: () => null`),
    }),
    [
      "a.js: it cannot be loaded: Unexpected token ';'",
      'b.js: expected an export "addition" with a name of small letters, digits and hyphens',
      'c.js: expected an export "addition" with a name of small letters, digits and hyphens',
      "d.js: the addition 'tags' already has the name 'tags'",
      "d.js: the service already has the table 'tasks'",
      "f.js: the addition 'ant' already has the name 'ant'",
      "f.js: the addition 'ant' already has the table 'ants'",
      "f.js: the addition 'ant' already has the follower bit '65536'",
      "g.js: the service already has the setting 'DARKROOM_PORT'",
      "g.js: the addition 'moderation' already has the setting 'DARKROOM_MODERATION_URL'",
      'h.js: "tables" creates no table: each needs "create table name (… primary key (…))"',
      'h.js: the bit of the follower must be a power of two from 2 ** 16 to 2 ** 30; found 32',
      "i.js: the addition 'delivery' already has the point 'deliverTo'",
    ],
  );
});

test('a folder that is missing stops the start and every command with its name', async (t) => {
  const folder = await folderWith(t, {});
  const variables = { DARKROOM_ADDITIONS_DIR: 'none', DARKROOM_DATA_DIR: 'data' };
  for (const words of [['serve'], ['keys', 'list']]) {
    const { code, stderr } = await runDarkroom(words, variables, folder);
    assert.equal(code, 1);
    assert.match(stderr, /DARKROOM_ADDITIONS_DIR: .+none cannot be read: ENOENT/);
  }
});

test('an operation that the service or another addition has stops the start', async (t) => {
  const operations = (...names: string[]) =>
    additionOf(
      `name: 'ant',
       open: () => ({ http: async () => ({ operations: { ${names.map((name) => `'${name}': {}`).join()} } }) })`,
    );
  const folder = await folderWith(t, { 'ant.js': operations('GET /v1/account', 'GET /v1/tags', 'GET /v1/ants') });
  const additions = await withOutsideAdditions(ADDITIONS, { DARKROOM_ADDITIONS_DIR: folder });
  await assert.rejects(startTestService(t, { service: { additions } }), (error: Error) => {
    assert.match(error.message, /'ant' adds 'GET \/v1\/account', which the service already has/);
    assert.match(error.message, /'ant' adds 'GET \/v1\/tags', which the addition 'tags' already has/);
    assert.doesNotMatch(error.message, /ants/);
    return true;
  });
});

test('an order ends although the database refuses what an addition sends with its end, and the audit log names the addition', async (t) => {
  const folder = await folderWith(t, {
    'ant.ts': `import { prepare } from '@darkroom-service/darkroom/kernel';
      const note = prepare('ant_note', (builder) => builder.insertInto('ants').values({ id: 'one' }));
      export const addition = { name: 'ant', follower: {
        name: 'ant', bit: 65536, follows: () => true, ended: (unit) => unit.send(note, {}) } };`,
  });
  const additions = await withOutsideAdditions(ADDITIONS, { DARKROOM_ADDITIONS_DIR: folder });
  const { call, keys, make, database } = await startTestService(t, { service: { additions } });
  const { status, task_id: id } = await make(keys.live, '/v1/images', { model_id: 'sketch', prompt: 'a fox' });
  assert.equal(status, 'succeeded');
  const { builder } = database.read;
  const acts = builder.selectFrom('audit_log').select(['target', 'detail_json']).where('act', '=', 'follower.left_out');
  assert.deepEqual(await database.read.all(acts), [{ target: id, detail_json: '{"name":"ant"}' }]);
  const ledger = await call(keys.live, 'GET', '/v1/account/ledger');
  assert.equal(ledger.data.items.filter(({ kind }: { kind: string }) => kind === 'charge').length, 1);
});
