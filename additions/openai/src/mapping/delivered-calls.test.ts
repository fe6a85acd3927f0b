import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../../test/helpers/databases.ts';
import { kernelOf } from '../../../../test/helpers/kernel.ts';
import { openTestServices } from '../../../../test/helpers/task-services.ts';
import { attachRetry, enterCall } from './calls.ts';
import { DeliveredCalls } from './delivered-calls.ts';

forEachDatabase((kind) => {
  test('answers that are sent in one moment are recorded in one commit, and a retry gets the call without one', async (t) => {
    const { services, clock, database } = await openTestServices(t, kind);
    let commits = 0;
    const write: typeof database.write = (name, unit, options) => {
      commits += name === 'openai_delivery' ? 1 : 0;
      return database.write(name, unit, options);
    };
    const delivered = new DeliveredCalls(kernelOf({ ...services, database: { ...database, write } }));
    const of = { keyId: 'key_1', digest: 'body', retryCount: 0, now: clock.now() };
    const ids = Array.from({ length: 70 }, () => services.createId('call'));
    const view = { format: 'url', ignored: [] } as const;
    await database.write('enter', async (trx) => {
      for (const id of ids) enterCall(trx, { id, taskIds: [], view, process: 'test' }, of);
    });
    const [lost, ...answered] = ids;
    for (const id of answered) delivered.add(id);
    await delivered.record();
    assert.equal(commits, 2, 'one of 64 and one of the others');
    const { read } = database;
    const open = read.builder.selectFrom('openai_calls').select('id').where('delivered_at', 'is', null);
    assert.deepEqual(
      (await read.all(open)).map(({ id }) => id),
      [lost],
    );
    const retry = { keyId: 'key_1', digest: 'body', process: 'test', now: clock.now(), count: 1 };
    assert.equal(await database.write('retry', (trx) => attachRetry(trx, retry)), lost);
  });
});
