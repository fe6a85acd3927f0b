import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCommandService } from '../../../test/helpers/command-service.ts';
import { runDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

const { service, newUser } = await startCommandService(wholeFile);
const FOX = ['image', 'a fox', '-m', 'sketch', '--size', '256x256'];
const CREATE = /^POST \/v1\/images$/;
const RETRIEVE = /^GET \/v1\/images\/img_\w+$/;
const body = { model_id: 'sketch', prompt: 'a fox', size: '256x256' };

test('an image is ordered with typed fields and uploaded files, awaited and saved', async (t) => {
  const user = await newUser(t);
  const earlier = await user.make('/v1/images', body);
  await user.run('tasks', 'download', earlier.task_id, '-o', 'photo.png');
  const { code, stdout, stderr } = await user.run(
    ...FOX,
    '--seed',
    '7',
    '--image-urls',
    'photo.png',
    '--image-urls',
    `task:${earlier.task_id}`,
    '--metadata',
    'order=42',
    '-o',
    'fox.png',
    '--json',
  );
  assert.deepEqual([code, stderr], [0, '']);
  const task = JSON.parse(stdout);
  assert.deepEqual([task.status, task.input.seed, task.metadata], ['succeeded', 7, { order: '42' }]);
  const [uploaded, named] = task.input.image_urls;
  assert.match(uploaded, /^upload:file_\w+$/);
  assert.equal(named, `task:${earlier.task_id}`);
  const file = await user.read(`/v1/files/${uploaded.slice('upload:'.length)}`);
  assert.equal(file.bytes, (await readFile(join(user.directory, 'photo.png'))).length);
  const [create] = user.proxy.sent(CREATE);
  assert.equal(create?.headers.authorization, `Bearer ${user.key}`);
  assert.match(String(create?.headers['idempotency-key']), /^[0-9a-f-]{36}$/);
  assert.equal((await readFile(join(user.directory, 'fox.png'))).length, task.outputs[0].bytes);
  assert.deepEqual((await readdir(user.directory)).sort(), ['fox.png', 'photo.png']);
});

test('nothing is ordered when the file is there already, unless it may be replaced', async (t) => {
  const user = await newUser(t);
  await writeFile(join(user.directory, 'fox.jpg'), 'old');
  const refused = await user.run(...FOX, '-o', 'fox.jpg');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /fox\.jpg exists.*--force/);
  assert.equal(user.proxy.sent(CREATE).length, 0);
  const replaced = await user.run(...FOX, '-o', 'fox.jpg', '--force', '--plain');
  assert.deepEqual([replaced.code, replaced.stdout], [0, 'fox.jpg\n']);
  assert.match(replaced.stderr, /holds image\/png; the usual extension is \.png/);
  assert.notEqual(await readFile(join(user.directory, 'fox.jpg'), 'utf8'), 'old');
});

test('a task that fails ends with 1, says why, and saves nothing', async (t) => {
  const user = await newUser(t);
  const film = ['video', 'a fox', '-m', 'sketch-motion', '--simulate', 'outcome=content_policy', '-o', 'fox.mp4'];
  const { code, stderr, stdout } = await user.run(...film);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^vid_\w+ failed: .+ \(content_policy\)\. Nothing was charged\.\n$/);
  await assert.rejects(access(join(user.directory, 'fox.mp4')));
});

test('a refusal shows every fault, and as JSON the very body of the service', async (t) => {
  const user = await newUser(t);
  const words = [...FOX, '--sede', '7', '--aspect-ratio', '7:5'];
  const { code, stderr } = await user.run(...words);
  assert.equal(code, 1);
  assert.match(stderr, /'sede'.*\n.*--aspect-ratio/);
  const told = JSON.parse((await user.run(...words, '--json')).stdout);
  const refusal = await service.call(user.key, 'POST', '/v1/images', { ...body, sede: '7', aspect_ratio: '7:5' });
  const { request_id: _, ...error } = refusal.error;
  const { request_id: __, docs_url: docs, ...same } = told.error;
  // Each answer links to the address that it was asked at: the command's is that of a proxy.
  assert.deepEqual({ ...same, docs_url: docs.replace(user.proxy.url, service.url) }, error);
});

test('Ctrl-C ends the waiting, says that the task goes on, and names it', async (t) => {
  const user = await newUser(t);
  const command = user.start(...FOX, '--simulate', 'seconds=600');
  await user.proxy.count(RETRIEVE, 1);
  command.process.kill('SIGINT');
  const { code, stderr } = await command.ended;
  assert.equal(code, 130);
  assert.match(stderr, /The task continues: (img_\w+)\n.*tasks wait \1/);
  assert.equal(user.proxy.sent(/cancel/).length, 0);
});

