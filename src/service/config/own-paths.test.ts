import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { openFolder } from '../../../test/helpers/open-folder.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'main.ts');
const UNPRIVILEGED = 65_534;

test('a start names each path of the data directory that it may not write, its owner, and the command that mends it', {
  skip: process.platform === 'win32',
}, async (t) => {
  const directory = await mkdtemp(join(openFolder(), 'darkroom-owner-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const data = join(directory, 'data');
  const foreign = [join(data, 'spool'), join(data, 'files', 'tasks')];
  for (const path of [data, ...foreign]) await mkdir(path, { recursive: true });
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  for (const path of foreign) await chmod(path, isRoot ? 0o700 : 0o500);
  if (isRoot) for (const path of [directory, data, join(data, 'files')]) await chown(path, UNPRIVILEGED, UNPRIVILEGED);
  const env = { DARKROOM_DATA_DIR: data, DARKROOM_PORT: '0', PATH: process.env.PATH };
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    cwd: directory,
    env,
    ...as,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.notEqual(code, 0);
  for (const path of foreign)
    assert.ok(
      said.includes(
        isRoot
          ? `${path} belongs to user 0, the service runs as ${UNPRIVILEGED}: chown -R ${UNPRIVILEGED} ${data}`
          : `${path} has mode 0500, the service must read and write it: chmod -R u+rwX ${data}`,
      ),
      said,
    );
  assert.ok(said.includes('DARKROOM_DATA_DIR: '), said);
});
