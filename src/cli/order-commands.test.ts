import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { runDarkroom } from '../../test/run-darkroom.ts';
import { DONE, MODEL, QUEUED, scriptedService } from '../../test/scripted-service.ts';

const picture = Buffer.from('picture');

test('an image is ordered with typed fields and uploaded files, awaited and saved', async (t) => {
  let asked = 0;
  const service = await scriptedService(t, {
    'GET /v1/models/sketch': () => ({ data: MODEL }),
    'POST /v1/files': () => ({ status: 201, data: { file_id: 'file_9' } }),
    'POST /v1/images': () => ({ status: 201, data: QUEUED }),
    'GET /v1/images/img_01': () => ({ data: asked++ === 0 ? { ...QUEUED, status: 'processing', progress: 50 } : DONE }),
    'GET /v1/images/img_01/content': () => ({ raw: picture }),
  });
  await writeFile(join(service.directory, 'photo.png'), 'a photo');
  const { code, stdout, stderr } = await service.run(
    ...[
      'image',
      'a fox',
      '-m',
      'sketch',
      '--seed',
      '7',
      '--image-urls',
      'photo.png',
      '--image-urls',
      'https://x.example/y.png',
    ],
    ...['--metadata', 'order=42', '-o', 'fox.png', '--json'],
  );
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(JSON.parse(stdout), DONE);
  assert.deepEqual(service.bodyOf('POST /v1/images'), {
    model_id: 'sketch',
    prompt: 'a fox',
    seed: 7,
    image_urls: ['upload:file_9', 'https://x.example/y.png'],
    metadata: { order: '42' },
  });
  const create = service.seen.find((one) => one.request === 'POST /v1/images');
  assert.equal(create?.headers.authorization, 'Bearer dk_test_x');
  assert.match(String(create?.headers['idempotency-key']), /^[0-9a-f-]{36}$/);
  assert.equal(service.seen.find((one) => one.request === 'POST /v1/files')?.body.toString(), 'a photo');
  assert.deepEqual(await readFile(join(service.directory, 'fox.png')), picture);
  assert.deepEqual((await readdir(service.directory)).sort(), ['fox.png', 'photo.png']);
});

test('nothing is ordered when the file is there already, unless it may be replaced', async (t) => {
  const service = await scriptedService(t, {
    'POST /v1/images': () => ({ status: 201, data: DONE }),
    'GET /v1/images/img_01/content': () => ({ raw: picture }),
  });
  await writeFile(join(service.directory, 'fox.jpg'), 'old');
  const refused = await service.run('image', 'a fox', '-m', 'sketch', '-o', 'fox.jpg');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /fox\.jpg exists.*--force/);
  assert.equal(service.seen.length, 0);
  const replaced = await service.run('image', 'a fox', '-m', 'sketch', '-o', 'fox.jpg', '--force', '--plain');
  assert.deepEqual([replaced.code, replaced.stdout], [0, 'fox.jpg\n']);
  assert.match(replaced.stderr, /holds image\/png; the usual extension is \.png/);
  assert.deepEqual(await readFile(join(service.directory, 'fox.jpg')), picture);
});

test('a task that fails ends with 1, says why, and saves nothing', async (t) => {
  const error = { code: 'content_policy', message: 'The prompt was refused.' };
  const service = await scriptedService(t, {
    'POST /v1/videos': () => ({ status: 201, data: { ...QUEUED, task_id: 'vid_01' } }),
    'GET /v1/videos/vid_01': () => ({ data: { ...QUEUED, task_id: 'vid_01', status: 'failed', error } }),
  });
  const { code, stderr, stdout } = await service.run('video', 'a fox', '-m', 'sketch-motion', '-o', 'fox.mp4');
  assert.deepEqual([code, stdout], [1, '']);
  assert.equal(stderr, 'vid_01 failed: The prompt was refused. (content_policy). Nothing was charged.\n');
  await assert.rejects(access(join(service.directory, 'fox.mp4')));
});

test('a refusal shows every fault, and as JSON the very body of the service', async (t) => {
  const refusal = {
    status: 400,
    code: 'unsupported_field',
    message: "sketch does not take 'sede'.",
    param: 'sede',
    details: [
      { param: 'sede', code: 'unsupported_field', message: "sketch does not take 'sede'." },
      { param: 'resolution', code: 'unsupported_value', message: "'9K' is none of 1K, 2K." },
    ],
  };
  const service = await scriptedService(t, {
    'GET /v1/models/sketch': () => ({ data: MODEL }),
    'POST /v1/images': () => ({ status: 400, error: refusal }),
  });
  const words = ['image', 'a fox', '-m', 'sketch', '--sede', '7', '--resolution', '9K'];
  const { code, stderr } = await service.run(...words);
  assert.equal(code, 1);
  assert.match(stderr, /^sketch does not take 'sede'\.\n--resolution: '9K' is none of 1K, 2K\./);
  assert.deepEqual(service.bodyOf('POST /v1/images'), {
    model_id: 'sketch',
    prompt: 'a fox',
    sede: '7',
    resolution: '9K',
  });
  assert.deepEqual(JSON.parse((await service.run(...words, '--json')).stdout), { error: refusal });
});

