import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, readFile, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { isAlive } from '../../../../test/helpers/is-alive.ts';
import { installation, runDarkroom } from '../../../../test/helpers/run-darkroom.ts';
import { startTestService, type TaskAnswer } from '../../../../test/helpers/service.ts';
import { temporaryDirectory } from '../../../../test/helpers/temporary-directory.ts';
import { PORT_WORD } from '../../src/own-servers/own-server.ts';
import { createServerNetwork } from '../../src/servers/network.ts';
import type { LocalModelsView } from '../../src/service/local-wire.ts';
import { openLocalBench, type Pulled } from '../local-bench.ts';

/** Listens on another loopback address of this machine, for servers that should not reach it. */
async function openOutside(t: TestContext) {
  const reached: unknown[] = [];
  const listener = createServer((socket) => {
    reached.push(socket.remoteAddress);
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.after(() => listener.close());
  return { reached, calls: { host: '127.0.0.1', port: (listener.address() as AddressInfo).port } };
}

/** Returns a PATH with only these programs, as far as this machine has them. */
async function pathWith(...programs: readonly string[]): Promise<string> {
  const directory = await temporaryDirectory('darkroom-path-');
  for (const program of programs) {
    for (const one of (process.env.PATH ?? '').split(delimiter)) {
      const isThere = await access(join(one, program)).then(
        () => true,
        () => false,
      );
      if (isThere) await symlink(join(one, program), join(directory, program)).catch(() => {});
    }
  }
  return directory;
}

async function openService(t: TestContext, env: Readonly<Record<string, string>>) {
  const service = await startTestService(t, { env });
  const { call, keys, config } = service;
  return {
    ...service,
    async order(model: string, prompt: string): Promise<TaskAnswer> {
      const { data, error } = await call(keys.live, 'POST', '/v1/images', { model_id: model, prompt });
      assert.equal(error, undefined, JSON.stringify(error));
      return data;
    },
    ended: (task: TaskAnswer) => service.ended(keys.live, task),
    machine: async (): Promise<LocalModelsView> => (await call(keys.admin, 'GET', '/admin/v1/local/models')).data,
    async doctor(): Promise<{ readonly status: string; readonly found: string } | undefined> {
      const { directory } = await installation(t);
      const variables = { ...env, DARKROOM_DATA_DIR: config.dataDirectory };
      const { stdout } = await runDarkroom(['doctor', '--json'], variables, directory);
      return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'network of local servers');
    },
  };
}

const called = async (pulled: Pulled) =>
  (await pulled.happened()).flatMap(([word, , outcome]) => (word === 'called' ? [outcome] : []));
const pidsOf = async (pulled: Pulled) =>
  (await pulled.happened()).flatMap(([word, pid]) => (word === 'start' ? [Number(pid)] : []));

/** Returns the process of the line to this one that this one has started. */
async function startedBy(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return parent === process.pid ? pid : await startedBy(parent);
}

for (const [way, programs] of [
  ['bubblewrap', ['bwrap']],
  ['unshare', ['unshare', 'ip', 'setpriv']],
] as const) {
  test(`with ${way} a server reaches nothing but itself, makes its orders, and ends with what encloses it`, async (t) => {
    const PATH = await pathWith(...programs);
    const { state, reason } = await createServerNetwork('auto', PATH).view();
    if (state !== 'closed') return t.skip(`this machine cannot close a network with ${way}: ${reason}`);
    const { reached, calls } = await openOutside(t);
    const bench = await openLocalBench({ PATH, DARKROOM_LOCAL_NETWORK: 'closed' });
    const fox = await bench.pull('fox', { starts: ['ok'], calls });
    const { order, ended, machine, doctor } = await openService(t, bench.env);
    const task = await order('local-fox', 'a fox [[hold]]');
    await until(
      () => fox.happened(),
      (happened) => happened.some(([word]) => word === 'hold'),
    );
    assert.deepEqual([await called(fox), reached], [['ECONNREFUSED'], []]);
    const told = await until(machine, ({ items }) => items.some(({ server: one }) => one?.state === 'busy'));
    assert.deepEqual(told.machine.network, { state: 'closed', reason: way });
    const { server } = told.items.find(({ name }) => name === 'fox') ?? {};
    assert.equal(server?.network, 'closed');
    assert.ok((server?.memory_bytes ?? 0) > 1e6);
    const line = await doctor();
    assert.deepEqual([line?.status, line?.found], ['ok', `closed by ${way}`]);
    // The server is no child of what encloses it, and would go on.
    const [first = 0] = await pidsOf(fox);
    process.kill(await startedBy(first), 'SIGKILL');
    await fox.go();
    assert.equal((await ended(task)).status, 'succeeded');
    const pids = await pidsOf(fox);
    assert.equal(pids.length, 2);
    // It ends by a signal that its parent's end causes.
    await until(
      () => isAlive(first),
      (alive) => !alive,
    );
  });
}

test('an open network is the operator’s wish: for all servers, or for one of their own', async (t) => {
  const { reached, calls } = await openOutside(t);
  const open = await openLocalBench({ DARKROOM_LOCAL_NETWORK: 'open' });
  const fox = await open.pull('fox', { starts: ['ok'], calls });
  const first = await openService(t, open.env);
  assert.equal((await first.ended(await first.order('local-fox', 'a fox'))).status, 'succeeded');
  assert.deepEqual([await called(fox), reached.length], [['connected'], 1]);
  const told = (await first.machine()).machine.network;
  assert.deepEqual(told, { state: 'open', reason: 'DARKROOM_LOCAL_NETWORK says so' });

  const bench = await openLocalBench();
  const hen = await bench.pull('hen', { starts: ['ok'], calls });
  const source = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fakes', 'sd-server-process.ts');
  const command = [process.execPath, source, '--plan', hen.plan, '--listen-port', PORT_WORD];
  const models = [{ id: 'my-hen', sizes: { '1:1': '64x64' } }];
  const file = join(await temporaryDirectory('darkroom-own-'), 'servers.json');
  const server = { name: 'studio', api: 'sd-server', command, ready: '/v1/models', network: 'open', models };
  await writeFile(file, JSON.stringify({ servers: [server] }));
  const own = await openService(t, { ...bench.env, DARKROOM_LOCAL_SERVERS_FILE: file });
  assert.equal((await own.ended(await own.order('my-hen', 'a hen'))).status, 'succeeded');
  assert.deepEqual([await called(hen), reached.length], [['connected'], 2]);
});

test('where no network can be closed a server starts all the same, unless it is demanded, and both are told', async (t) => {
  const PATH = await pathWith();
  const bench = await openLocalBench({ PATH });
  await bench.pull('fox');
  const { order, ended, machine, doctor } = await openService(t, bench.env);
  assert.equal((await ended(await order('local-fox', 'a fox'))).status, 'succeeded');
  const { network } = (await machine()).machine;
  assert.equal(network.state, 'open');
  const why = process.platform === 'linux' ? /^bubblewrap is not installed; unshare.* not found$/ : /^only Linux/;
  assert.match(network.reason, why);
  const line = await doctor();
  assert.match(line?.found ?? '', /^open, so servers can reach other machines: /);
  assert.equal(line?.status, process.platform === 'linux' ? 'warning' : 'ok');

  const closed = await openService(t, { ...bench.env, DARKROOM_LOCAL_NETWORK: 'closed' });
  const failed = await closed.ended(await closed.order('local-fox', 'a fox'));
  assert.deepEqual([failed.status, failed.cost.state], ['failed', 'released']);
  assert.match(failed.error.message, /its network cannot be closed, and DARKROOM_LOCAL_NETWORK demands it: /);
  assert.equal((await closed.machine()).machine.network.state, 'unavailable');
  assert.equal((await closed.doctor())?.status, 'failed');
});
