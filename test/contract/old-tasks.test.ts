import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';

const DAY_MS = 86_400_000;
const ORDER = { model_id: 'sketch', prompt: 'a fox', size: '64x64', end_user: 'ann' };

test('a task older than DARKROOM_TASK_DAYS is gone, its money stays, and its key never orders again', async (t) => {
  const clock = new ManualClock();
  const app = await startTestService(t, {
    env: { DARKROOM_RETENTION_DAYS: '1', DARKROOM_TASK_DAYS: '91' },
    service: { clock, engines: [createSwiftEngine({}, clock)] },
  });
  const accountId = await app.createAccount(null);
  const { key } = await app.issueKey({ mode: 'test', accountId, accountView: true });
  const create = (name: string, body: object = ORDER) =>
    app.call(key, 'POST', '/v1/images', body, { 'idempotency-key': name });
  const made = await app.ended(key, (await create('one')).data);
  const unlucky = { ...ORDER, simulate: { outcome: 'content_policy' } };
  const failed = await app.ended(key, (await create('failed', unlucky)).data);
  const deleted = await app.ended(key, (await create('deleted')).data);
  await app.call(key, 'DELETE', `/v1/images/${deleted.task_id}`);
  assert.deepEqual([made.status, failed.status], ['succeeded', 'failed']);
  const money = async () => {
    const span = 'from=2026-11-20&to=2027-06-01';
    const usage = await app.call(key, 'GET', `/v1/account/usage?${span}&group_by=day,model_id,status`);
    const byUser = await app.call(key, 'GET', `/v1/account/usage?${span}&group_by=end_user`);
    const costs = await app.call(app.keys.admin, 'GET', `/admin/v1/costs?${span}`);
    const ledger = await app.call(key, 'GET', '/v1/account/ledger');
    const { balance, held } = (await app.call(key, 'GET', '/v1/account')).data;
    const { total } = (await app.call(key, 'GET', '/v1/end_users/ann')).data.windows;
    assert.equal(total.charged, '0.01');
    return [usage.data, byUser.data, costs.data, ledger.data, balance, held, total];
  };
  const look = (id: string, asker = key) => app.call(asker, 'GET', `/v1/images/${id}`);

  clock.advance(90 * DAY_MS);
  await app.service.runHousekeeping();
  const before = await money();
  assert.equal((await look(made.task_id)).status, 200);
  assert.equal((await look(deleted.task_id)).status, 404);
  assert.equal((await create('one')).data.task_id, made.task_id);

  clock.advance(1.5 * DAY_MS);
  const open = (await app.call(app.keys.test, 'POST', '/v1/images', { ...ORDER, simulate: { seconds: 600 } })).data;
  await app.service.runHousekeeping();
  for (const [name, { task_id: id }] of Object.entries({ one: made, failed, deleted })) {
    const answers = [
      await look(id),
      await create(name),
      await create(name, { ...ORDER, prompt: 'a hen' }),
      await create(name, { ...ORDER, model_id: 'nothing' }),
      await app.call(key, 'POST', '/v1/images/actions', { parent_task_id: id, action: 'upscale', index: 1 }),
      await app.call(key, 'DELETE', `/v1/images/${id}`),
      await app.call(key, 'POST', '/v1/shares', { task_ids: [id] }),
      await app.call(app.keys.admin, 'GET', `/admin/v1/tasks/${id}`),
    ];
    assert.deepEqual(
      answers.map(({ status, error }) => [status, error.code]),
      answers.map(() => [410, 'task_expired']),
    );
    assert.equal((await look(id, app.keys.test)).error.code, 'task_not_found');
  }
  assert.equal((await look(`${made.task_id.slice(0, -4)}0000`)).error.code, 'task_not_found');
  assert.equal((await look(open.task_id, app.keys.test)).status, 200);
  assert.deepEqual((await app.call(key, 'GET', '/v1/images')).data.items, []);
  assert.deepEqual(await money(), before);
});
