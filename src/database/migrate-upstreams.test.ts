import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from '@darkroom-service/contract';
import { forEachDatabase } from '../../test/databases.ts';
import { beforeGates, MOVES } from '../../test/upgrade/before-gates.ts';
import { execute } from '../../test/upgrade/version-52.ts';
import { readBalances } from '../additions/common/upstream-balances.ts';
import { listValves } from '../routing/stored-valves.ts';
import { listSwitchedOff } from '../routing/switched-off.ts';
import { openDatabase } from './open-database.ts';

forEachDatabase((_, openTestDatabase) => {
  test('circuits that were open before their kind was a column, and switches, become valves that keep what they were', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await execute(database, 'alter table tasks drop column followed');
    await execute(database, MOVES);
    await beforeGates(database);
    await execute(database, 'alter table circuits drop column kind');
    const limit = "the operator''s spend limit of this upstream is reached for this day";
    for (const [engine, fault, message, openings, atOnce] of [
      ['busy', 'rate_limited', 'Too many requests', 2, null],
      ['fal', 'rate_limited', 'Too many requests', 0, null],
      ['fal/flux', 'auth', 'no such model', 1, null],
      ['kling', 'billing', limit, 1, null],
      ['local/vid', 'upstream', 'local makes img and no vid', 1, null],
      ['luma', 'billing', 'no credit', 1, null],
      ['runway', 'upstream', limit, 1, 4],
    ])
      await execute(
        database,
        `insert into circuits (engine, fault, call, message, openings, opened_at, retry_at, at_once)
          values ('${engine}', '${fault}', 'start', '${message}', ${openings}, 1, 2, ${atOnce})`,
      );
    await execute(database, "insert into switches values ('engine', 'fal', 3, 'dear'), ('model', 'veo', 4, null)");
    await execute(database, 'delete from schema_migrations');
    await execute(database, "insert into schema_migrations values (57, 'assumed-costs', 0)");
    const upgraded = await openDatabase(address);
    t.after(() => upgraded.close());
    const rows = await listValves(upgraded.read);
    assert.deepEqual(
      rows.map(({ subject, kind, at_once, since, retry_at, fault }) =>
        [subject, kind, since, retry_at, fault, at_once].map(String).join(' '),
      ),
      [
        ...[
          'busy outage 1 2 rate_limited null',
          'fal pause 1 2 rate_limited null',
          'fal switched_off 3 null null null',
        ],
        ...['fal/flux outage 1 2 auth null', 'kling spend_limit 1 2 billing null'],
        ...['local/vid not_loaded 1 2 upstream null', 'luma outage 1 2 billing null'],
        ...['model:veo switched_off 4 null null null', 'runway slow_begin 1 null null 4'],
      ],
    );
    assert.deepEqual(await listSwitchedOff(upgraded.read), [
      { kind: 'engine', name: 'fal', paused_at: isoTime(3), reason: 'dear' },
      { kind: 'model', name: 'veo', paused_at: isoTime(4), reason: null },
    ]);
  });

  test('limits that had adapted, balances and what each process makes become one table, of which each reads its own', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await execute(database, 'alter table tasks drop column followed');
    await execute(database, MOVES);
    await beforeGates(database);
    await execute(database, "insert into engine_limits values ('fal', 7, 1), ('kling', 9, 2)");
    await execute(
      database,
      `insert into upstream_balances values
        ('fal', '4.5', 'USD', 3, 4, null), ('runway', null, null, null, 5, 'no answer')`,
    );
    await execute(database, "insert into local_engines values ('sketch', 'one', 2, 6), ('sketch', 'two', 3, 7)");
    await execute(database, 'delete from schema_migrations');
    await execute(database, "insert into schema_migrations values (58, 'circuit-kinds', 0)");
    const upgraded = await openDatabase(address);
    t.after(() => upgraded.close());
    const { read } = upgraded;
    const rows = await read.all(
      read.builder
        .selectFrom('instances')
        .select(['engine', 'worker', 'concurrency', 'changed_at', 'seen_at'])
        .orderBy('engine')
        .orderBy('worker'),
    );
    assert.deepEqual(
      rows.map((row) => Object.values(row).map(String).join(' ')),
      [
        ...['fal  7 1 null', 'kling  9 2 null', 'runway  null null null'],
        ...['sketch one 2 null 6', 'sketch two 3 null 7'],
      ],
    );
    const at = { told_at: isoTime(3), asked_at: isoTime(4) };
    assert.deepEqual(
      [...(await readBalances(read))],
      [
        ['fal', { amount: '4.5', unit: 'USD', ...at, error: null }],
        ['runway', { amount: null, unit: null, told_at: null, asked_at: isoTime(5), error: 'no answer' }],
      ],
    );
  });
});
