import assert from 'node:assert/strict';
import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { installation, runDarkroom } from '../../test/helpers/run-darkroom.ts';
import { execute } from '../../test/upgrade/version-76.ts';
import { openDatabase } from '../database/open-database.ts';

test('a backup taken while another process writes comes back whole', async (t) => {
  const { directory, data, run, json } = await installation(t);
  const made = await json('keys', 'create', '--mode', 'test', '--name', 'kept');
  const service = await openDatabase({ url: null, path: join(data, 'darkroom.db') });
  t.after(() => service.close());
  await mkdir(join(data, 'files', 'out', 'a1'), { recursive: true });
  await mkdir(join(data, 'files', '.tmp'));
  await writeFile(join(data, 'files', 'out', 'a1', 'fox.png'), 'picture');
  await writeFile(join(data, 'files', '.tmp', 'half'), 'half a picture');

  const backup = join(directory, 'backup');
  await mkdir(backup);
  await chmod(backup, 0o755);
  const written = await json('backup', backup);
  assert.deepEqual([written.files, written.format], [1, 1]);
  assert.deepEqual((await readdir(backup)).sort(), ['checksums.txt', 'darkroom.db', 'files', 'manifest.json']);
  if (process.platform !== 'win32') {
    for (const path of [backup, join(backup, 'darkroom.db')]) assert.equal((await stat(path)).mode & 0o077, 0, path);
  }
  await service.write('later', (trx) =>
    trx.run(trx.builder.insertInto('secrets').values({ name: 'later', value: 'x' })),
  );

  const restored = join(directory, 'restored');
  const back = await runDarkroom(['restore', backup], { DARKROOM_DATA_DIR: restored }, directory);
  assert.deepEqual([back.code, back.stderr], [0, '']);
  assert.equal(await readFile(join(restored, 'files', 'out', 'a1', 'fox.png'), 'utf8'), 'picture');
  const listed = await runDarkroom(['keys', 'list', '--plain'], { DARKROOM_DATA_DIR: restored }, directory);
  assert.equal(listed.stdout.trim(), made.key_id);
  assert.deepEqual(
    (await readdir(restored)).filter((name) => !name.startsWith('darkroom.db')),
    ['files'],
  );

  const twice = await run('backup', backup);
  assert.equal(twice.code, 1);
  assert.match(twice.stderr, /is not empty/);
  const onto = await runDarkroom(['restore', backup], { DARKROOM_DATA_DIR: restored }, directory);
  assert.equal(onto.code, 1);
  assert.match(onto.stderr, /is not empty/);
  assert.equal((await run('backup', join(data, 'files', 'copy'))).code, 2);
});

test('commands keep the permissions of a group that was given the directory they write to', {
  skip: process.platform === 'win32',
}, async (t) => {
  const { directory, data, json } = await installation(t);
  const backup = join(directory, 'backup');
  const restored = join(directory, 'restored');
  for (const path of [data, backup, restored]) {
    await mkdir(path);
    await chmod(path, 0o2775);
  }
  await json('keys', 'create', '--mode', 'test');
  await json('backup', backup);
  await runDarkroom(['restore', backup], { DARKROOM_DATA_DIR: restored }, directory);
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);
  for (const path of [data, backup, restored]) assert.equal(await modeOf(join(path, 'darkroom.db')), '640', path);
  for (const path of [backup, restored]) assert.equal(await modeOf(path), '2770', path);
});

test('a backup that was changed, cut short or points outside is refused and leaves nothing behind', async (t) => {
  const { directory, data, json } = await installation(t);
  await json('keys', 'create', '--mode', 'test');
  await mkdir(join(data, 'files'));
  await writeFile(join(data, 'files', 'fox.png'), 'picture');
  const restored = join(directory, 'restored');
  const restore = (backup: string) => runDarkroom(['restore', backup], { DARKROOM_DATA_DIR: restored }, directory);

  const changed = join(directory, 'changed');
  await json('backup', changed);
  await rm(join(changed, 'files', 'fox.png'));
  await writeFile(join(changed, 'files', 'fox.png'), 'Picture');
  const refused = await restore(changed);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /fox\.png was changed or damaged after the backup/);
  assert.deepEqual(await readdir(restored), []);

  const forged = join(directory, 'forged');
  await json('backup', forged);
  await appendFile(join(forged, 'checksums.txt'), `${'0'.repeat(64)}  files/../../outside\n`);
  assert.match((await restore(forged)).stderr, /checksums\.txt was changed or damaged after the backup/);

  const unfinished = join(directory, 'unfinished');
  await json('backup', unfinished);
  await rm(join(unfinished, 'manifest.json'));
  assert.match((await restore(unfinished)).stderr, /has no complete backup/);
  assert.deepEqual(await readdir(restored), []);
});

test('the doctor audits a database that has no table of some addition yet', async (t) => {
  const { data, json } = await installation(t);
  await json('keys', 'create', '--mode', 'test');
  const database = await openDatabase({ url: null, path: join(data, 'darkroom.db') });
  await execute(database, 'drop table batches');
  await database.close();
  const { checks } = (await json('doctor', '--audit')) as unknown as { checks: { name: string; status: string }[] };
  assert.ok(checks.some(({ name, status }) => name === 'audit batches' && status === 'ok'));
});

test('the doctor finds a new installation well, changes nothing, and names what is broken', async (t) => {
  const { directory, data, run, json } = await installation(t);
  const well = (await json('doctor', '--audit')) as unknown as { ok: boolean; checks: { name: string }[] };
  assert.deepEqual([well.ok, well.checks[0]?.name], [true, 'settings']);
  assert.deepEqual(await readdir(directory), []);

  await mkdir(join(directory, 'models'));
  await writeFile(join(directory, 'models', 'mine.json'), '{ "vendor": "Me", "models": [{ "model_id": "x" }] }');
  await mkdir(data);
  await writeFile(join(data, 'darkroom.db'), 'this is no database at all, just a text that lies in its place');
  const variables = { DARKROOM_DATA_DIR: data, DARKROOM_CATALOG_DIR: 'models' };
  const { code, stdout, stderr } = await runDarkroom(['doctor', '--json'], variables, directory);
  assert.deepEqual([code, stderr], [1, '']);
  const report = JSON.parse(stdout) as { ok: boolean; checks: { name: string; status: string; found: string }[] };
  const failed = report.checks.filter((check) => check.status === 'failed');
  assert.deepEqual([report.ok, failed.map((check) => check.name)], [false, ['database', 'catalog']]);
  assert.match(failed[1]?.found ?? '', /mine\.json/);
  assert.match((await run('doctor')).stdout, /FAILED +database/);
});
