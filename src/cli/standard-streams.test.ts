import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { DONE, MODEL, scriptedService } from '../../test/scripted-service.ts';

const answers = {
  'GET /v1/models/sketch': () => ({ data: MODEL }),
  'POST /v1/files': () => ({ status: 201, data: { file_id: 'file_9' } }),
  'POST /v1/images': () => ({ status: 201, data: DONE }),
  'GET /v1/images/img_01': () => ({ data: DONE }),
  'GET /v1/images/img_01/content': () => ({ raw: Buffer.from('picture') }),
};

test('- as the prompt reads it from standard input', async (t) => {
  const service = await scriptedService(t, answers);
  const { code } = await service.pipe('a fox\nin the snow\n', 'image', '-', '-m', 'sketch');
  assert.equal(code, 0);
  assert.deepEqual(service.bodyOf('POST /v1/images'), { model_id: 'sketch', prompt: 'a fox\nin the snow' });
});

test('- as a reference uploads standard input', async (t) => {
  const service = await scriptedService(t, answers);
  const words = ['image', 'a fox', '-m', 'sketch', '--image-urls', '-'];
  assert.equal((await service.pipe('a photo', ...words)).code, 0);
  assert.equal(service.seen.find((one) => one.request === 'POST /v1/files')?.body.toString(), 'a photo');
  const twice = await service.pipe('a photo', 'image', '-', ...words.slice(2));
  assert.deepEqual([twice.code, twice.stderr], [2, 'Standard input (-) can be used only once in a command.\n']);
});

test('-o - writes the output, and nothing else, to standard output', async (t) => {
  const service = await scriptedService(t, answers);
  const { code, stdout, stderr } = await service.run('image', 'a fox', '-m', 'sketch', '-o', '-');
  assert.deepEqual([code, stdout], [0, 'picture']);
  assert.match(stderr, /img_01 {2}succeeded/);
  assert.equal((await service.run('tasks', 'download', 'img_01', '-o', '-')).stdout, 'picture');
  assert.deepEqual(await readdir(service.directory), []);
});

test('-o - is refused before the order where something else is printed', async (t) => {
  const service = await scriptedService(t, answers);
  const { code, stderr } = await service.run('image', 'a fox', '-m', 'sketch', '-o', '-', '--plain');
  assert.equal(code, 2);
  assert.match(stderr, /-o - and --plain both write to standard output/);
  assert.equal(service.seen.length, 0);
});
