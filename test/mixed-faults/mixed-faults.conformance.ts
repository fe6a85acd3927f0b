import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@darkroom-service/testing';
import { printTable } from '../../bench/table.ts';
import { balanceOf } from '../../src/accounts/ledger.ts';
import { isWithoutTrace } from '../../src/record/task.ts';
import { checkMoney, checkReconciliation } from '../chaos/check-promises.ts';
import { readTasks } from '../crash/books.ts';
import { type ChildService, openPremises, type Premises } from '../crash/child-service.ts';
import { createPatientClient, type PatientClient } from '../crash/patient-client.ts';
import { askPostgres } from '../helpers/postgres-server.ts';
import { checkEnds, checkOutputs, checkPrices, endOf, type Placed } from './check-ends.ts';
import { FAULTS, type PlannedOrder, planOrders } from './fault-mix.ts';
import { modelOf, openUpstreams, UPSTREAMS, type Upstreams } from './upstreams.ts';

/** `DARKROOM_TEST_ORDERS` and `DARKROOM_TEST_SEED` make a shorter run, or another one. */
const ORDERS = Number(process.env.DARKROOM_TEST_ORDERS ?? 10_000);
const SEED = Number(process.env.DARKROOM_TEST_SEED ?? 1);
const CUSTOMERS = 24;
/** The process is killed, and later shut down, when so many orders were placed. */
const KILLED_AFTER = 0.35;
const SHUT_DOWN_AFTER = 0.7;
const LEASES_END_MS = 61_000;
const PAST_THE_DEADLINE_MS = 7 * 3_600_000;
const ENDS_WITHIN_MS = 400_000;
const WRITERS = `select pid from pg_stat_activity where datname = current_database() and application_name = 'darkroom write'`;

test(`of ${ORDERS} orders over eight upstreams that fail in every way, through a kill and a restart, all are settled once, none is lost and none is made twice`, async (t) => {
  const upstreams = await openUpstreams();
  t.after(() => upstreams.stop());
  const premises = await openPremises(t);
  const catalog = JSON.stringify({ vendor: 'Mixed', models: upstreams.models });
  await writeFile(join(premises.directory, 'catalog', 'mixed.json'), catalog);
  const { variables } = upstreams;
  const orders = planOrders(SEED, ORDERS);
  const client = createPatientClient();
  const placed: Placed[] = [];
  let child = await premises.start({ variables });
  client.use(child);
  const placing = placeAll(client, premises.keys.live, orders, placed);

  await untilTrue(t, 'a third is placed', () => placed.length >= ORDERS * KILLED_AFTER);
  child.process.kill('SIGKILL');
  await child.ended;
  await untilWriterIsGone(premises);
  const inDoubt = new Set((await readTasks(premises.database)).filter(isWithoutTrace).map(({ id }) => id));
  premises.aheadMs += LEASES_END_MS;
  child = await premises.start({ variables });
  client.use(child);

  await untilTrue(t, 'two thirds are placed', () => placed.length >= ORDERS * SHUT_DOWN_AFTER);
  child.process.kill('SIGTERM');
  assert.deepEqual(await child.ended, { code: 0, signal: null });
  child = await premises.start({ variables });
  client.use(child);
  await placing;

  const atDeadline = placed.flatMap(({ order, taskId }) => (order.fault?.untilDeadline === true ? [taskId] : []));
  await untilOnly(t, premises, new Set(atDeadline));
  child.advance(PAST_THE_DEADLINE_MS);
  await untilOnly(t, premises, new Set());
  await endWell(child);

  const tasks = await readTasks(premises.database);
  checkEnds(placed, tasks, upstreams, inDoubt);
  await checkMoney(premises.database, tasks, ['default']);
  checkPrices(tasks, await balanceOf(premises.database.read, 'default', 'live'));
  await checkReconciliation(premises.database, tasks);
  await checkOutputs(tasks, join(premises.directory, 'data', 'files'));
  const ends = new Map(tasks.map((task) => [task.id, endOf(task)]));
  tellEnds(placed, ends, inDoubt);
  tellBills(placed, ends, upstreams);
});

