import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choresOf } from '../../../src/service/open-additions.ts';
import { Housekeeping } from '../../../src/worker/housekeeping.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { openTestServices } from '../../../test/helpers/task-services.ts';
import { insertRequests } from './insert-requests.ts';
import { REQUEST_LOG } from './request-log.ts';

const DAY_MS = 86_400_000;

forEachDatabase((kind) => {
  test('housekeeping keeps the last 2,000 requests of each key, none of them longer than a week', async (t) => {
    const { services, clock, database } = await openTestServices(t, kind);
    const send = async (keyId: string, count: number) => {
      const rows = Array.from({ length: count }, () => ({
        id: services.createId('rql'),
        api_key_id: keyId,
        account_id: 'default',
        method: 'GET',
        path: '/v1/images',
        status: 404,
        code: 'not_found',
        duration_ms: 1,
        request_id: 'req_1',
        task_id: null,
        answered_at: clock.now(),
      }));
      await database.write('test', (trx) => insertRequests(trx, database.kind, rows));
      return rows.map(({ id }) => id);
    };
    const kept = async (keyId: string) => {
      const { read } = database;
      const select = read.builder.selectFrom('request_log').select('id').where('api_key_id', '=', keyId).orderBy('id');
      return (await read.all(select)).map(({ id }) => id);
    };
    await send('quiet', 600);
    clock.advance(5 * DAY_MS);
    const [busy, calm] = [await send('busy', 3_100), await send('calm', 3)];
    const housekeeping = new Housekeeping(services, { chores: choresOf([REQUEST_LOG], kernelOf(services)) });
    await housekeeping.runOnce();
    assert.deepEqual(await kept('busy'), busy.slice(-2_000));
    assert.deepEqual(await kept('calm'), calm);
    assert.equal((await kept('quiet')).length, 600);
    clock.advance(2 * DAY_MS + 1);
    const more = await send('calm', 2_001);
    await housekeeping.runOnce();
    await housekeeping.stop();
    assert.deepEqual(await kept('quiet'), []);
    assert.deepEqual(await kept('calm'), more.slice(1));
    assert.deepEqual(await kept('busy'), busy.slice(-2_000));
  });
});
