import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { isAlive } from '../../../../test/helpers/is-alive.ts';
import { installation, runDarkroom, startDarkroom } from '../../../../test/helpers/run-darkroom.ts';
import { startTestService, type TaskAnswer } from '../../../../test/helpers/service.ts';
import { openLocalBench, type Pulled } from '../local-bench.ts';
import { ENDED, openService, words } from '../local-service.ts';

type Start = readonly [word: 'start', pid: number, files: string[], variables: string[], args: string[]];
const pidsOf = async (pulled: Pulled): Promise<number[]> =>
  (await pulled.happened()).flatMap(([word, pid]) => (word === 'start' ? [Number(pid)] : []));

test('a pulled model is a live model that costs nothing, and its server is started by the first order', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox', { starts: ['late'], steps: 20 });
  const { order, ended, call, keys, service } = await openService(t, bench, {
    DARKROOM_ALLOWED_ADDRESSES: '10.0.0.0/8',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HF_TOKEN: 'secret',
    CUDA_VISIBLE_DEVICES: '0',
  });
  const { data: model } = await call(keys.live, 'GET', '/v1/models/local-fox');
  assert.deepEqual([model.availability.live, model.vendor], [true, 'This machine']);
  assert.deepEqual(await words(fox), []);
  const task = await order('fox', 'a fox', { aspect_ratio: '16:9' });
  const done = await ended(task);
  assert.deepEqual([done.status, done.cost.amount, done.progress], ['succeeded', '0.00', 100]);
  assert.deepEqual([done.outputs[0].width, done.outputs[0].height], [336, 192]);
  assert.equal((await ended(await order('fox', 'another fox'))).status, 'succeeded');
  const [[, pid, files, variables, args]] = (await fox.happened()) as [Start];
  assert.deepEqual(await words(fox), ['start', 'listen', 'paint', 'paint']);
  assert.deepEqual(files, []);
  assert.deepEqual(
    variables.filter(
      (name) => !['HOME', 'PATH', 'PWD', 'OLDPWD', '_', 'SHLVL', 'LANG', 'TZ', 'VIPSHOME'].includes(name),
    ),
    ['CUDA_VISIBLE_DEVICES'],
  );
  assert.deepEqual(args.slice(args.indexOf('--steps'), args.indexOf('--steps') + 4), [
    '--steps',
    '4',
    '--cfg-scale',
    '1',
  ]);
  await service.stop({ now: true });
  assert.equal(isAlive(pid), false);
});

test('the first pull and a removal take effect in a running service, and end the server of a removed model', async (t) => {
  const { call, keys, config } = await startTestService(t);
  const engines = async () => (await call(keys.admin, 'GET', '/admin/v1/engines')).data.items.map(({ name }) => name);
  assert.equal((await engines()).includes('local'), false);
  const { pull } = await openLocalBench({}, join(config.dataDirectory, 'local'));
  await pull('fox');
  await until(
    () => call(keys.live, 'GET', '/v1/models/local-fox'),
    ({ status, data }) => status === 200 && data.availability.live,
  );
  assert.equal((await engines()).includes('local'), true);
  const { data: task } = await call(keys.live, 'POST', '/v1/images', { model_id: 'local-fox', prompt: 'a fox' });
  const failed = await until(
    async () => (await call(keys.live, 'GET', task.urls.self, undefined, { prefer: 'wait=60' })).data,
    ({ status }) => ENDED.includes(status),
  );
  assert.match(failed.error.message, /fox was pulled without an engine/);
  const { directory } = await installation(t);
  const remove = (name: string, env: Readonly<Record<string, string>>) =>
    runDarkroom(['local', 'rm', name], env, directory);
  assert.equal((await remove('fox', { DARKROOM_DATA_DIR: config.dataDirectory })).code, 0);
  await until(
    () => call(keys.live, 'GET', '/v1/models/local-fox'),
    ({ status }) => status === 404,
  );

  const bench = await openLocalBench();
  const hen = await bench.pull('hen');
  const loaded = await openService(t, bench);
  assert.equal((await loaded.ended(await loaded.order('hen', 'a hen'))).status, 'succeeded');
  await remove('hen', { ...bench.env, DARKROOM_DATA_DIR: loaded.config.dataDirectory });
  await until(
    () => words(hen),
    (happened) => happened.includes('end'),
  );
});

