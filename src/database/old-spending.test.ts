import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPEND_WINDOWS, windowStart } from '@darkroom-service/contract';
import { forEachDatabase } from '../../test/databases.ts';
import { execute, placeOldSchema, readOldInstallation } from '../../test/upgrade/version-52.ts';
import { scopeDigest } from '../accounts/scope.ts';
import { spentIn } from '../accounts/spend-limits.ts';
import { openDatabase } from './open-database.ts';

const REMOVED = { at: Date.UTC(2023, 11, 31, 23), charged: 70_000 };

forEachDatabase((_, openTestDatabase) => {
  test('what the orders of end users cost in older schemas is counted in their rows: open, ended, erased and removed ones', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await placeOldSchema(database, readOldInstallation());
    const gone = scopeDigest('key_gone', 'zoë 🦊');
    const removed = `'${REMOVED.at}', 'img_removed', ${REMOVED.charged}`;
    await execute(database, `insert into removed_spending values ('key_gone', '${gone}', ${removed})`);
    await execute(database, "update tasks set end_user = 'zoë 🦊' where end_user is not null and step <> 'final'");
    await execute(database, "insert into end_users values ('key_gone', 'eve', '{}', 5, 0, 0, 5)");
    await execute(database, `insert into end_users values ('key_gone', 'max', '{"day":5}', 0, 0, 0, 0)`);
    const old = await database.read.all(database.read.builder.selectFrom('tasks').selectAll());
    const upgraded = await openDatabase(address);
    t.after(() => upgraded.close());
    const { read } = upgraded;

    const limited = await read.all(
      read.builder.selectFrom('end_users').selectAll().where('api_key_id', '=', 'key_gone'),
    );
    assert.deepEqual(limited, [{ api_key_id: 'key_gone', end_user: 'max', limits_json: '{"day":5}' }]);
    const orders = (old as unknown as ((typeof old)[number] & { erased_end_user: string | null })[]).flatMap((row) => {
      const { id, api_key_id: key, end_user: name, created_at: at } = row;
      const scope = name === null ? row.erased_end_user : scopeDigest(key, name);
      return scope === null ? [] : [{ id, scope, at, amount: row.step === 'final' ? (row.charged ?? 0) : row.price }];
    });
    assert.ok(orders.some(({ id }) => old.find((row) => row.id === id)?.end_user === null));
    const stored = await read.all(
      read.builder.selectFrom('tasks').select(['id', 'scope']).where('scope', 'is not', null),
    );
    assert.deepEqual(
      stored.map(({ id, scope }) => `${id} ${scope}`).sort(),
      orders.map(({ id, scope }) => `${id} ${scope}`).sort(),
    );
    const counted = [...orders, { id: 'img_removed', scope: gone, at: REMOVED.at, amount: REMOVED.charged }];
    for (const scope of new Set(counted.map((order) => order.scope))) {
      const own = counted.filter((order) => order.scope === scope);
      const now = Math.max(...own.map(({ at }) => at));
      for (const window of SPEND_WINDOWS) {
        const within = own.filter(({ at }) => at >= windowStart(window, now));
        const sum = within.reduce((all, { amount }) => all + amount, 0);
        assert.equal(await spentIn(read, scope, window, now), sum, `${scope} ${window}`);
      }
    }
  });

  test('the windows of keys that were counted in older schemas keep what they hold', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await placeOldSchema(database, readOldInstallation());
    await execute(database, "delete from meters where kind = 'spend'");
    for (const row of [
      "'key_a', 'spend', 'day:2026-02-28', 3",
      "'key_a', 'spend', 'day:2026-03-01', 5",
      "'key_a', 'spend', 'month:2026-02', 9",
      "'key_a', 'spend', 'month:2026-03', 5",
      "'key_b', 'spend', 'total', 7",
      "'key_b', 'stored_bytes', 'total', 8",
    ])
      await execute(database, `insert into meters values (${row})`);
    const upgraded = await openDatabase(address);
    t.after(() => upgraded.close());
    const spent = (key: string) =>
      Promise.all(SPEND_WINDOWS.map((window) => spentIn(upgraded.read, key, window, Date.UTC(2026, 2, 1, 12))));
    assert.deepEqual(await spent('key_a'), [5, 5, 0]);
    assert.deepEqual(await spent('key_b'), [0, 0, 7]);
    const { builder } = upgraded.read;
    const meters = await upgraded.read.all(builder.selectFrom('meters').selectAll().where('subject', 'like', 'key%'));
    assert.ok(meters.every(({ kind }) => kind === 'stored_bytes'));
  });
});