test('a connection that breaks under an order is not tried again, and the key to find it is told', async (t) => {
  const user = await newUser(t);
  user.proxy.fail(CREATE, 'lose answer');
  const { code, stderr } = await user.run(...FOX);
  assert.equal(code, 1);
  const [create] = user.proxy.sent(CREATE);
  const words = ['--idempotency-key', String(create?.headers['idempotency-key'])];
  assert.ok(stderr.includes(words.join(' ')), stderr);
  assert.equal(user.proxy.sent(CREATE).length, 1);
  assert.equal((await user.run(...FOX, ...words)).code, 0);
  assert.equal((await user.read('/v1/images')).items.length, 1);
});

test('nor is an order that the service could not answer, as it may have been taken', async (t) => {
  const user = await newUser(t);
  const error = { status: 503, code: 'service_unavailable', message: 'It is not known whether it was taken.' };
  user.proxy.fail(CREATE, { status: 503, body: JSON.stringify({ error }) }, '502 after');
  for (const times of [1, 2]) {
    const { code, stdout, stderr } = await user.run(...FOX);
    const key = String(user.proxy.sent(CREATE).at(-1)?.headers['idempotency-key']);
    assert.deepEqual([code, stdout, user.proxy.sent(CREATE).length], [1, '', times]);
    assert.ok(stderr.includes(`--idempotency-key ${key}`), stderr);
  }
});

test('a service that is away for a moment does not end the waiting', async (t) => {
  const user = await newUser(t);
  const order = { ...body, simulate: { seconds: 1 } };
  const { data } = await service.call(user.key, 'POST', '/v1/images', order);
  user.proxy.fail(RETRIEVE, 'pass', 'cut before', '502 before');
  const { code, stdout } = await user.run('tasks', 'wait', data.task_id, '--plain');
  assert.equal(code, 0);
  assert.match(stdout, /^http:\S+\n$/);
});

test('a follow-up action types its fields by what the parent offers', async (t) => {
  const user = await newUser(t);
  const { task_id: grid } = await user.make('/v1/images', { model_id: 'sketch-grid', prompt: 'a castle' });
  const { code, stdout } = await user.run('action', grid, 'upscale', '--index', '2', '--no-wait', '--json');
  assert.equal(code, 0);
  const task = JSON.parse(stdout);
  assert.deepEqual([task.parent_task_id, task.action, task.input.index], [grid, 'upscale', 2]);
});

test('models and prices are read; without a key the public catalog is', async (t) => {
  const user = await newUser(t);
  const { items } = await user.read('/v1/models');
  const ids = items.map((model: { model_id: string }) => model.model_id);
  assert.equal((await user.run('models', '--plain')).stdout, `${ids.join('\n')}\n`);
  const without = { DARKROOM_URL: service.url };
  const found = await runDarkroom(['models', '--plain'], without, user.directory);
  assert.ok(found.stdout.split('\n').includes('sketch'));
  const shown = await runDarkroom(['models', 'sketch'], without, user.directory);
  assert.match(shown.stdout, /--resolution +"1K" +0\.5K, 1K, 2K/);
  const question = { model_id: 'sketch', resolution: '2K' };
  const quote = (await service.call(user.key, 'POST', '/v1/prices', question)).data;
  assert.equal((await user.run('price', 'sketch', '--resolution', '2K', '--plain')).stdout, `${quote.amount}\n`);
});

test('what stands in the way of a call is said with what to do', async (t) => {
  const user = await newUser(t);
  const unknown = { ...user.variables, DARKROOM_API_KEY: `dk_test_${'x'.repeat(36)}` };
  assert.match(
    (await runDarkroom(['models'], unknown, user.directory)).stderr,
    /\(invalid_api_key\)\n.*keys create --mode test --plain/,
  );
  user.proxy.fail(RETRIEVE, { status: 200, body: '<html>' });
  const id = `img_${'0'.repeat(26)}`;
  assert.match((await user.run('tasks', 'show', id)).stderr, /The answer of \S+ is not Darkroom's/);
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const away = { DARKROOM_URL: `http://127.0.0.1:${(closed.address() as AddressInfo).port}` };
  await once(closed.close(), 'close');
  const { code, stderr } = await runDarkroom(['models'], away, user.directory);
  assert.equal(code, 1);
  assert.match(stderr, /Is the service running\? Start it with: npm start/);
  for (const words of [
    ['image', 'a', 'fox', '-m', 'sketch'],
    ['image', 'a fox'],
    ['image', 'a fox', '-m', 'sketch', '-x'],
  ]) {
    assert.equal((await user.run(...words)).code, 2, words.join(' '));
  }
});