test('a pulled video model is offered with its size and rate, and makes 4n + 1 frames', async (t) => {
  const bench = await openLocalBench();
  const parameters = { width: 160, height: 96, fps: 8, max_seconds: 3, steps: 2, cfg_scale: 6 };
  const film = await bench.pull('film', { starts: ['ok'] }, { type: 'video', edits: false, parameters });
  const { call, keys, ended } = await openService(t, bench);
  const body = {
    model_id: 'local-film',
    prompt: 'a fox runs',
    duration: 3,
    aspect_ratio: '9:16',
    negative_prompt: 'x',
  };
  const { data: quote } = await call(keys.live, 'POST', '/v1/prices', { ...body, prompt: undefined });
  assert.equal(quote.amount, '0.00');
  const done = await ended((await call(keys.live, 'POST', '/v1/videos', body)).data);
  assert.deepEqual([done.status, done.error], ['succeeded', null]);
  const sent = (await film.happened()).find(([word]) => word === 'film')?.[2];
  assert.deepEqual(sent, { video_frames: 25, fps: 8, width: 96, height: 160 });
  assert.equal((await call(keys.live, 'POST', '/v1/videos', { ...body, duration: 4 })).status, 400);
});

test('the steps of the server are the progress of the task', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox', { starts: ['ok'], steps: 4 });
  const { order, read, ended } = await openService(t, bench);
  const task = await order('fox', 'a fox [[hold]]');
  const half = await until(
    () => read(task),
    ({ progress }) => progress > 0,
  );
  // At the first or the second of four steps; the rest is for what follows them.
  assert.ok(half.status === 'processing' && [23, 47].includes(half.progress), JSON.stringify(half.progress));
  await fox.go();
  assert.equal((await ended(task)).status, 'succeeded');
});

test('a model makes grids, and a tile is cut out of one without its server', async (t) => {
  const bench = await openLocalBench({ DARKROOM_LOCAL_IDLE_SECONDS: '1' });
  const fox = await bench.pull('fox');
  const { order, ended, call, keys } = await openService(t, bench);
  const grid = await ended(await order('fox-grid', 'a fox'));
  assert.deepEqual([grid.status, grid.outputs[0].tiles, grid.outputs[0].width], ['succeeded', 4, 512]);
  await until(
    () => words(fox),
    (happened) => happened.includes('end'),
  );
  const action = { parent_task_id: grid.task_id, action: 'upscale', index: 1 };
  const { data: upscale } = await call(keys.live, 'POST', '/v1/images/actions', action);
  const tile = await ended(upscale);
  assert.deepEqual([tile.status, await words(fox)], ['succeeded', ['start', 'listen', 'paint', 'end']]);
});

test('a model that cannot be loaded fails its order with the reason, and is unavailable then', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox', { starts: ['crash'] });
  const { order, ended, call, keys } = await openService(t, bench);
  const failed = await ended(await order('fox', 'a fox'));
  assert.deepEqual([failed.status, failed.error.code, failed.cost.state], ['failed', 'upstream_error', 'released']);
  assert.match(
    failed.error.message,
    /fox cannot be used: exit code 3: .*failed to allocate 5368709120 bytes: out of memory/,
  );
  assert.doesNotMatch(failed.error.message, /libc/);
  assert.deepEqual(await words(fox), ['start', 'start', 'start']);
  const refused = await until(
    () => call(keys.live, 'POST', '/v1/images', { model_id: 'local-fox', prompt: 'a fox' }),
    ({ status }) => status === 503,
  );
  assert.equal(refused.error.code, 'model_unavailable');
  const { items } = (await call(keys.admin, 'GET', '/admin/v1/engines')).data;
  const { route_circuits: circuits } = items.find(({ name }) => name === 'local')!;
  assert.match(circuits[0].reason, /out of memory/);
});

test('a port that another process takes is no end: the next start gets another one', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox', { starts: ['port taken', 'foreign', 'ok'] });
  const { order, ended } = await openService(t, bench, {}, { loadMs: 5_000 });
  assert.equal((await ended(await order('fox', 'a fox'))).status, 'succeeded');
  const starts = (await fox.happened()).filter(([word]) => word === 'start') as Start[];
  assert.equal(new Set(starts.map(([, , , , args]) => args[args.indexOf('--listen-port') + 1])).size, 3);
  // The answers of the foreign server were not believed.
  assert.deepEqual(await words(fox), ['start', 'start', 'end', 'start', 'listen', 'paint']);
});

test('an order whose server crashes is made again, and the orders behind it are not touched', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox');
  const { order, ended } = await openService(t, bench);
  await fox.once();
  const [first, second] = [await order('fox', 'a fox [[crash once]]'), await order('fox', 'a hen')];
  const done = await Promise.all([ended(first), ended(second)]);
  assert.deepEqual(
    done.map(({ status, cost }) => [status, cost.amount]),
    [
      ['succeeded', '0.00'],
      ['succeeded', '0.00'],
    ],
  );
  assert.equal((await pidsOf(fox)).length, 2);
  const painted = (await fox.happened()).flatMap(([word, , prompt]) => (word === 'paint' ? [prompt] : []));
  assert.equal(painted.filter((prompt) => prompt === 'a hen').length, 1);
});

