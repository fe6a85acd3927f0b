import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audit } from '../../src/doctor/audit.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { startTestService } from '../service.ts';
import { createSwiftEngine } from '../swift-engine.ts';

/** `doctor --audit` beside a running service. */

test('an audit finds missing ledger rows and files and a wrong checkpoint, and reports nothing else', async (t) => {
  const { call, config, database, keys, make } = await startTestService(t, {
    service: { engines: [createSwiftEngine()] },
  });
  const ORDER = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };
  const first = await make(keys.live, '/v1/images', ORDER);
  const second = await make(keys.live, '/v1/images', ORDER);
  await make(keys.test, '/v1/images', { ...ORDER, simulate: { outcome: 'content_policy' } });
  await call(keys.test, 'POST', '/v1/images', { ...ORDER, simulate: { seconds: 600 } });
  const look = async (files = Number.POSITIVE_INFINITY) => {
    const findings = await audit(config, Date.now(), { files });
    return new Map(findings.map(({ name, status, found }) => [name.replace('audit ', ''), { status, found }]));
  };
  const before = await look();
  assert.deepEqual(
    [...before].map(([name, { status }]) => [name, status]),
    [
      'balances',
      'settlements',
      'end users',
      'batches',
      'files',
      'stuck orders',
      'money at risk',
      'unknown outcomes',
    ].map((name) => [name, 'ok']),
  );

  await database.write('test', async (trx) => {
    await trx.run(trx.builder.deleteFrom('ledger').where('task_id', '=', first.task_id).where('kind', '=', 'charge'));
    await trx.run(trx.builder.deleteFrom('ledger').where('task_id', '=', second.task_id).where('kind', '=', 'hold'));
    const last = await trx.first(trx.builder.selectFrom('ledger').select('id').orderBy('id', 'desc').limit(1));
    const checkpoint = { account_id: 'default', mode: 'live', ledger_id: last?.id ?? 0, balance: 1 } as const;
    await trx.run(trx.builder.insertInto('ledger_checkpoints').values(checkpoint));
  });
  const storage = await openStorage({ url: null, directory: config.filesDirectory });
  for await (const { key } of storage.list(`tasks/`)) if (key.includes(second.task_id)) await storage.remove(key);
  await storage.close();

  const after = await look();
  const wrong = (name: string) => (after.get(name)?.status === 'failed' ? after.get(name)?.found : '') ?? '';
  assert.match(wrong('settlements'), /^2 of 4 tasks are wrong:/);
  assert.match(wrong('settlements'), new RegExp(`task ${first.task_id} \\(final\\): its charge is 0 instead of -\\d+`));
  assert.match(wrong('settlements'), new RegExp(`task ${second.task_id} \\(final\\): its hold is 0 instead of -\\d+`));
  assert.match(wrong('files'), new RegExp(`task ${second.task_id}: its file tasks/.* is not in storage`));
  assert.match(wrong('balances'), /account default live: the checkpoint says 1, its entries add up to 0/);
  assert.equal((await look(0)).get('files')?.status, 'ok');
});