test('Ctrl-C ends the waiting, says that the task goes on, and names it', async (t) => {
  const service = await scriptedService(t, {
    'POST /v1/images': () => ({ status: 201, data: QUEUED }),
    'GET /v1/images/img_01': () => {
      setImmediate(() => command.process.kill('SIGINT'));
      return { silent: true };
    },
  });
  const command = service.start('image', 'a fox', '-m', 'sketch');
  const { code, stderr } = await command.ended;
  assert.equal(code, 130);
  assert.match(stderr, /The task continues: img_01\n.*tasks wait img_01/);
  assert.ok(!service.seen.some((one) => one.request.includes('cancel')));
});

test('a connection that breaks under an order is not tried again, and the key to find it is told', async (t) => {
  const service = await scriptedService(t, { 'POST /v1/images': () => ({ hangUp: true }) });
  const { code, stderr } = await service.run('image', 'a fox', '-m', 'sketch');
  assert.equal(code, 1);
  const key = String(service.seen[0]?.headers['idempotency-key']);
  assert.ok(stderr.includes(`--idempotency-key ${key}`), stderr);
  assert.equal(service.seen.length, 1);
});

test('nor is an order that the service could not answer, as it may have been taken', async (t) => {
  const error = { status: 503, code: 'service_unavailable', message: 'It is not known whether it was taken.' };
  const service = await scriptedService(t, { 'POST /v1/images': () => ({ status: 503, error }) });
  const { code, stdout, stderr } = await service.run('image', 'a fox', '-m', 'sketch');
  const key = String(service.seen[0]?.headers['idempotency-key']);
  assert.deepEqual([code, stdout, service.seen.length], [1, '', 1]);
  assert.ok(stderr.includes(`--idempotency-key ${key}`), stderr);
});

test('a service that is away for a moment does not end the waiting', async (t) => {
  let asked = 0;
  const service = await scriptedService(t, {
    'GET /v1/images/img_01': () => {
      asked++;
      if (asked === 2) return { hangUp: true };
      return { data: asked === 1 ? QUEUED : DONE };
    },
  });
  const { code, stdout } = await service.run('tasks', 'wait', 'img_01', '--plain');
  assert.deepEqual([code, stdout], [0, 'http://files.example/x\n']);
});

test('a follow-up action types its fields by what the parent offers', async (t) => {
  const service = await scriptedService(t, {
    'GET /v1/images/img_01': () => ({ data: DONE }),
    'POST /v1/images/actions': () => ({ status: 201, data: { ...QUEUED, task_id: 'img_02', action: 'upscale' } }),
  });
  const { code, stdout } = await service.run('action', 'img_01', 'upscale', '--index', '2', '--no-wait', '--plain');
  assert.deepEqual([code, stdout], [0, 'img_02\n']);
  assert.deepEqual(service.bodyOf('POST /v1/images/actions'), {
    parent_task_id: 'img_01',
    action: 'upscale',
    index: 2,
  });
});

test('models and prices are read; without a key the public catalog is', async (t) => {
  const service = await scriptedService(t, {
    'GET /v1/models': () => ({ data: { items: [MODEL] } }),
    'GET /v1/catalog': () => ({ data: { items: [MODEL, { ...MODEL, model_id: 'other', aliases: [] }] } }),
    'GET /v1/models/sketch': () => ({ data: MODEL }),
    'POST /v1/prices': () => ({
      data: {
        model_id: 'sketch',
        amount: '0.02',
        currency: 'USD',
        exact: true,
        lines: [{ description: 'one image at 2K', quantity: '1', unit_price: '0.02', amount: '0.02' }],
      },
    }),
  });
  assert.equal((await service.run('models', '--plain')).stdout, 'sketch\n');
  const without = { DARKROOM_URL: service.variables.DARKROOM_URL };
  assert.equal((await runDarkroom(['models', '--plain'], without, service.directory)).stdout, 'sketch\nother\n');
  assert.match(
    (await runDarkroom(['models', 'doodle'], without, service.directory)).stdout,
    /--resolution +"1K" +1K, 2K/,
  );
  assert.equal((await service.run('price', 'sketch', '--resolution', '2K', '--plain')).stdout, '0.02\n');
  assert.deepEqual(service.bodyOf('POST /v1/prices'), { model_id: 'sketch', resolution: '2K' });
});

test('what stands in the way of a call is said with what to do', async (t) => {
  const service = await scriptedService(t, {
    'GET /v1/models': () => ({
      status: 401,
      error: { code: 'invalid_api_key', status: 401, message: 'Unknown key.', details: [] },
    }),
    'GET /v1/images/img_01': () => ({ raw: Buffer.from('<html>') }),
  });
  assert.match(
    (await service.run('models')).stderr,
    /Unknown key\. \(invalid_api_key\)\n.*keys create --mode test --plain/,
  );
  assert.match((await service.run('tasks', 'show', 'img_01')).stderr, /The answer of \S+ is not Darkroom's/);
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const away = { DARKROOM_URL: `http://127.0.0.1:${(closed.address() as AddressInfo).port}` };
  await once(closed.close(), 'close');
  const { code, stderr } = await runDarkroom(['models'], away, service.directory);
  assert.equal(code, 1);
  assert.match(stderr, /Is the service running\? Start it with: npm start/);
  for (const words of [
    ['image', 'a', 'fox', '-m', 'sketch'],
    ['image', 'a fox'],
    ['image', 'a fox', '-m', 'sketch', '-x'],
  ]) {
    assert.equal((await service.run(...words)).code, 2, words.join(' '));
  }
});
