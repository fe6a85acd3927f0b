import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { packCommandLine } from '../../packaging/pack-command-line.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const service = await startTestService(wholeFile);
const folder = await mkdtemp(join(tmpdir(), 'darkroom-command-line-'));
wholeFile.after(() => rm(folder, { recursive: true, force: true }));

test('the packed command line has no dependency, orders and saves, and calls any operation', async () => {
  await packCommandLine(join(ROOT, 'clients/command-line'), folder);
  const [packed = assert.fail()] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', folder, join(folder, packed)]);
  assert.deepEqual(
    (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.')),
    ['darkroom-command-line'],
  );
  const env = { ...process.env, DARKROOM_URL: service.url, DARKROOM_API_KEY: service.keys.test };
  const darkroom = async (...words: string[]) =>
    (await run(join(folder, 'node_modules/.bin/darkroom'), words, { cwd: folder, env })).stdout;
  const fox = ['image', 'a red fox', '-m', 'sketch', '--resolution', '0.5K', '-o', 'fox.png', '--json'];
  const task = JSON.parse(await darkroom(...fox));
  assert.equal((await stat(join(folder, 'fox.png'))).size, task.outputs[0].bytes);
  const read = JSON.parse(await darkroom('call', 'get-image', task.task_id, '--json'));
  assert.equal(read.task_id, task.task_id);
  assert.doesNotMatch(await darkroom('--help'), /serve|backup/);
});
