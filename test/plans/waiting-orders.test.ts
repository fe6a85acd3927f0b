import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { sql } from 'kysely';
import { type PlaceInQueue, rerouteWaiting } from '../../src/worker/rerouting/move-waiting-on.ts';
import { copyTask } from '../helpers/copy-task.ts';
import { forEachDatabase } from '../helpers/databases.ts';
import { openStage, type Stage } from '../helpers/route-stage.ts';
import { placeOrder } from '../helpers/stage-orders.ts';
import { insertKey } from '../helpers/task-services.ts';
import { wideReadsOfSqlite } from './pages-read.ts';
import { wideReads } from './rows-read.ts';
import { watchStatements } from './watch-statements.ts';

const WAITING = 10_000;
const MOST_A_CALL = 1_200;
const BLOCKED = 'alpha';
const MARKET = {
  price: '0.02',
  costs: {},
  makes: false,
  picture: new Uint8Array(),
  further: { single: { price: '0.02', engines: [BLOCKED] } },
};
const never = new AbortController().signal;

forEachDatabase((kind) => {
  test('with 10,000 orders that wait for a blocked engine and have no other route, a round reads few of them, and one that names a further model goes on', async (t) => {
    const stage = await openStage(t, kind, [{ name: BLOCKED }, { name: 'beta' }], { market: MARKET });
    const { services, address, work } = stage;
    const key = await insertKey(services);
    const single = await placeOrder(stage, key, { model_id: 'single' });
    const several = await placeOrder(stage, key, { model_id: 'single', fallback_models: ['sketch'] });
    const id = sql.raw("'img_' || cast(1000000 + i as varchar(7))");
    const rank = sql.raw('tasks.rank + i');
    await copyTask(services.database, single, { count: WAITING, first: 1, changes: { id, rank } });
    await toTheEnd(stage, several);
    await stage.valves.failed(BLOCKED, 'start', single, new EngineError('billing', 'no credit', { took: 'no' }));
    const statementsSoFar = watchStatements(t);
    let place: PlaceInQueue | null = null;
    let calls = 0;
    do {
      const before = rankOf(place);
      place = await rerouteWaiting(work, BLOCKED, 'it is away', place, never);
      calls++;
      assert.ok(place === null || place.rank - before <= MOST_A_CALL, `from ${before} to ${place?.rank}`);
    } while (place !== null);
    assert.ok(calls >= WAITING / MOST_A_CALL && calls <= WAITING / 500, `${calls} calls`);
    const statements = statementsSoFar().filter(({ text }) => text.startsWith('select') && text.includes('"tasks"'));
    assert.ok(statements.length > 0);
    const wide =
      address.url === null ? wideReadsOfSqlite(address.path, statements) : await wideReads(address.url, statements, 0);
    assert.deepEqual(wide, []);
    const { read } = services.database;
    const moved = await read.all(read.builder.selectFrom('tasks').select('id').where('queue', '=', 'beta:live'));
    assert.deepEqual(moved, [{ id: several }]);
  });
});

const rankOf = (place: PlaceInQueue | null) => place?.rank ?? 0;

async function toTheEnd({ services: { database } }: Stage, taskId: string): Promise<void> {
  await database.write('test', async (trx) => {
    const last = trx.builder
      .updateTable('tasks')
      .set({ rank: 10 * WAITING })
      .where('id', '=', taskId);
    await trx.run(last);
  });
}
