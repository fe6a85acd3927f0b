import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../../test/helpers/databases.ts';
import { recordEnd } from './abandoned-calls.ts';
import { attachRetry, enterCall } from './calls.ts';

forEachDatabase((_, openTestDatabase) => {
  test('a call has one retry of each count, also where the client of the one before has left', async (t) => {
    const { database } = await openTestDatabase(t);
    const of = { keyId: 'key_1', digest: 'body', process: 'one', now: 1_000_000 };
    const call = { id: 'call_1', taskIds: [], view: { format: 'url', ignored: [] }, process: 'one' } as const;
    await database.write('enter', async (trx) => enterCall(trx, call, { ...of, retryCount: 0 }));
    const retry = (count: number) => database.write('retry', (trx) => attachRetry(trx, { ...of, count }));
    const leave = () =>
      database.write('leave', (trx) => recordEnd(trx, call.id, { end: 'left', process: 'one', now: of.now }));
    await leave();
    assert.equal(await retry(1), call.id);
    await leave();
    assert.equal(await retry(1), null, 'another client has the same count, so this is another call');
    assert.equal(await retry(2), call.id);
    const { read } = database;
    const stored = await read.all(read.builder.selectFrom('openai_calls').select('attached'));
    assert.deepEqual(stored, [{ attached: 0b111 }]);
  });
});
