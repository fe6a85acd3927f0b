import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Session } from '@darkroom-service/darkroom/kernel';
import { SqliteConnection } from '@darkroom-service/store';
import { type Compilable, sql } from 'kysely';
import { compilable } from '../../../../src/database/compilable.ts';
import { forEachDatabase } from '../../../../test/helpers/databases.ts';
import { listCostOrders } from './cost-orders.ts';

const ORDERS = 20_010;
const QUERY = { from: 0, to: ORDERS + 1, of: {}, note: 'below_cost', limit: 20 } as const;

forEachDatabase((kind, openTestDatabase) => {
  it('a note that only the oldest of many orders has is found on the second page, and no page sorts what it reads', async (t) => {
    const { database, address } = await openTestDatabase(t);
    await database.write('add_costs', async (trx) => {
      const row = sql`'img_' || number, 'default', 'flux', 'fal', 'flux', 'succeeded',
        case when number = 1 then 1 else 9 end, 5, 5, number, 0`;
      const rows = sql`insert into task_costs (task_id, account_id, model_id, engine, upstream_model, outcome, charged, expected,
            told, settled_at, is_short)
          with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${ORDERS})
          select ${row} from numbers`;
      await trx.run(compilable(trx, rows));
    });
    const texts: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
    const seen = <T>(query: Compilable<T>) => {
      texts.push(query.compile());
      return query;
    };
    const { read } = database;
    const session = {
      builder: read.builder,
      all: (query: Compilable<unknown>) => read.all(seen(query)),
      first: (query: Compilable<unknown>) => read.first(seen(query)),
    } as Session;
    const pages = [];
    for (let after: string | null = null; pages.length === 0 || after !== null; ) {
      const page = await listCostOrders(session, { ...QUERY, after });
      pages.push(page.items.map(({ task_id: id }) => id));
      after = page.nextAfter;
    }
    assert.deepEqual(pages, [[], ['img_1']]);
    if (kind !== 'sqlite') return;
    const connection = new SqliteConnection(address.path, { readOnly: true, now: () => 0 });
    t.after(() => connection.close());
    for (const { sql: text, parameters } of texts) {
      const steps = JSON.stringify(connection.all(`explain query plan ${text}`, parameters));
      assert.ok(!steps.includes('TEMP B-TREE'), steps);
    }
  });
});
