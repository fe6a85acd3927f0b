import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { loadPostgres } from '@darkroom-service/store';
import { sql } from 'kysely';
import { openPostgres } from '../../test/helpers/open-postgres.ts';
import { createPostgresDatabase } from '../../test/helpers/postgres-server.ts';
import { openTransactionPooler } from '../../test/helpers/transaction-pooler.ts';
import type { Database } from './database.ts';

const { examineServer } = await loadPostgres();
const LIMITS = sql<object>`
  select name, setting from pg_settings where name = 'statement_timeout'`;
const limits = { name: 'statement_timeout', setting: '20000' };

const direct = (t: TestContext) => createPostgresDatabase(t);
const refusing = async (t: TestContext) =>
  openTransactionPooler(t, await createPostgresDatabase(t), { ignoresParameters: false });
const ignoring = async (t: TestContext) =>
  openTransactionPooler(t, await createPostgresDatabase(t), { ignoresParameters: true });

test('a pooler of transactions is told from a server, whether it refuses limits or ignores them', async (t) => {
  assert.deepEqual(await examineServer(await direct(t), 0), { keepsSettings: true, prepares: true });
  assert.deepEqual(await examineServer(await refusing(t), 0), { keepsSettings: false, prepares: false });
  assert.deepEqual(await examineServer(await ignoring(t), 0), { keepsSettings: false, prepares: false });
});

test('an address can say itself that it leads to a pooler of transactions', async (t) => {
  const url = `${await direct(t)}?pgbouncer=true`;
  assert.deepEqual(await examineServer(url, 0), { keepsSettings: false, prepares: false });
});

for (const [pooler, open] of Object.entries({ refusing, ignoring })) {
  test(`two processes read and write through a pooler that is ${pooler} limits, each within its limits`, async (t) => {
    const opened: Database[] = [];
    // Closed before the pooler: queries that it leaves unanswered would be waited for.
    t.after(() => Promise.all(opened.map((database) => database.close())));
    const url = await open(t);
    const [one, other] = await Promise.all([openPostgres({ url }), openPostgres({ url })]);
    opened.push(one, other);
    const insert = (process: typeof one, name: string) =>
      process.write('insert', async (trx) => {
        await trx.lock('names');
        await trx.run(trx.builder.insertInto('secrets').values({ name, value: '' }));
        return await trx.first({ compile: () => LIMITS.compile(trx.builder) });
      });
    for (let round = 0; round < 5; round++) {
      const written = await Promise.all([insert(one, `one-${round}`), insert(other, `other-${round}`)]);
      assert.deepEqual(written, [limits, limits]);
      const select = one.read.builder.selectFrom('secrets').selectAll();
      assert.equal((await one.read.all(select)).length, 2 * (round + 1));
    }
  });
}
