import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { startTestService } from '../../../test/helpers/service.ts';
import { remedyOf } from '../src/condition.ts';

const DAY_MS = 24 * 60 * 60_000;

test('the advice at a full disk works as it is written: it shows what it would erase, asks, and shortens the time of orders that are there', async (t) => {
  const { keys, make, ended, config, database } = await startTestService(t);
  const task = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', size: '64x64' });
  await ended(keys.test, task);
  const completedAt = Date.now() - 8 * DAY_MS;
  await database.write('test', (trx) =>
    trx.run(trx.builder.updateTable('tasks').set({ completed_at: completedAt }).where('id', '=', task.task_id)),
  );
  const expiry = async () => {
    const { builder } = database.read;
    const row = await database.read.first(
      builder.selectFrom('tasks').select('expires_at').where('id', '=', task.task_id),
    );
    return Number(row?.expires_at);
  };
  const before = await expiry();
  const command = /darkroom (retention apply --days \d+)/.exec(remedyOf('disk_nearly_full').action)?.[1] ?? '';
  const run = async (...more: string[]) =>
    await runDarkroom(
      [...command.split(' '), ...more],
      {
        DARKROOM_DATA_DIR: config.dataDirectory,
        ...(config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: config.databaseUrl }),
      },
      config.dataDirectory,
    );
  const asked = await run();
  assert.equal(asked.code, 2);
  assert.match(asked.stderr, /1 orders of 1 accounts and 0 uploads are older .*Add --yes to erase it/s);
  assert.equal(await expiry(), before);

  const done = await run('--yes', '--json');
  const { applied, orders, accounts, bytes } = JSON.parse(done.stdout);
  assert.deepEqual([done.code, applied, orders, accounts, bytes > 0], [0, true, 1, 1, true]);
  assert.equal(await expiry(), completedAt + 7 * DAY_MS);
  assert.equal(JSON.parse((await run('--yes', '--json')).stdout).applied, false);
  assert.equal((await runDarkroom(['retention', 'apply', '--days', 'soon'], {}, config.dataDirectory)).code, 2);
});
