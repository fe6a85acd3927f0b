import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { describeOpenPath, makeDataPrivate } from './private-path.ts';

const onUnix = { skip: process.platform === 'win32' };

/** A data directory as `mkdir` makes it, with a database and files in it. */
async function openData(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-private-'));
  t.after(() => rm(directory, { recursive: true }));
  const data = { directory, databasePath: join(directory, 'darkroom.db'), filesDirectory: join(directory, 'files') };
  await chmod(directory, 0o755);
  await mkdir(data.filesDirectory);
  await chmod(data.filesDirectory, 0o755);
  for (const suffix of ['', '-wal']) {
    await writeFile(data.databasePath + suffix, '');
    await chmod(data.databasePath + suffix, 0o644);
  }
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);
  return { ...data, modeOf };
}

test('an existing data directory gets the permissions of a new one', onUnix, async (t) => {
  const { modeOf, ...data } = await openData(t);
  assert.deepEqual(await makeDataPrivate(data), []);
  assert.equal(await modeOf(data.directory), '700');
  assert.equal(await modeOf(data.filesDirectory), '700');
  assert.equal(await modeOf(data.databasePath), '600');
  assert.equal(await modeOf(`${data.databasePath}-wal`), '600');
});

test(
  'a directory shared with other programs keeps its mode and is reported; what is ours in it is closed',
  onUnix,
  async (t) => {
    const { modeOf, ...data } = await openData(t);
    await writeFile(join(data.directory, 'of-somebody-else'), '');
    const open = await makeDataPrivate(data);
    assert.deepEqual(open.map(describeOpenPath), [
      `${data.directory} has mode 0755, so everyone can open it. Close it with: chmod go-rwx ${data.directory}`,
    ]);
    assert.equal(await modeOf(data.directory), '755');
    assert.equal(await modeOf(data.databasePath), '600');
  },
);

test(
  'a directory with the setgid bit stays open to its group, and so does what is in it, but to nobody else',
  onUnix,
  async (t) => {
    const { modeOf, ...data } = await openData(t);
    await chmod(data.directory, 0o2775);
    assert.deepEqual(await makeDataPrivate(data), []);
    assert.equal(await modeOf(data.directory), '2770');
    assert.equal(await modeOf(data.filesDirectory), '750');
    assert.equal(await modeOf(data.databasePath), '640');
    assert.equal(await modeOf(`${data.databasePath}-wal`), '640');
  },
);

test('the command for a path that this user may not close leaves the group its permissions', onUnix, async (t) => {
  const { modeOf, ...data } = await openData(t);
  await writeFile(join(data.directory, 'of-somebody-else'), '');
  await chmod(data.directory, 0o2775);
  const [open] = await makeDataPrivate(data);
  assert.deepEqual([open?.command, await modeOf(data.databasePath)], [`chmod o-rwx ${data.directory}`, '640']);
});

test('a directory like /tmp is never closed', onUnix, async (t) => {
  const { modeOf, ...data } = await openData(t);
  await chmod(data.directory, 0o1770);
  const [open] = await makeDataPrivate(data);
  assert.deepEqual([open?.mode, open?.readers, await modeOf(data.directory)], ['1770', 'its group', '1770']);
});
