import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startCommandService } from '../../../test/helpers/command-service.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';
import { checkTarget } from './save-target.ts';

const { service, newUser } = await startCommandService(wholeFile);
const ORDER = { model_id: 'sketch', prompt: 'a fox', size: '256x256' };
const CONTENT = /^GET .*\/content$/;
const onUnix = { skip: process.platform === 'win32' };

async function prepare(t: TestContext) {
  const user = await newUser(t);
  const order = (...words: string[]) => user.run('image', 'a fox', '-m', 'sketch', '--size', '256x256', ...words);
  const orders = () => user.proxy.sent(/^POST \/v1\/images$/).length;
  return { ...user, order, orders };
}

test('a failed save names the task, what was charged, and the command that fetches the file', onUnix, async (t) => {
  const user = await prepare(t);
  const target = join(user.directory, 'a full disk');
  await symlink('/dev/full', target);
  const { code, stdout, stderr } = await user.order('-o', target);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /ENOSPC/);
  const [, id = ''] = /(img_\w+) succeeded and 0\.005 USD was charged/.exec(stderr) ?? [];
  assert.ok(stderr.includes(`darkroom tasks download ${id} -o '${target}'`), stderr);
  const document = JSON.parse((await user.order('-o', target, '--json')).stdout);
  const { task_id: other, task } = document;
  assert.deepEqual(
    [document.error.code, document.cost, document.command, task.task_id, task.status],
    ['not_saved', task.cost, `darkroom tasks download ${other} -o '${target}'`, other, 'succeeded'],
  );
});

test('the command that a failed save names fetches the file without another order', async (t) => {
  const user = await prepare(t);
  user.proxy.fail(CONTENT, 'cut before');
  const { stdout } = await user.order('-o', 'fox.png', '--json');
  const [, ...words] = JSON.parse(stdout).command.split(' ');
  const fetched = await user.run(...words, '--plain');
  assert.deepEqual([fetched.code, fetched.stdout], [0, 'fox.png\n']);
  const { bytes } = JSON.parse(stdout).task.outputs[0];
  assert.equal((await readFile(join(user.directory, 'fox.png'))).length, bytes);
  assert.equal(user.orders(), 1);
});

test('a file that arrives in part is not saved', async (t) => {
  const user = await prepare(t);
  const { task_id: id, outputs } = await user.make('/v1/images', ORDER);
  user.proxy.fail(CONTENT, { status: 200, body: 'part' });
  const { code, stderr } = await user.run('tasks', 'download', id, '-o', 'fox.png');
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`received 4 of ${outputs[0].bytes} bytes`));
  assert.deepEqual(await readdir(user.directory), []);
});

test('Ctrl-C while the file is fetched names the task and the command as well', async (t) => {
  const user = await prepare(t);
  user.proxy.fail(CONTENT, 'drop answer');
  const command = user.start('image', 'a fox', '-m', 'sketch', '--size', '256x256', '-o', 'fox.png');
  await user.proxy.count(CONTENT, 1);
  command.process.kill('SIGINT');
  const { code, stderr } = await command.ended;
  assert.equal(code, 130);
  assert.match(stderr, /0\.005 USD was charged.*darkroom tasks download img_\w+ -o fox\.png/);
  assert.deepEqual(await readdir(user.directory), []);
});

test('a target at which nothing can be saved is refused, and nothing is ordered', onUnix, async (t) => {
  const user = await prepare(t);
  const at = (name: string) => join(user.directory, name);
  await mkdir(at('folder'));
  await writeFile(at('file'), 'old');
  await symlink('nowhere', at('dangling'));
  execFileSync('mkfifo', [at('pipe')]);
  const { code, stderr } = await user.order('-o', 'folder', '--force');
  assert.equal(code, 1);
  assert.match(stderr, /folder is a directory\. Name a file in it, such as folder\/picture\.png/);
  const targets: [string, RegExp][] = [
    [`${at('folder')}/`, /is a directory/],
    [at('missing/fox.png'), /The directory .*missing of .*fox\.png does not exist/],
    [at('file/fox.png'), /file in .*fox\.png is not a directory/],
    [at('dangling'), /symbolic link to a file that does not exist/],
    [at('pipe'), /not a regular file/],
    [at('x'.repeat(254)), /Cannot create a file in .* \(ENAMETOOLONG\)/],
  ];
  for (const [output, message] of targets) await assert.rejects(checkTarget({ output, force: true }), { message });
  assert.equal(user.orders(), 0);
  assert.ok((await lstat(at('pipe'))).isFIFO());
  assert.deepEqual((await readdir(user.directory)).sort(), ['dangling', 'file', 'folder', 'pipe']);
});

test('a device is written into and never replaced', onUnix, async (t) => {
  const user = await prepare(t);
  await symlink('/dev/null', join(user.directory, 'void'));
  assert.equal((await user.order('-o', 'void', '--force')).code, 0);
  assert.equal(await readlink(join(user.directory, 'void')), '/dev/null');
  assert.ok((await lstat('/dev/null')).isCharacterDevice());
});

test('with --force the file behind a link is replaced and the link stays', onUnix, async (t) => {
  const user = await prepare(t);
  const at = (name: string) => join(user.directory, name);
  await writeFile(at('fox.png'), 'old');
  await symlink('fox.png', at('link.png'));
  assert.equal((await user.order('-o', 'link.png')).code, 1);
  assert.equal((await user.order('-o', 'link.png', '--force')).code, 0);
  assert.equal(await readlink(at('link.png')), 'fox.png');
  assert.notEqual(await readFile(at('fox.png'), 'utf8'), 'old');
});

test('a task that is not finished is not downloaded, and the command that waits for it is named', async (t) => {
  const user = await prepare(t);
  const { data } = await service.call(user.key, 'POST', '/v1/images', { ...ORDER, simulate: { seconds: 600 } });
  const { code, stderr } = await user.run('tasks', 'download', data.task_id, '-o', 'fox.png');
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`${data.task_id} is (queued|processing).*darkroom tasks wait ${data.task_id} -o`));
});