/** Some customers, each of whom orders as soon as the order before was taken, and cancels what it was planned to. */
async function placeAll(
  client: PatientClient,
  key: string,
  orders: readonly PlannedOrder[],
  placed: Placed[],
): Promise<void> {
  const next = orders.values();
  const canceling: Promise<void>[] = [];
  const customer = async () => {
    for (const order of next) {
      const body = { model_id: modelOf(order.upstream), prompt: order.prompt };
      const answer = await insist(client, key, '/v1/images', body, { 'idempotency-key': order.job });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      const { task_id: taskId } = answer.body.data;
      placed.push({ order, taskId });
      if (order.cancelAfterMs !== null) canceling.push(cancel(client, key, taskId, order.cancelAfterMs));
    }
  };
  await Promise.all(Array.from({ length: CUSTOMERS }, customer));
  await Promise.all(canceling);
}

async function cancel(client: PatientClient, key: string, taskId: string, afterMs: number): Promise<void> {
  await pause(afterMs);
  const { status, body } = await insist(client, key, `/v1/images/${taskId}/cancel`);
  // By then a kill may have ended it.
  assert.ok(status === 200 || status === 409, JSON.stringify(body));
}

/** Asks again while the service stops: it says so, or has hung up on a connection that was about to be used again. */
async function insist<Path extends string>(
  client: PatientClient,
  key: string,
  path: Path,
  body?: object,
  headers?: Record<string, string>,
) {
  for (;;) {
    const answer = await client.call(key, 'POST', path, body, headers).catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error;
      return null;
    });
    if (answer !== null && answer.status !== 503) return answer;
    await pause(100);
  }
}

/** Waits until no orders are open but these. */
async function untilOnly(t: TestContext, { database }: Premises, mayBeOpen: ReadonlySet<string>): Promise<void> {
  const { read } = database;
  const open = read.builder.selectFrom('tasks').select('id').where('step', '!=', 'final');
  await untilTrue(t, `nothing is open but ${mayBeOpen.size} orders`, async () =>
    (await read.all(open)).every(({ id }) => mayBeOpen.has(id)),
  );
}

/**
 * A database server may still be at what a killed process asked of it last: then that process's connection is there
 * beside the test's own.
 */
async function untilWriterIsGone({ databaseUrl }: Premises): Promise<void> {
  if (databaseUrl === null) return;
  await until(
    () => askPostgres(databaseUrl, WRITERS),
    (writers) => writers.length <= 1,
  );
}

async function untilTrue(t: TestContext, what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const since = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - since < ENDS_WITHIN_MS, `not in time: ${what}`);
    await pause(200);
  }
  t.diagnostic(`${what} after ${Math.round(performance.now() - since)} ms`);
}

async function endWell(child: ChildService): Promise<void> {
  child.process.kill('SIGTERM');
  assert.deepEqual(await child.ended, { code: 0, signal: null });
}

function tellEnds(placed: readonly Placed[], ends: ReadonlyMap<string, string>, inDoubt: ReadonlySet<string>): void {
  const rows = ['none', ...FAULTS.map(({ name }) => name)].flatMap((name) => {
    const own = placed.filter(({ order }) => (order.fault?.name ?? 'none') === name);
    const byEnd = Map.groupBy(own, ({ taskId }) => ends.get(taskId) ?? '');
    const told = [...byEnd].map(([end, those]) => {
      const killed = end === 'outcome_unknown' ? those.filter(({ taskId }) => inDoubt.has(taskId)).length : 0;
      return `${end} ${those.length}${killed === 0 ? '' : ` (${killed} by the kill)`}`;
    });
    return own.length === 0 ? [] : [[name, String(own.length), told.sort().join(', ')]];
  });
  printTable(`${placed.length} orders over eight upstreams, seed ${SEED}`, ['fault', 'orders', 'ends'], rows);
}

/** What each upstream would send a bill for. */
function tellBills(placed: readonly Placed[], ends: ReadonlyMap<string, string>, { fakes }: Upstreams): void {
  const rows = UPSTREAMS.map((upstream) => {
    const own = placed.filter(({ order }) => order.upstream === upstream);
    const counts = own.map(({ order }) => fakes[upstream].counts(order.job));
    const withEnd = (end: string) => own.filter(({ taskId }) => ends.get(taskId) === end).length;
    const submissions = counts.reduce((sum, { attempts }) => sum + attempts, 0);
    const figures = [
      own.length,
      submissions,
      counts.filter(({ accepted }) => accepted > 0).length,
      counts.filter(({ accepted }) => accepted > 1).length,
      withEnd('succeeded'),
      withEnd('outcome_unknown'),
    ];
    return [upstream, ...figures.map(String)];
  });
  const heads = ['upstream', 'orders', 'submissions', 'billed', 'billed twice', 'succeeded', 'unknown'];
  printTable('What the upstreams would bill', heads, rows);
}
