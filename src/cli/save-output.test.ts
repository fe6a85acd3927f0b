import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DONE, scriptedService } from '../../test/scripted-service.ts';
import { checkTarget } from './save-target.ts';

const PICTURE = Buffer.from('picture');
const onUnix = { skip: process.platform === 'win32' };

async function serviceWithPicture(t: TestContext) {
  const service = await scriptedService(t, {
    'POST /v1/images': () => ({ status: 201, data: DONE }),
    'GET /v1/images/img_01': () => ({ data: DONE }),
    'GET /v1/images/img_01/content': () => ({ raw: PICTURE }),
  });
  return { ...service, order: (...words: string[]) => service.run('image', 'a fox', '-m', 'sketch', ...words) };
}

test('a failed save names the task, what was charged, and the command that fetches the file', onUnix, async (t) => {
  const service = await serviceWithPicture(t);
  const target = join(service.directory, 'a full disk');
  await symlink('/dev/full', target);
  const command = `darkroom tasks download img_01 -o '${target}'`;
  const { code, stdout, stderr } = await service.order('-o', target);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /ENOSPC/);
  assert.match(stderr, /img_01 succeeded and 0\.01 USD was charged/);
  assert.ok(stderr.includes(command), stderr);
  const document = JSON.parse((await service.order('-o', target, '--json')).stdout);
  assert.deepEqual(
    [document.error.code, document.task_id, document.cost, document.command, document.task],
    ['not_saved', 'img_01', DONE.cost, command, DONE],
  );
});

test('the command that a failed save names fetches the file without another order', async (t) => {
  let broken = true;
  const service = await scriptedService(t, {
    'POST /v1/images': () => ({ status: 201, data: DONE }),
    'GET /v1/images/img_01': () => ({ data: DONE }),
    'GET /v1/images/img_01/content': () => (broken ? { hangUp: true } : { raw: PICTURE }),
  });
  const { stdout } = await service.run('image', 'a fox', '-m', 'sketch', '-o', 'fox.png', '--json');
  broken = false;
  const [, ...words] = JSON.parse(stdout).command.split(' ');
  const fetched = await service.run(...words, '--plain');
  assert.deepEqual([fetched.code, fetched.stdout], [0, 'fox.png\n']);
  assert.deepEqual(await readFile(join(service.directory, 'fox.png')), PICTURE);
  assert.equal(service.seen.filter((one) => one.request === 'POST /v1/images').length, 1);
});

test('a file that arrives in part is not saved', async (t) => {
  const service = await scriptedService(t, {
    'GET /v1/images/img_01': () => ({ data: DONE }),
    'GET /v1/images/img_01/content': () => ({ raw: PICTURE.subarray(3) }),
  });
  const { code, stderr } = await service.run('tasks', 'download', 'img_01', '-o', 'fox.png');
  assert.equal(code, 1);
  assert.match(stderr, /received 4 of 7 bytes/);
  assert.deepEqual(await readdir(service.directory), []);
});

test('Ctrl-C while the file is fetched names the task and the command as well', async (t) => {
  const service = await scriptedService(t, {
    'POST /v1/images': () => ({ status: 201, data: DONE }),
    'GET /v1/images/img_01/content': () => {
      setImmediate(() => command.process.kill('SIGINT'));
      return { silent: true };
    },
  });
  const command = service.start('image', 'a fox', '-m', 'sketch', '-o', 'fox.png');
  const { code, stderr } = await command.ended;
  assert.equal(code, 130);
  assert.match(stderr, /0\.01 USD was charged.*darkroom tasks download img_01 -o fox\.png/);
  assert.deepEqual(await readdir(service.directory), []);
});

test('a target at which nothing can be saved is refused, and nothing is ordered', onUnix, async (t) => {
  const service = await serviceWithPicture(t);
  const at = (name: string) => join(service.directory, name);
  await mkdir(at('folder'));
  await writeFile(at('file'), 'old');
  await symlink('nowhere', at('dangling'));
  execFileSync('mkfifo', [at('pipe')]);
  const { code, stderr } = await service.order('-o', 'folder', '--force');
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
  assert.equal(service.seen.length, 0);
  assert.ok((await lstat(at('pipe'))).isFIFO());
  assert.deepEqual((await readdir(service.directory)).sort(), ['dangling', 'file', 'folder', 'pipe']);
});

test('a device is written into and never replaced', onUnix, async (t) => {
  const service = await serviceWithPicture(t);
  await symlink('/dev/null', join(service.directory, 'void'));
  assert.equal((await service.order('-o', 'void', '--force')).code, 0);
  assert.equal(await readlink(join(service.directory, 'void')), '/dev/null');
  assert.ok((await lstat('/dev/null')).isCharacterDevice());
});

test('with --force the file behind a link is replaced and the link stays', onUnix, async (t) => {
  const service = await serviceWithPicture(t);
  const at = (name: string) => join(service.directory, name);
  await writeFile(at('fox.png'), 'old');
  await symlink('fox.png', at('link.png'));
  assert.equal((await service.order('-o', 'link.png')).code, 1);
  assert.equal((await service.order('-o', 'link.png', '--force')).code, 0);
  assert.equal(await readlink(at('link.png')), 'fox.png');
  assert.deepEqual(await readFile(at('fox.png')), PICTURE);
});

test('a task that is not finished is not downloaded, and the command that waits for it is named', async (t) => {
  const service = await scriptedService(t, {
    'GET /v1/images/img_01': () => ({ data: { ...DONE, status: 'processing', outputs: [] } }),
  });
  const { code, stderr } = await service.run('tasks', 'download', 'img_01', '-o', 'fox.png');
  assert.equal(code, 1);
  assert.match(stderr, /img_01 is processing.*darkroom tasks wait img_01 -o/);
});
