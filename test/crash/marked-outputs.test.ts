import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { assertBooks } from './books.ts';
import { openPremises } from './child-service.ts';

/** A killed process's claims end by themselves. */
const PAST_THE_LEASES_MS = 61_000;
const PNG_SIGNATURE = '89504e470d0a1a0a';

test('killed while a marked output is stored or settled, it is delivered once, marked, with its original', {
  timeout: 300_000,
}, async (t) => {
  const premises = await openPremises(t, [{ name: 'paid-polled' }]);
  const { live } = premises.keys;
  const variables = { DARKROOM_PROVENANCE: 'metadata' };
  for (const name of ['file_rename', 'settle_succeeded'])
    for (const moment of ['before', 'after'] as const) {
      const child = await premises.start({ kill: { name, moment }, variables });
      const order = { model_id: 'paid-polled', prompt: 'a fox' };
      const { body } = await child.call(live, 'POST', '/v1/images', order);
      await child.ended;
      premises.aheadMs += PAST_THE_LEASES_MS;
      const next = await premises.start({ variables });
      const { data } = (
        await next.call(live, 'GET', `/v1/images/${body.data.task_id}`, undefined, { prefer: 'wait=60' })
      ).body;
      const where = `${moment} ${name}`;
      assert.deepEqual([data.status, data.cost.state], ['succeeded', 'charged'], where);
      const [{ url, bytes, sha256, provenance }] = data.outputs;
      assert.deepEqual(provenance, { state: 'marked', standard: 'metadata' }, where);
      const file = Buffer.from(await (await fetch(url)).arrayBuffer());
      assert.deepEqual([file.length, createHash('sha256').update(file).digest('hex')], [bytes, sha256], where);
      assert.ok(file.includes('trainedAlgorithmicMedia') && file.includes(data.task_id), where);
      const original = Buffer.from(await (await fetch(`${url}&variant=original`)).arrayBuffer());
      assert.ok(original.toString('hex').startsWith(PNG_SIGNATURE) && !original.includes('XML:com.adobe.xmp'), where);
      await assertBooks(premises);
      next.process.kill('SIGKILL');
      await next.ended;
    }
});
