import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { createIdFactory } from '@darkroom-service/contract';
import { issueKey } from '../../src/accounts/api-keys.ts';
import { openPremises } from './child-service.ts';
import { readSubmissions } from './paid-engine.ts';
import { createPatientClient } from './patient-client.ts';

const ENGINES = [{ name: 'paid-found', findable: true }, { name: 'paid-polled' }];
const MODELS = ENGINES.map(({ name }) => name);
const LEASES_END_MS = 61_000;
const SECRET = 'first-secret-of-a-customer';
const FEE = '0.002';

test("killed around a submission with a customer's key, an order ends on that key alone, also if the key is removed meanwhile", {
  timeout: 120_000,
}, async (t) => {
  const premises = await openPremises(t, ENGINES);
  const { database, books } = premises;
  const by = { actor: 'test', now: Date.now(), createId: createIdFactory(() => Date.now()) };
  const { key } = await issueKey(database, by, {
    accountId: 'default',
    mode: 'live',
    readsPerMinute: 0,
    accountView: true,
  });
  const variables = {
    DARKROOM_SECRETS_KEY: randomBytes(32).toString('base64'),
    DARKROOM_UPSTREAM_KEY_FEE: FEE,
  };
  const client = createPatientClient();
  let child = await premises.start({ variables });
  client.use(child);
  const ofCustomer = `${books}.${SECRET}`;
  writeFileSync(ofCustomer, '');
  for (const { name, moment } of [
    { name: 'submitting', moment: 'after' },
    { name: 'running', moment: 'before' },
    { name: 'settle_succeeded', moment: 'before' },
  ] as const) {
    for (const model of MODELS) {
      const where = `${model}, killed ${moment} ${name}`;
      const path = `/v1/account/upstream_keys/${model}`;
      const set = await client.call(key, 'PUT', path, { secret: SECRET });
      assert.equal(set.status, 200, JSON.stringify(set.body));
      await child.killAt({ name, moment });
      const ordered = client.order(key, '/v1/images', { model_id: model, prompt: 'a fox' });
      assert.equal((await child.ended).signal, 'SIGKILL', where);
      // Removed while nobody works on the order, which may have been submitted.
      await database.write('remove', (trx) =>
        trx.run(
          trx.builder.updateTable('upstream_keys').set({ removed_at: Date.now() }).where('removed_at', 'is', null),
        ),
      );
      premises.aheadMs += LEASES_END_MS;
      child = await premises.start({ variables });
      client.use(child);
      const taskId = await ordered;
      const task = await client.final(key, '/v1/images', taskId);
      const submitted = readSubmissions(ofCustomer).filter((submission) => submission.taskId === taskId).length;
      assert.deepEqual(readSubmissions(books), [], `${where}: the operator's account has no order`);
      assert.ok(submitted <= 1, where);
      assert.equal(task.cost.quoted, FEE, where);
      const told = `${where}: ${task.status} ${JSON.stringify(task.error)}, submitted ${submitted} times`;
      if (task.status === 'succeeded') assert.deepEqual([submitted, task.cost.amount], [1, FEE], told);
      else {
        assert.equal(task.cost.amount, '0.00', told);
        // Nobody can look the order up there, or it never left: then its removed key may not send it.
        const code = task.error?.code ?? '';
        assert.ok(submitted === 1 ? model === 'paid-polled' && code === 'outcome_unknown' : true, told);
      }
      if (name === 'settle_succeeded') assert.equal(task.status, 'succeeded', told);
    }
  }
});
