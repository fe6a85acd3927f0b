import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBreakableConnection } from './helpers/breakable-connection.ts';
import { createPostgresDatabase } from './helpers/postgres-server.ts';
import { type DOORS, ORDERS_OF_A_MEASUREMENT, openWayOfOrders } from './helpers/way-of-an-order.ts';
import { wholeFile } from './helpers/whole-file.ts';

/** Counting changes classes that a process has once, like `globalThis`, so this file has a process of its own. */

/** The most that one order asks of its database from `POST` to its answer. */
const MOST: Readonly<
  Record<string, Record<keyof typeof DOORS, { readonly statements: number; readonly commits: number }>>
> = {
  sqlite: { native: { statements: 7, commits: 2 }, openai: { statements: 8, commits: 2 } },
  // Beside the two of the order, the commit of a permit for several orders, which is not flushed.
  postgres: { native: { statements: 13, commits: 3 }, openai: { statements: 15, commits: 3 } },
};
/** The most round trips of an order to PostgreSQL in its two commits that are flushed. */
const MOST_TURNS: Record<keyof typeof DOORS, number> = { native: 6, openai: 8 };
/** Looks for work, notices to other processes and chores go by the time. */
const BESIDE = 0.9;
const ROUNDS = 6;

for (const [kind, doors] of Object.entries(MOST))
  test(`an order on ${kind} takes no more statements and commits than it needs`, async () => {
    const line =
      kind === 'postgres' ? await openBreakableConnection(wholeFile, await createPostgresDatabase(wholeFile)) : null;
    const count = await openWayOfOrders(wholeFile, line?.url ?? null);
    const measure = async (door: keyof typeof DOORS) => {
      const before = line?.turns ?? 0;
      const counted = await count(door);
      return { ...counted, turns: ((line?.turns ?? 0) - before) / ORDERS_OF_A_MEASUREMENT };
    };
    for (const door of ['native', 'openai'] as const) {
      const rounds = await Array.fromAsync({ length: ROUNDS }, () => measure(door));
      // What a busy machine adds, such as one look more for work, is not in all rounds.
      const { statements, commits, turns, list } = rounds.toSorted((a, b) => a.statements - b.statements)[0]!;
      const told = `${door}: ${statements} statements, ${commits} commits, ${turns} round trips an order\n${list.join('\n')}`;
      const most = doors[door];
      assert.ok(turns <= MOST_TURNS[door] + BESIDE / 2, told);
      assert.ok(statements <= most.statements + BESIDE && commits <= most.commits + BESIDE / 2, told);
    }
  });