test('an order that ends the server each time fails as the cause, uncharged, and other orders go on', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox');
  const { order, ended } = await openService(t, bench);
  const poison = await order('fox', 'a fox [[crash]]');
  const others = [await order('fox', 'a hen'), await order('fox', 'a cat')];
  const failed = await ended(poison);
  assert.deepEqual([failed.status, failed.error.code, failed.cost.state], ['failed', 'upstream_error', 'released']);
  assert.match(failed.error.message, /SIGABRT: terminate called .* for the third time\. The order may be what ends/);
  assert.doesNotMatch(failed.error.message, /operator/);
  for (const other of others) assert.equal((await ended(other)).status, 'succeeded');
  assert.equal((await pidsOf(fox)).length <= 4, true);
});

test('a server that hangs is ended, and its order is made again', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox');
  const { order, ended } = await openService(t, bench, {}, { stallMs: 2_000 });
  await fox.once();
  assert.equal((await ended(await order('fox', 'a fox [[hang once]]'))).status, 'succeeded');
  assert.equal((await pidsOf(fox)).length, 2);
});

test('a server that floods its output disturbs nobody', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox');
  const { order, ended } = await openService(t, bench);
  assert.equal((await ended(await order('fox', 'a fox [[flood]]'))).status, 'succeeded');
  assert.equal((await pidsOf(fox)).length, 1);
});

test('of two models one is loaded at a time, both get their turn, and idle ones are unloaded', async (t) => {
  const bench = await openLocalBench({ DARKROOM_LOCAL_IDLE_SECONDS: '1' });
  const pulled = [await bench.pull('fox'), await bench.pull('hen')];
  const { order, ended } = await openService(t, bench);
  const tasks = [];
  for (const model of ['fox', 'hen', 'fox', 'hen']) tasks.push(await order(model, 'one'));
  for (const task of tasks) {
    const { status, error } = await ended(task);
    assert.deepEqual([status, error], ['succeeded', null]);
  }
  const pids = (await Promise.all(pulled.map(pidsOf))).flat();
  await until(
    () => pids.some(isAlive),
    (alive) => !alive,
  );
  for (const one of pulled) {
    const happened = await words(one);
    assert.equal(happened.filter((word) => word === 'start').length, happened.filter((word) => word === 'end').length);
  }
});

test('a canceled order stops its server, and the next order gets another one', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox');
  const { order, ended, call, keys } = await openService(t, bench);
  const task = await order('fox', 'a fox [[hold]]');
  await until(
    () => words(fox),
    (happened) => happened.includes('paint'),
  );
  await call(keys.live, 'POST', task.urls.cancel);
  assert.equal((await ended(task)).status, 'canceled');
  assert.equal((await ended(await order('fox', 'a hen'))).status, 'succeeded');
  assert.equal((await pidsOf(fox)).length, 2);
});

test('kill -9 of the service leaves no server, and the next service makes the order again', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox');
  const { directory, data } = await installation(t);
  const variables = { DARKROOM_DATA_DIR: data, DARKROOM_PORT: '0', DARKROOM_LOG_LEVEL: 'silent', ...bench.env };
  const serve = async () => {
    const { process: service } = startDarkroom(['serve'], variables, directory);
    t.after(() => service.kill('SIGKILL'));
    let said = '';
    service.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
    const url = await until(
      () => /listens on (http:\/\/127\.0\.0\.1:\d+)[\s\S]*\n/.exec(said)?.[1] ?? '',
      (found) => found !== '',
    );
    return { service, url };
  };
  const first = await serve();
  const keysFile = await until(
    () => readFile(join(data, 'first-keys.txt'), 'utf8').catch(() => ''),
    (text) => text.includes('DARKROOM_LIVE_KEY'),
  );
  const key = /DARKROOM_LIVE_KEY=(\S+)/.exec(keysFile)?.[1];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model_id: 'local-fox', prompt: 'a fox [[hold]]' });
  const placed = await fetch(`${first.url}/v1/images`, { method: 'POST', headers, body });
  const { data: task } = (await placed.json()) as { readonly data: TaskAnswer };
  await until(
    () => words(fox),
    (happened) => happened.includes('hold'),
  );
  first.service.kill('SIGKILL');
  const [pid = 0] = await pidsOf(fox);
  await until(
    () => isAlive(pid),
    (alive) => !alive,
  );
  await fox.go();
  const second = await serve();
  const path = new URL(task.urls.self, second.url).pathname;
  const ended = await until(
    async () => {
      const answer = await fetch(`${second.url}${path}`, { headers: { ...headers, prefer: 'wait=60' } });
      return ((await answer.json()) as { readonly data: TaskAnswer }).data;
    },
    ({ status }) => ENDED.includes(status),
  );
  assert.deepEqual([ended.status, ended.cost.amount], ['succeeded', '0.00']);
});

