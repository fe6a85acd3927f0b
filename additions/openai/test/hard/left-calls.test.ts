import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { until } from '@darkroom-service/testing';
import { readTasks } from '../../../../test/crash/books.ts';
import { type ChildService, openPremises, type Premises } from '../../../../test/crash/child-service.ts';

/** Clients that say nothing of their retries, such as `curl`, when the process that was to answer them is killed. */

const PATH = '/openai/v1/images/generations';
const ORDER = { model: 'sketch', prompt: 'a fox', size: '512x512', simulate: { seconds: 3_600 } };
/** Answers at once that the image is not finished. */
const IMPATIENT = { holdMs: 200 };
const tempo = { lease: { ms: 3_000, renewEveryMs: 200 } };

const countTasks = async ({ database }: Premises) => (await readTasks(database)).length;

/** Sends the order and waits until it is placed. The answer does not come as long as the process lives. */
async function order(premises: Premises, child: ChildService, body: object = ORDER): Promise<string> {
  const before = new Set((await readTasks(premises.database)).map(({ id }) => id));
  child.call(premises.keys.test, 'POST', PATH, body).catch(() => {});
  const placed = await until(
    async () => (await readTasks(premises.database)).find(({ id }) => !before.has(id)),
    (task) => task !== undefined,
  );
  return placed!.id;
}

async function orderAgain({ keys }: Premises, child: ChildService): Promise<string | null> {
  const answer = await child.call(keys.test, 'POST', PATH, ORDER, { 'user-agent': 'curl/8.14.1' });
  assert.equal(answer.status, 422, JSON.stringify(answer.body));
  return answer.headers.get('darkroom-task-ids');
}

test('a request whose process was killed gets its order from the next process, once; and is charged once', async (t) => {
  const premises = await openPremises(t);
  const first = await premises.start();
  const placed = await order(premises, first);
  first.process.kill('SIGKILL');
  await first.ended;
  const second = await premises.start(IMPATIENT);
  assert.equal(await orderAgain(premises, second), placed);
  assert.equal(await countTasks(premises), 1);
  assert.notEqual(await orderAgain(premises, second), placed, 'the first one was told where to collect its image');
  assert.equal(await countTasks(premises), 2);
});

test('a request whose process was killed gets its order from a process that runs beside it, but not while the first one lives', async (t) => {
  const premises = await openPremises(t);
  const first = await premises.start({ tempo });
  const second = await premises.start({ ...IMPATIENT, tempo });
  const placed = await order(premises, first);
  // It is alive, although it does not move.
  await stopBetweenWrites(premises, first);
  const beats = () => premises.database.read.builder.selectFrom('processes').select(['id', 'beats', 'beat_at']);
  await until(
    async () => await premises.database.read.all(beats()),
    (rows) => Math.max(...rows.map((row) => row.beat_at)) - Math.min(...rows.map((row) => row.beat_at)) > 2 * 3_000,
  );
  assert.notEqual(await orderAgain(premises, second), placed);
  first.process.kill('SIGKILL');
  await someCallIsLeft(premises);
  assert.equal(await orderAgain(premises, second), placed);
  assert.equal(await countTasks(premises), 2);
});

test('a client that a process has sent on keeps its order when that process is killed', async (t) => {
  const premises = await openPremises(t);
  const { test: key } = premises.keys;
  const first = await premises.start({ ...IMPATIENT, tempo });
  const second = await premises.start({ tempo });
  const sentOn = await first.call(key, 'POST', PATH, ORDER, { 'x-stainless-lang': 'js' });
  assert.equal(sentOn.status, 303);
  const next = sentOn.headers.get('location') ?? '';
  second.call(key, 'GET', next, undefined, { 'x-stainless-lang': 'js' }).catch(() => {});
  const holders = premises.database.read.builder.selectFrom('openai_calls').select('process');
  const [before] = await premises.database.read.all(holders);
  await until(
    async () => (await premises.database.read.all(holders))[0],
    (row) => row?.process !== before?.process,
  );
  // Its own client waits for the end of the stream, and is left.
  await order(premises, first, { ...ORDER, stream: true });
  first.process.kill('SIGKILL');
  await someCallIsLeft(premises);
  await order(premises, second);
  assert.equal(await countTasks(premises), 3);
});

/** Stops a process where it does not hold the lock of the database, which would stop the other one too. */
async function stopBetweenWrites({ database }: Premises, { process: child }: ChildService): Promise<void> {
  while (true) {
    child.kill('SIGSTOP');
    // One that waits too long for the lock fails.
    const write = database
      .write('probe', async () => {})
      .then(
        () => true,
        () => false,
      );
    if (await Promise.race([write, setTimeout(2_000, false)])) return;
    child.kill('SIGCONT');
    await write;
  }
}

async function someCallIsLeft({ database }: Premises): Promise<void> {
  const left = database.read.builder.selectFrom('openai_calls').select('id').where('left_at', 'is not', null);
  await until(
    async () => await database.read.all(left),
    (calls) => calls.length > 0,
  );
}
