import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from '../../../src/database/database.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { loggedLines } from '../../../test/helpers/logged-lines.ts';
import { openTestServices } from '../../../test/helpers/task-services.ts';
import { OrderTraces } from './order-traces.ts';
import { TRACES } from './traces.ts';

const TRACE = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

test('another process finds the traces of many orders with few queries, and knows afterwards who has none', async (t) => {
  const { services } = await openTestServices(t);
  const { database, log } = services;
  const own = new OrderTraces(database.read, log);
  await database.write('test', async (trx) => own.keep(trx, 'img_traced', TRACE, 1));
  assert.deepEqual(own.known('img_traced'), TRACE);

  let queries = 0;
  const counted = Object.assign(Object.create(database.read) as Session, {
    all: (...given: Parameters<Session['all']>) => {
      queries++;
      return database.read.all(...given);
    },
  });
  const other = new OrderTraces(counted, log);
  const ids = ['img_traced', ...Array.from({ length: 40 }, (_, place) => `img_${place}`)];
  const found = await Promise.all(ids.map((id) => other.find(id)));
  assert.deepEqual(found[0], TRACE);
  assert.deepEqual([...new Set(found.slice(1))], [null]);
  assert.equal(queries, 2);
  assert.deepEqual([await other.find('img_traced'), other.known('img_7')], [TRACE, null]);
});

test('an order goes on without its trace while the database does not answer', async (t) => {
  const { log, lines } = loggedLines();
  const broken = { all: () => Promise.reject(new Error('away')) } as unknown as Session;
  assert.equal(await new OrderTraces(broken, log).find('img_1'), null);
  assert.match(lines[0]?.msg ?? '', /could not read the traces of orders/);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const silent = { all: () => new Promise(() => {}) } as unknown as Session;
  const found = Promise.resolve(new OrderTraces(silent, log).find('img_1'));
  await new Promise((resolve) => setImmediate(resolve));
  t.mock.timers.tick(1_000);
  assert.equal(await found, null);
});

test('traces of old orders are removed', async (t) => {
  const { services, clock } = await openTestServices(t);
  const { database, log } = services;
  const traces = new OrderTraces(database.read, log);
  await database.write('test', async (trx) => {
    traces.keep(trx, 'img_old', TRACE, clock.now() - 1);
    traces.keep(trx, 'img_new', TRACE, clock.now());
  });
  clock.advance(services.settings.retentionMs + 7 * 86_400_000);
  for (const { run } of TRACES.chores!(kernelOf(services), new AbortController().signal)) await run();
  const left = await database.read.all(database.read.builder.selectFrom('order_traces').select('task_id'));
  assert.deepEqual(left, [{ task_id: 'img_new' }]);
});