/** What the commands print with --json, as far as the tests read it. */
interface Shown {
  readonly servers: readonly [ShownServer];
  readonly items: readonly { readonly name: string; readonly pulled: boolean; readonly server: ShownServer }[];
  readonly checks: readonly { readonly name: string; readonly status: string; readonly found: string }[];
}

interface ShownServer {
  readonly state: string;
  readonly pid: number;
  readonly memory_bytes: number;
  readonly step: { readonly done: number } | null;
  readonly log: readonly string[];
}

test('commands show the state, the memory, the step and the log of servers, and doctor what cannot be used', async (t) => {
  const bench = await openLocalBench();
  const [fox] = [await bench.pull('fox'), await bench.pull('hen', { starts: ['crash'] })];
  const { order, ended, config } = await openService(t, bench);
  const task = await order('fox', 'a fox [[hold]]');
  const { directory } = await installation(t);
  const json = async (...line: string[]): Promise<Shown> =>
    JSON.parse(
      (await runDarkroom([...line, '--json'], { ...bench.env, DARKROOM_DATA_DIR: config.dataDirectory }, directory))
        .stdout,
    );
  const shown = await until(
    () => json('local', 'show', 'fox'),
    ({ servers }) => servers[0]?.step?.done === 2,
  );
  const [server] = shown.servers;
  assert.deepEqual([server.state, server.pid], ['busy', (await pidsOf(fox))[0]]);
  assert.ok(server.memory_bytes > 1e6 || process.platform !== 'linux');
  assert.match(server.log.join(), /loading model from/);
  const { checks: busy } = await json('doctor');
  assert.match(
    busy.find(({ name }) => name === 'server fox')?.found ?? '',
    process.platform === 'linux'
      ? /^busy, process \d+, \d+ MB, step 2 of 4, network (closed|open)\. Its last lines: .*loading model/
      : /^busy, process \d+, /,
  );
  await fox.go();
  await ended(task);
  assert.equal((await ended(await order('hen', 'a hen'))).status, 'failed');
  const { items } = await json('local', 'list');
  assert.deepEqual(
    items.filter(({ pulled }) => pulled).map((one) => [one.name, one.server.state]),
    [
      ['fox', 'stopped'],
      ['hen', 'unavailable'],
    ],
  );
  const { checks } = await json('doctor');
  const { status, found } = checks.find(({ name }) => name === 'server hen')!;
  assert.deepEqual([status, /^unavailable, last failure: .*out of memory/.test(found)], ['warning', true]);
  assert.equal(checks.find(({ name }) => name === 'local models')?.found, 'fox, hen');
});

test('engines try places an order at each model of this machine, and ends its server', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox');
  const { directory, data } = await installation(t);
  const variables = { ...bench.env, DARKROOM_DATA_DIR: data };
  const words = ['engines', 'try', 'local', '--max-spend', '0', '--yes', '--json'];
  const { stdout, stderr } = await runDarkroom(words, variables, directory);
  const { results }: Tried = JSON.parse(stdout || `{"results": [], "why": ${JSON.stringify(stderr)}}`);
  assert.deepEqual(
    results.map(({ model, outcome }) => [model, outcome]),
    [
      ['local-fox', 'succeeded'],
      ['local-fox-grid', 'succeeded'],
    ],
    stderr,
  );
  assert.equal((await pidsOf(fox)).some(isAlive), false);
});

interface Tried {
  readonly results: readonly { readonly model: string; readonly outcome: string }[];
}

test('local run starts the server of a pulled model until Ctrl-C', async (t) => {
  const bench = await openLocalBench();
  const fox = await bench.pull('fox');
  const { directory, data } = await installation(t);
  const command = startDarkroom(['local', 'run', 'fox'], { ...bench.env, DARKROOM_DATA_DIR: data }, directory);
  await until(
    () => words(fox),
    (happened) => happened.includes('listen'),
  );
  await until(
    () => pidsOf(fox).then((pids) => pids.some(isAlive)),
    (alive) => alive,
  );
  command.process.kill('SIGINT');
  const { stdout } = await command.ended;
  assert.match(stdout, /Loading fox/);
  const [pid = 0] = await pidsOf(fox);
  assert.equal(isAlive(pid), false);
});
