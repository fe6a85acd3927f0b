import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCommandService } from '../../test/helpers/command-service.ts';
import { wholeFile } from '../../test/helpers/whole-file.ts';

const { newUser } = await startCommandService(wholeFile);
const SMALL = ['-m', 'sketch', '--size', '256x256'];

test('- as the prompt reads it from standard input', async (t) => {
  const user = await newUser(t);
  const { code, stdout } = await user.pipe('a fox\nin the snow\n', 'image', '-', ...SMALL, '--json');
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).input.prompt, 'a fox\nin the snow');
});

test('- as a reference uploads standard input', async (t) => {
  const user = await newUser(t);
  await user.run('image', 'a fox', ...SMALL, '-o', 'photo.png');
  const photo = await readFile(join(user.directory, 'photo.png'));
  const words = ['image', 'a fox', ...SMALL, '--image-urls', '-'];
  const { code, stdout, stderr } = await user.pipe(photo, ...words, '--json');
  assert.equal(code, 0, stderr);
  const [reference] = JSON.parse(stdout).input.image_urls;
  assert.match(reference, /^upload:file_\w+$/);
  assert.equal((await user.read(`/v1/files/${reference.slice('upload:'.length)}`)).bytes, photo.length);
  const twice = await user.pipe('a fox', 'image', '-', ...words.slice(2));
  assert.deepEqual([twice.code, twice.stderr], [2, 'Standard input (-) can be used only once in a command.\n']);
});

test('-o - writes the output, and nothing else, to standard output', async (t) => {
  const user = await newUser(t);
  const { code, stdout, stderr } = await user.run('image', 'a fox', ...SMALL, '-o', '-');
  const [id = ''] = /img_\w+ {2}succeeded/.exec(stderr)?.[0].split(' ') ?? [];
  await user.run('tasks', 'download', id, '-o', 'fox.png');
  const picture = await readFile(join(user.directory, 'fox.png'), 'utf8');
  assert.deepEqual([code, stdout], [0, picture]);
  assert.equal((await user.run('tasks', 'download', id, '-o', '-')).stdout, picture);
  assert.deepEqual(await readdir(user.directory), ['fox.png']);
});

test('-o - is refused before the order where something else is printed', async (t) => {
  const user = await newUser(t);
  const { code, stderr } = await user.run('image', 'a fox', ...SMALL, '-o', '-', '--plain');
  assert.equal(code, 2);
  assert.match(stderr, /-o - and --plain both write to standard output/);
  assert.equal(user.proxy.sent(/^POST /).length, 0);
});
