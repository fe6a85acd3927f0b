import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openDatabase } from '../src/database/open-database.ts';
import { ADDED } from './helpers/additions.ts';
import { openCatalogOverlay } from './helpers/catalog-overlay.ts';
import { plainEntry } from './helpers/plain-entry.ts';
import { askPostgres, createPostgresDatabase } from './helpers/postgres-server.ts';
import { createReadyEngine } from './helpers/ready-engine.ts';
import { startTestService } from './helpers/service.ts';
import { temporaryDirectory } from './helpers/temporary-directory.ts';
import { assertWholeOrders } from './helpers/whole-orders.ts';

const BEFORE = 20;
/** While the rows are copied. */
const MEANWHILE = 20;
/** The engine has some of them when the cell is stopped, and the others wait. */
const LEFT_OPEN = 6;
const AT_ONCE = 2;

test('a cell moves to another server by logical replication: it is not held, and each order goes on and is made once', async (t) => {
  const [from, to] = [await createPostgresDatabase(t, 'replicated'), await createPostgresDatabase(t)];
  const overlay = await openCatalogOverlay(t, [plainEntry({ model_id: 'paid', routes: [{ engine: 'scripted' }] })]);
  const engine = createReadyEngine(AT_ONCE);
  const data = join(await temporaryDirectory('darkroom-move-cell-'), 'data');
  const start = (url: string) =>
    startTestService(t, {
      env: { DARKROOM_DATABASE_URL: url, DARKROOM_CATALOG_DIR: overlay.directory, DARKROOM_DATA_DIR: data },
      service: { engines: [engine] },
    });
  const old = await start(from);
  const { live } = old.keys;
  const orders: string[] = [];
  const place = async (at: typeof old, name: string) => {
    const body = { model_id: 'paid', prompt: name };
    const { data: task, error } = await at.call(live, 'POST', '/v1/images', body, { 'idempotency-key': name });
    assert.ok(task !== undefined, JSON.stringify(error));
    return task.task_id;
  };
  const placeMany = async (count: number) => {
    for (const end = orders.length + count; orders.length < end; )
      orders.push(await place(old, `order-${orders.length}`));
  };
  await placeMany(BEFORE);

  await askPostgres(from, 'create publication darkroom_move for all tables');
  // The schema alone, as pg_dump would copy it.
  await (await openDatabase({ url: to, path: '', listen: false, added: ADDED })).close();
  await askPostgres(to, 'truncate schema_migrations');
  await askPostgres(to, `create subscription darkroom_move connection '${from}' publication darkroom_move`);
  await placeMany(MEANWHILE);
  await until(
    () => askPostgres(to, `select count(*)::int as left from pg_subscription_rel where srsubstate <> 'r'`),
    ([row]) => row?.left === 0,
  );
  engine.answer = () => ({ status: 'pending', checkAfterMs: 50 });
  await placeMany(LEFT_OPEN);
  await until(
    () => askPostgres(from, `select count(*)::int as running from tasks where step = 'running'`),
    ([row]) => row?.running === AT_ONCE,
  );
  await old.service.stop({ now: true });

  await askPostgres(from, 'update installation set system_id = null, database_oid = null');
  const [end] = await askPostgres(from, 'select pg_current_wal_insert_lsn()::text as lsn');
  await until(
    () =>
      askPostgres(
        from,
        `select confirmed_flush_lsn >= '${end?.lsn}' as is_there from pg_replication_slots where slot_name = 'darkroom_move'`,
      ),
    ([row]) => row?.is_there === true,
  );
  await askPostgres(to, 'drop subscription darkroom_move');

  engine.answer = createReadyEngine().answer;
  const moved = await start(to);
  assert.deepEqual(await askPostgres(to, 'select held from installation'), [{ held: null }]);
  const { data: account } = await moved.call(live, 'GET', '/v1/account');
  assert.equal(account.service.held, false);
  assert.equal(await place(moved, 'order-0'), orders[0], 'a repeated order is the same order');
  await assertWholeOrders(to, { orders }, engine);
});
