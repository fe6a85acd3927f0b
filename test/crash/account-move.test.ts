import assert from 'node:assert/strict';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@darkroom-service/engines/fakes/free-port';
import { until } from '@darkroom-service/testing/until';
import { startDarkroom } from '../run-darkroom.ts';
import { readTasks } from './books.ts';
import { openPremises } from './child-service.ts';
import { readSubmissions } from './paid-engine.ts';

/** An account moves between two cells under load, and the command is killed after each of its steps. */

const STEPS = ['entered', 'fenced', 'copied tasks', 'copied', 'closed', 'compared', 'moved', 'open', 'removed'];
const FILM_MS = 4_000;
/** What an order may be answered while its account moves. */
const LATER = [503];

async function openCells(t: TestContext) {
  const engines = [
    { name: 'paid-polled', workMs: 100 },
    { name: 'paid-film', workMs: FILM_MS },
  ];
  const [eu, us] = [await openPremises(t, engines, true), await openPremises(t, engines, true)];
  // Both cells order with the same account of the upstream.
  await rm(us.books);
  await symlink(eu.books, us.books);
  const cells = await Promise.all(
    [eu, us].map(async (premises, index) => {
      const name = index === 0 ? 'eu1' : 'us1';
      const port = await freePort();
      const variables = { DARKROOM_CELL: name, DARKROOM_PORT: String(port), DARKROOM_DRAIN_SECONDS: '30' };
      const child = await premises.start({ variables });
      const settings: Record<string, string> = {
        ...variables,
        DARKROOM_DATABASE_URL: premises.databaseUrl ?? '',
        DARKROOM_DATA_DIR: join(premises.directory, 'data'),
        DARKROOM_PUBLIC_URL: child.url,
      };
      return { name, premises, child, settings };
    }),
  );
  const file = join(eu.directory, 'us1.env');
  const lines = Object.entries(cells[1]!.settings).map(([name, value]) => `${name}=${value}`);
  await writeFile(file, lines.join('\n'));
  const move = (...words: string[]) =>
    startDarkroom(
      ['accounts', 'move', 'acme', '--to', 'us1', '--settings', file, ...words],
      cells[0]!.settings,
      eu.directory,
    );
  return { from: cells[0]!, to: cells[1]!, move };
}

test('an account moves under load although the command is killed after each step: no order is lost or doubled', async (t) => {
  const { from, to, move } = await openCells(t);
  const { call } = from.child;
  const admin = from.premises.keys.admin;
  assert.equal(
    (await call(admin, 'POST', '/admin/v1/accounts', { account_id: 'acme', credit_limit: null })).status,
    201,
  );
  const issued = await call(admin, 'POST', '/admin/v1/keys', { account_id: 'acme', mode: 'live', read_rpm: 0 });
  const key = issued.body.data.key ?? '';
  const confirmed = new Map<string, string>();
  const refusals: number[] = [];
  let ends = false;
  const order = async (secret: string, name: string, model = 'paid-polled') => {
    for (;;) {
      const body = { model_id: model, prompt: name };
      const answer = await call(secret, 'POST', '/v1/images', body, { 'idempotency-key': name });
      if (answer.status === 201 || answer.status === 200) return answer.body.data;
      refusals.push(answer.status);
      assert.ok(LATER.includes(answer.status), JSON.stringify(answer.body));
      assert.notEqual(answer.headers.get('retry-after'), null);
      await pause(50);
    }
  };
  const customer = async (index: number) => {
    for (let count = 0; !ends; count++) {
      const name = `order-${index}-${count}`;
      confirmed.set(name, (await order(key, name, count % 5 === 0 ? 'paid-film' : 'paid-polled')).task_id);
      await pause(20);
    }
  };
  const neighbour: string[] = [];
  const other = async () => {
    for (let count = 0; !ends; count++) {
      neighbour.push((await order(from.premises.keys.live, `other-${count}`)).task_id);
      await pause(20);
    }
  };
  const load = Promise.all([customer(0), customer(1), other()]);
  const early = await until(
    async () => [...confirmed.values()][1] ?? '',
    (id) => id !== '',
  );
  const old = await until(
    async () => (await call(key, 'GET', `/v1/images/${early}`)).body.data,
    ({ status }) => status === 'succeeded',
  );
  const address = old.outputs[0].url as string;

  for (const step of STEPS) {
    const run = move();
    for await (const line of createInterface(run.process.stderr!)) {
      t.diagnostic(`${step}: ${line}`);
      if (line === step) break;
    }
    run.process.kill('SIGKILL');
    await run.ended;
  }
  const { code, stderr, stdout } = await move('--json').ended;
  assert.equal(code, 0, stdout + stderr);
  await pause(1_000);
  ends = true;
  await load;

  const tasks = await until(
    async () => await readTasks(to.premises.database),
    (rows) => rows.every(({ step }) => step === 'final'),
  );
  assert.deepEqual(tasks.map(({ id }) => id).sort(), [...confirmed.values()].sort());
  assert.ok(tasks.every(({ status }) => status === 'succeeded'));
  const here = await until(
    async () => await readTasks(from.premises.database),
    (rows) => rows.every(({ step }) => step === 'final'),
  );
  assert.deepEqual(here.map(({ id }) => id).sort(), neighbour.sort());
  const submitted = readSubmissions(from.premises.books).map(({ taskId }) => taskId);
  assert.equal(new Set(submitted).size, submitted.length, 'nothing is submitted twice');
  assert.deepEqual(submitted.sort(), [...tasks, ...here].map(({ id }) => id).sort());

  const { read } = to.premises.database;
  const ledger = await read.all(read.builder.selectFrom('ledger').selectAll().where('account_id', '=', 'acme'));
  for (const task of tasks) {
    const own = ledger.filter((entry) => entry.task_id === task.id);
    assert.deepEqual(own.map(({ kind }) => kind).sort(), ['charge', 'hold', 'release'], task.id);
    assert.equal(
      own.reduce((sum, { amount }) => sum + amount, 0),
      -(task.charged ?? 0),
    );
  }
  assert.equal(ledger.length, tasks.length * 3);
  const source = from.premises.database.read;
  const left = await source.all(source.builder.selectFrom('ledger').selectAll().where('account_id', '=', 'acme'));
  assert.deepEqual(left, []);

  assert.equal((await fetch(address)).status, 200, 'an address of before leads to the file through the old cell');
  assert.equal((await fetch(address.replace(from.child.url, to.child.url))).status, 200, 'and to that in the new one');
  const [first] = confirmed;
  assert.equal((await order(key, first![0], 'paid-film')).task_id, first![1], 'a repeated order is the same order');
  assert.equal((await to.child.call(key, 'GET', `/v1/images/${early}`)).status, 200);
  assert.equal((await call(admin, 'GET', '/admin/v1/accounts/acme')).status, 404);
  t.diagnostic(`${tasks.length} orders moved or came later, ${refusals.length} were asked to come later`);
});
