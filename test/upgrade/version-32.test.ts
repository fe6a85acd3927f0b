import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing/until';
import { balanceOf } from '../../src/accounts/ledger.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { auditBalances } from '../../src/operations/audit-ledger.ts';
import { createPostgresDatabase } from '../postgres-server.ts';
import { createScriptedEngine } from '../scripted-engine.ts';
import { startTestService } from '../service.ts';
import { createSwiftEngine } from '../swift-engine.ts';
import { execute, placeOldSchema, readOldInstallation } from './version-32.ts';

const MODES = ['live', 'test'] as const;

for (const kind of ['sqlite', 'postgres'] as const)
  test(`an installation of the last checkout, killed under load, goes on with this version on ${kind}: sums are equal, and each open order ends once`, async (t) => {
    const old = readOldInstallation();
    const directory = await mkdtemp(join(tmpdir(), 'darkroom-old-'));
    t.after(() => rm(directory, { recursive: true, force: true }));
    const url = kind === 'postgres' ? await createPostgresDatabase(t) : null;
    const before = await openDatabase({ url, path: join(directory, 'darkroom.db') });
    await placeOldSchema(before, old);
    // Long enough ago that no call of it can be open.
    await execute(before, 'update processes set beat_at = 0');
    // Its upstream had asked for a pause of a minute.
    await execute(before, 'delete from circuits');
    await execute(before, "update tasks set next_at = 0 where step = 'deferred'");
    await before.close();

    const submitted: string[] = [];
    const paid = createScriptedEngine({ name: 'openai' });
    paid.onStart = ({ taskId }) => submitted.push(taskId);
    const { call, database } = await startTestService(t, {
      env: {
        DARKROOM_DATA_DIR: directory,
        DARKROOM_RETENTION_DAYS: '3650',
        ...(url === null ? {} : { DARKROOM_DATABASE_URL: url }),
      },
      service: {
        engines: [paid, createSwiftEngine({ name: 'sketch', repeatable: true, isFree: true })],
        tempo: { lease: { ms: 1_000, renewEveryMs: 100 }, deliveryPausesMs: [] },
      },
    });
    const sums = { live: 0, test: 0 };
    for (const { mode, amount } of old.rows.ledger ?? []) sums[mode as 'live' | 'test'] += Number(amount);
    const tasks = old.rows.tasks ?? [];
    const openBefore = tasks.filter(({ step }) => step !== 'final');
    const unsent = openBefore.filter(({ queue, step }) => queue === 'openai:live' && step !== 'submitting');
    await until(
      async () => submitted,
      (sent) => sent.length === unsent.length,
    );
    paid.answer = () => ({ status: 'failed', error: { code: 'content_policy', message: 'no' } });
    // These stay until their deadline, as was wished.
    const stuck = openBefore.filter(({ simulate_json }) => simulate_json !== null).map(({ id }) => String(id));
    await until(
      () => openTasks(database),
      (open) => open.every(({ id }) => stuck.includes(id)),
    );

    assert.deepEqual(submitted.sort(), unsent.map(({ id }) => id).sort(), 'what was submitted before is not again');
    const rows = await database.read.all(database.read.builder.selectFrom('tasks').selectAll());
    const ends = new Map(rows.map((row) => [row.id, row]));
    for (const task of tasks) {
      const now = ends.get(String(task.id)) ?? assert.fail(`${task.id} is lost`);
      if (task.step === 'final') assert.deepEqual([now.status, now.charged], [task.status, task.charged]);
      if (task.step === 'submitting' && task.queue === 'openai:live')
        assert.match(now.error_json ?? '', /outcome_unknown/, 'nobody knows whether the upstream has it');
      assert.ok(now.progress >= Number(task.progress) && now.revision >= Number(task.revision));
    }
    for (const mode of MODES) {
      const since = rows.filter((row) => row.mode === mode && openBefore.some(({ id }) => id === row.id));
      const held = openBefore
        .filter((task) => task.mode === mode && !stuck.includes(String(task.id)))
        .reduce((sum, { price }) => sum + Number(price), 0);
      const batched = rows.filter((row) => row.mode === mode && !tasks.some(({ id }) => id === row.id));
      const charged = [...since, ...batched].reduce((sum, row) => sum + (row.charged ?? 0), 0);
      // The hold of a batch covers orders that were not placed yet.
      const unplaced = batched.reduce((sum, { price }) => sum + price, 0);
      assert.equal(await balanceOf(database.read, 'default', mode), sums[mode] + held + unplaced - charged, mode);
    }
    assert.deepEqual((await auditBalances(database.read)).faults, []);
    for (const { key, idem, id, body } of old.orders.slice(0, 5)) {
      const repeated = await call(old.keys[key], 'POST', '/v1/images', body, { 'idempotency-key': idem });
      assert.deepEqual([repeated.status, repeated.data.task_id], [201, id]);
    }
    const batch = (await call(old.keys.test, 'GET', `/v1/batches/${old.batch}`)).data;
    assert.deepEqual([batch.status, batch.cost.held], ['succeeded', '0.00']);
  });

function openTasks({ read }: Database) {
  return read.all(read.builder.selectFrom('tasks').select(['id', 'step', 'queue']).where('step', '!=', 'final'));
}
