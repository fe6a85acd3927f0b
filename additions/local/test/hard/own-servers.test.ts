import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { installation, runDarkroom } from '../../../../test/helpers/run-darkroom.ts';
import { startTestService, type TaskAnswer } from '../../../../test/helpers/service.ts';
import { temporaryDirectory } from '../../../../test/helpers/temporary-directory.ts';
import { PORT_WORD } from '../../src/own-servers/own-server.ts';
import { openLocalBench } from '../local-bench.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fakes', 'own-server-process.ts');

type Happening = readonly [word: string, pid: number, ...facts: unknown[]];

/** Starts a service with one own server. @param entry what its file says, besides the command and the log */
async function openOwn(t: TestContext, entry: object, env: Readonly<Record<string, string>> = {}) {
  const directory = await temporaryDirectory('darkroom-own-');
  const log = join(directory, 'log');
  const server = {
    name: 'studio',
    command: [process.execPath, PROGRAM],
    ready: '/health',
    ...entry,
    environment: { OWN_LOG: log, OWN_PORT: PORT_WORD, ...(entry as { environment?: object }).environment },
  };
  const file = join(directory, 'servers.json');
  await writeFile(file, JSON.stringify({ servers: [server] }));
  const service = await startTestService(t, {
    env: { PATH: process.env.PATH ?? '', DARKROOM_LOCAL_SERVERS_FILE: file, ...env },
  });
  const { call, keys } = service;
  return {
    ...service,
    /** Runs a command beside the service. */
    async run(...line: string[]) {
      const { directory: place } = await installation(t);
      const variables = { ...env, DARKROOM_LOCAL_SERVERS_FILE: file, DARKROOM_DATA_DIR: service.config.dataDirectory };
      return JSON.parse((await runDarkroom([...line, '--json'], variables, place)).stdout);
    },
    async order(prompt: string, fields: object = {}): Promise<TaskAnswer> {
      const body = { model_id: 'my-model', prompt, ...fields };
      const { data, error } = await call(keys.live, 'POST', '/v1/images', body);
      assert.equal(error, undefined, JSON.stringify(error));
      return data;
    },
    ended: (task: TaskAnswer) => service.ended(keys.live, task),
    once: () => writeFile(`${log}.once`, ''),
    async happened(): Promise<Happening[]> {
      const lines = await readFile(log, 'utf8').catch(() => '');
      return lines
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
  };
}

type Own = Awaited<ReturnType<typeof openOwn>>;
const words = async (own: Own) => (await own.happened()).map(([word]) => word);
const pids = async (own: Own) => (await own.happened()).flatMap(([word, pid]) => (word === 'start' ? [pid] : []));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const IMAGES = {
  api: 'openai-images',
  key: `\${STUDIO_KEY}`,
  environment: { OWN_API: 'openai-images', OWN_KEY: `\${STUDIO_KEY}` },
  models: [{ model: 'flux', id: 'my-model', price: '0.02', sizes: { '1:1': '96x96', '16:9': '128x72' } }],
};
const SECRETS = { STUDIO_KEY: 'sk-studio-1234', DARKROOM_LOCAL_IDLE_SECONDS: '1' };

test('a server with OpenAI’s images is started by the first order, makes the sizes of its file and is ended when idle', async (t) => {
  const own = await openOwn(t, IMAGES, SECRETS);
  const { data: model } = await own.call(own.keys.live, 'GET', '/v1/models/my-model');
  assert.deepEqual([model.availability.live, model.pricing.from], [true, '0.02']);
  assert.deepEqual(await words(own), []);
  const { checks }: Doctor = await own.run('doctor');
  assert.match(checks.find(({ name }) => name === 'server own/studio')?.found ?? '', /^not running/);
  // The picture lies on the server, which ends before long.
  const done = await own.ended(await own.order('a fox [[file]]', { aspect_ratio: '16:9' }));
  assert.deepEqual([done.status, done.cost.amount, done.outputs[0].width], ['succeeded', '0.02', 128]);
  const [start, , order] = await own.happened();
  assert.deepEqual(order?.slice(2), ['flux', 'a fox [[file]]', '128x72']);
  const variables = start?.[2] as string[];
  assert.deepEqual(
    variables.filter((name) => /^(DARKROOM|STUDIO|OWN)/.test(name)),
    ['OWN_API', 'OWN_KEY', 'OWN_LOG', 'OWN_PORT'],
  );
  await until(
    () => words(own),
    (happened) => happened.includes('end'),
  );
  const file = await own.call(own.keys.live, 'GET', done.outputs[0].content_url);
  assert.equal(file.status, 200);
});

test('an order whose own server crashes is made again and charged once; one that crashes it each time is not charged', async (t) => {
  const own = await openOwn(t, IMAGES, { ...SECRETS, DARKROOM_LOCAL_IDLE_SECONDS: '60' });
  await own.once();
  const [first, second] = [await own.order('a fox [[crash once]]'), await own.order('a hen')];
  const third = await own.order('a cat [[crash]]');
  for (const task of [first, second]) {
    const done = await own.ended(task);
    assert.deepEqual([done.status, done.cost.amount], ['succeeded', '0.02']);
  }
  const prompts = (await own.happened()).map(([, , , prompt]) => prompt);
  assert.equal(prompts.filter((prompt) => prompt === 'a fox [[crash once]]').length, 2);
  const poison = await own.ended(third);
  assert.deepEqual([poison.status, poison.error.code, poison.cost.state], ['failed', 'upstream_error', 'released']);
  assert.match(poison.error.message, /CUDA error: an illegal memory access/);
  const listed = await own.run('local', 'list');
  assert.deepEqual([listed.own[0].name, listed.own[0].models], ['own/studio', ['my-model']]);
  const { data: account } = await own.call(own.keys.live, 'GET', '/v1/account');
  assert.deepEqual([account.balance, account.held], ['-0.04', '0.00']);
});

test('a canceled order is interrupted at ComfyUI, and the next one finds the same server', async (t) => {
  const models = [{ model: 'sdxl-text-to-image', id: 'my-model', sizes: { '1:1': '64x64' }, negative_prompt: true }];
  const own = await openOwn(t, { api: 'comfyui', environment: { OWN_API: 'comfyui' }, models });
  const task = await own.order('a fox [[hold]]');
  await until(
    () => words(own),
    (happened) => happened.includes('order'),
  );
  await own.call(own.keys.live, 'POST', task.urls.cancel);
  assert.equal((await own.ended(task)).status, 'canceled');
  const done = await own.ended(await own.order('a hen', { seed: 5 }));
  assert.deepEqual([done.status, done.outputs[0].width, done.outputs[0].seed], ['succeeded', 64, 5]);
  assert.deepEqual(await words(own), ['start', 'listen', 'order', 'interrupt', 'order', 'file']);
  await own.once();
  assert.equal((await own.ended(await own.order('a cat [[crash once]]'))).status, 'succeeded');
  assert.equal((await pids(own)).length, 2);
});

test('an own server with a fixed port runs in its directory, and is killed if it ignores SIGTERM', async (t) => {
  const directory = await temporaryDirectory('darkroom-studio-');
  const [port, command] = [await freePort(), [process.execPath, PROGRAM, '--deaf']];
  const environment = { ...IMAGES.environment, OWN_PORT: `${port}` };
  const own = await openOwn(t, { ...IMAGES, command, directory, port, environment }, SECRETS);
  assert.equal((await own.ended(await own.order('a fox'))).status, 'succeeded');
  const [start] = await own.happened();
  assert.equal(start?.[3], directory);
  await own.service.stop({ now: true });
  const [pid = 0] = await pids(own);
  assert.deepEqual([isAlive(pid), (await words(own)).includes('end')], [false, true]);
});

test('an own sd-server is offered, and a command that cannot be started is named by its order', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox');
  const source = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fakes', 'sd-server-process.ts');
  const command = [process.execPath, source, '--plan', fox.plan, '--listen-port', PORT_WORD];
  const models = [{ id: 'my-model', edit_model: 'img_gen', sizes: { '1:1': '64x64' } }];
  const own = await openOwn(t, { api: 'sd-server', command, ready: '/v1/models', models });
  const done = await own.ended(await own.order('a fox'));
  assert.deepEqual([done.status, done.outputs[0].width], ['succeeded', 64]);
  const away = await openOwn(t, { api: 'sd-server', command: ['no-such-program', PORT_WORD], models });
  const failed = await away.ended(await away.order('a fox'));
  assert.deepEqual([failed.status, failed.cost.state], ['failed', 'released']);
  assert.match(failed.error.message, /own\/studio\/img_gen cannot be used: could not be started: .*no-such-program/);
  const doctor: Doctor = await away.run('doctor');
  const missing = doctor.checks.find(({ name }) => name === 'server own/studio');
  assert.deepEqual(
    [missing?.status, missing?.found],
    ['failed', 'there is no program no-such-program that can be run'],
  );
});

interface Doctor {
  readonly checks: readonly { readonly name: string; readonly status: string; readonly found: string }[];
}
