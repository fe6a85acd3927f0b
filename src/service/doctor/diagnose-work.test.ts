import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { forEachDatabase, type TestDatabase } from '../../../test/helpers/databases.ts';
import { insertProcess } from '../../../test/helpers/insert-process.ts';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { diagnose } from './diagnosis.ts';

const NAMES = ['database writes', 'processes', 'hold'];

async function look({ address }: TestDatabase, more: Record<string, string> = {}): Promise<string[]> {
  const config = loadConfig({
    DARKROOM_DATA_DIR: dirname(address.path),
    ...(address.url === null ? {} : { DARKROOM_DATABASE_URL: address.url }),
    ...more,
  });
  const found: string[] = [];
  for await (const { name, status, found: what } of diagnose(config, Date.now())) {
    if (NAMES.includes(name)) found.push(`${status} ${name}: ${what}`);
    // The other checks have tests of their own.
    if (name === 'hold') break;
  }
  return found;
}

/** Lets every write wait, as a commit does that no standby confirms. */
async function blockWrites(t: TestContext, { address }: TestDatabase): Promise<() => Promise<void>> {
  if (address.url === null) {
    const writer = new DatabaseSync(address.path);
    t.after(() => writer.close());
    writer.exec('begin immediate');
    return async () => writer.exec('rollback');
  }
  const client = new Client(address.url);
  await client.connect();
  t.after(() => client.end());
  await client.query('begin; lock table work in exclusive mode');
  return async () => void (await client.query('rollback'));
}

forEachDatabase((kind, open) => {
  test(`the doctor says who works: none or no worker is a fault, and one that was not replaced a warning (${kind})`, async (t) => {
    const opened = await open(t);
    const { database } = opened;
    const processes = async () => (await look(opened))[1];
    assert.equal(await processes(), 'warning processes: none runs');
    const enter = (id: string, role: string, seenAgoMs: number) =>
      database.write('test', async (trx) => {
        await insertProcess(trx, id);
        const at = Date.now() - seenAgoMs;
        const seen = { role, started_at: at - 1_000, beat_at: at };
        await trx.run(
          trx.builder
            .updateTable('processes')
            .set(seen as object)
            .where('id', '=', id),
        );
      });
    await enter('prc_gone', 'worker', 120_000);
    assert.match(
      (await processes()) ?? '',
      /^failed processes: none runs\nThe process prc_gone \(worker at test\) was last heard of at /,
    );
    await enter('prc_api', 'api', -60_000);
    assert.match(
      (await processes()) ?? '',
      /^failed processes: 1 of the role api\n.*prc_gone.*\nNone of them works on orders\.$/,
    );
    await enter('prc_all', 'all', -60_000);
    assert.match((await processes()) ?? '', /^warning processes: .*1 of the role all.*\nThe process prc_gone /);
    await enter('prc_new', 'worker', -60_000);
    assert.match((await processes()) ?? '', /^ok processes: .*1 of the role worker/);

    const tell = (id: string, key: string) => {
      const facts = { keys: { fal: key }, refused: {}, spendLimits: {}, storage: 's', hasStored: true };
      return database.write('test', (trx) =>
        trx.run(
          trx.builder
            .updateTable('processes')
            .set({ facts: JSON.stringify(facts) })
            .where('id', '=', id),
        ),
      );
    };
    for (const id of ['prc_api', 'prc_all']) await tell(id, 'one');
    await tell('prc_new', 'another');
    assert.match(
      (await processes()) ?? '',
      /^warning processes: .*\nworker prc_new at host test has another key or address of fal than 2 other processes\.$/,
    );
  });

  test(`the doctor tries a commit with a time limit, and the other lines come all the same (${kind})`, async (t) => {
    const opened = await open(t);
    assert.equal((await look(opened))[0], 'ok database writes: a row was committed');
    const unblock = await blockWrites(t, opened);
    const began = performance.now();
    const found = await look(opened);
    assert.match(
      found[0] ?? '',
      /^failed database writes: (another program has locked the database|canceling statement due to statement timeout)/,
    );
    assert.equal(found.length, NAMES.length);
    assert.ok(performance.now() - began < 20_000);
    await unblock();
    assert.equal((await look(opened))[0], 'ok database writes: a row was committed');
  });

  test(`the doctor says whether orders are sent, and why not (${kind})`, async (t) => {
    const opened = await open(t);
    const hold = async (held: object | null) => {
      const row = { row: 1, id: 'ins', owner: 'o', beat: 1, system_id: null, database_oid: null, prefix: null };
      const value = { ...row, sweep_stopped: null, held: held === null ? null : JSON.stringify(held) };
      await opened.database.write('test', async (trx) => {
        await trx.run(trx.builder.deleteFrom('installation'));
        await trx.run(trx.builder.insertInto('installation').values(value));
      });
      return (await look(opened))[2];
    };
    assert.equal(await hold(null), 'ok hold: orders are sent');
    const since = Date.UTC(2026, 10, 25);
    assert.equal(
      await hold({ cause: 'operator', message: null, since }),
      'warning hold: Nothing is sent. An operator holds it. It has been so since 2026-11-25T00:00:00.000Z.',
    );
    assert.match(
      (await hold({ cause: 'restored', message: null, since })) ?? '',
      /^failed hold: Nothing is sent\. Its database is on another/,
    );
    await hold(null);
    assert.equal(
      (await look(opened, { DARKROOM_HOLD: 'true' }))[2],
      'warning hold: Nothing is sent. DARKROOM_HOLD is true.',
    );
  });
});
