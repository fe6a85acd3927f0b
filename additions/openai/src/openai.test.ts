import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choresOf } from '../../../src/service/open-additions.ts';
import { Housekeeping } from '../../../src/worker/housekeeping.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { openTestServices } from '../../../test/helpers/task-services.ts';
import { enterCall, findCall } from './mapping/calls.ts';
import { OPENAI } from './openai.ts';

forEachDatabase((kind) => {
  test('a call is removed a week after its tasks were erased, and of its Idempotency-Key a hash stays', async (t) => {
    const { services, clock, database } = await openTestServices(t, kind);
    const enter = async (digest: string | null) => {
      const id = services.createId('call');
      const of = { keyId: 'key_a', digest, retryCount: 0, now: clock.now() };
      const view = { format: 'url', ignored: [] } as const;
      await database.write('test', async (trx) => enterCall(trx, { id, taskIds: ['img_a'], view, process: null }, of));
      return id;
    };
    const days = (count: number) => clock.advance(count * 86_400_000);
    const [old, keyed] = [await enter('digest'), await enter(null)];
    const claim = { scope: 'key_a', key: 'one', fingerprint: 'f' };
    await database.write('test', async (trx) => kernelOf(services).idempotency.bind(trx, claim, keyed));
    days(2);
    const young = await enter('digest');
    days(services.settings.retentionMs / 86_400_000 + 6);
    const housekeeping = new Housekeeping(services, { chores: choresOf([OPENAI], kernelOf(services)) });
    t.after(() => housekeeping.stop());
    await housekeeping.runOnce();
    const left = [];
    for (const id of [old, keyed, young])
      if ((await findCall(kernelOf(services), { id: 'key_a' }, id)) !== null) left.push(id);
    assert.deepEqual(left, [young]);
    await assert.rejects(kernelOf(services).idempotency.find(database.read, claim), { code: 'task_expired' });
  });
});
