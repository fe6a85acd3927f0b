import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { balanceOf } from '../../src/accounts/ledger.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { GATES } from '../../src/queue/gates.ts';
import { outputsOf } from '../../src/record/task-json.ts';
import { auditEndUsers } from '../../src/service/doctor/audit-end-users.ts';
import { auditBalances } from '../../src/service/doctor/audit-ledger.ts';
import { paidModel, paidRoute } from '../crash/paid-model.ts';
import { forEachDatabase } from '../helpers/databases.ts';
import { plainPicture } from '../helpers/plain-picture.ts';
import { createPostgresDatabase } from '../helpers/postgres-server.ts';
import { createScriptedEngine, type ScriptedEngine } from '../helpers/scripted-engine.ts';
import { servePicture } from '../helpers/serve-picture.ts';
import { startTestService } from '../helpers/service.ts';
import { createStoppableEngine } from '../helpers/swift-engine.ts';
import { withUpstreamKeys } from '../helpers/with-upstream-keys.ts';
import { execute, type OldInstallation, placeOldSchema, readOldInstallation } from './version-76.ts';

const MODES = ['live', 'test'] as const;
const OLD_CREDIT = 700;
/** Engines of which no order may be submitted twice. */
const PAID = ['paid-slow', 'paid-hang', 'paid-full', 'paid-away', 'paid-brief'];

test('the old installation has orders, batches, keys and end users in every state that an upgrade must carry', () => {
  const { rows } = readOldInstallation();
  const { tasks = [], task_waits = [], batches = [], batch_portions = [], api_keys = [], upstream_keys = [] } = rows;
  const gated = (gate: number) => tasks.some(({ gates }) => (Number(gates) & gate) !== 0);
  const states = {
    blocked: gated(GATES.parent),
    met: task_waits.some(({ met }) => met === 1),
    unmet: task_waits.some(({ met }) => met === 0),
    heldByBatch: gated(GATES.batch),
    parked: gated(GATES.route),
    deferred: tasks.some(({ step }) => step === 'deferred'),
    submitting: tasks.some(({ step }) => step === 'submitting'),
    running: tasks.some(({ step }) => step === 'running'),
    unfetched: gated(GATES.reference),
    unplaced: batch_portions.length > 0 && batches.some(({ placed, orders }) => Number(placed) < Number(orders)),
    erasedEndUser: tasks.some(({ scope, end_user }) => scope !== null && end_user === null),
    revokedKey: api_keys.some(({ revoked_at }) => revoked_at !== null),
    removedUpstreamKey: upstream_keys.some(({ removed_at }) => removed_at !== null),
  };
  assert.deepEqual(
    Object.entries(states).filter(([, has]) => !has),
    [],
  );
});

forEachDatabase((kind) =>
  test(`an installation of the oldest schema that is upgraded, killed under load, goes on with this version on ${kind}: sums are equal, and each open order ends once`, async (t) => {
    const old = readOldInstallation();
    const directory = await mkdtemp(join(tmpdir(), 'darkroom-old-'));
    t.after(() => rm(directory, { recursive: true, force: true }));
    await writeCatalog(join(directory, 'catalog'));
    const url = kind === 'postgres' ? await createPostgresDatabase(t) : null;
    const before = await openDatabase({ url, path: join(directory, 'darkroom.db') });
    await placeOldSchema(before, old);
    await writeOutputs(join(directory, 'files'), old.rows.tasks ?? []);
    // Long enough ago that no call of it can be open.
    await execute(before, 'update processes set beat_at = 0');
    await execute(before, 'update work set due_at = 0');
    // Its upstreams had asked for pauses of minutes.
    await execute(before, 'delete from valves');
    await execute(
      before,
      "update tasks set next_at = 0 where step in ('deferred', 'waiting') and next_at < deadline_at",
    );
    await execute(
      before,
      `insert into ledger (account_id, mode, task_id, kind, amount, created_at)
        values ('default', 'live', 'crd_old', 'credit', ${OLD_CREDIT}, 1)`,
    );
    const reference = await servePicture(t);
    for (const column of ['input_json', 'request_json', 'media_json'])
      await execute(before, `update tasks set ${column} = replace(${column}, '${old.reference}', '${reference}')`);
    await before.close();

    const submitted: string[] = [];
    const createPaid = (name: string) => createPaidEngine(name, submitted);
    const { call, database } = await startTestService(t, {
      env: {
        DARKROOM_DATA_DIR: directory,
        DARKROOM_CATALOG_DIR: join(directory, 'catalog'),
        DARKROOM_RETENTION_DAYS: '3650',
        DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
        DARKROOM_SECRETS_KEY: old.secretsKey,
        DARKROOM_UPSTREAM_KEY_FEE: '0.002',
        ...(url === null ? {} : { DARKROOM_DATABASE_URL: url }),
      },
      service: {
        engines: [...PAID.map(createPaid), createStoppableEngine()],
        additions: withUpstreamKeys({
          templates: new Map(PAID.map((name) => [name, createPaid(name)])),
          open: createPaid,
        }),
        tempo: { lease: { ms: 1_000, renewEveryMs: 100 }, deliveryPausesMs: [] },
      },
    });
    const checkpoints = database.read.builder
      .selectFrom('ledger_checkpoints')
      .select(['account_id', 'mode', 'balance']);
    const ofOldEntries = { account_id: 'default', mode: 'live', balance: OLD_CREDIT };
    assert.deepEqual(await database.read.all(checkpoints), [ofOldEntries], 'no balance sums a whole ledger');
    const sums = { live: OLD_CREDIT, test: 0 };
    for (const { mode, amount } of old.rows.ledger ?? []) sums[mode as 'live' | 'test'] += Number(amount);
    const tasks = old.rows.tasks ?? [];
    const openBefore = tasks.filter(({ step }) => step !== 'final');
    const isPaid = ({ queue }: (typeof tasks)[0]) => String(queue).startsWith('paid-');
    const unsent = openBefore.filter((task) => isPaid(task) && ['waiting', 'deferred'].includes(String(task.step)));
    // They would stay until their deadline, and hold the slots of their key.
    const isStuck = (task: (typeof tasks)[0]) => String(task.simulate_json).includes('stuck');
    for (const { id } of openBefore.filter(isStuck))
      assert.equal((await call(old.keys.limited, 'POST', `/v1/images/${id}/cancel`)).status, 200);
    await until(
      () => openTasks(database),
      (open) => open.length === 0,
    );

    assert.deepEqual(submitted.sort(), unsent.map(({ id }) => id).sort(), 'what was submitted before is not again');
    const rows = await database.read.all(database.read.builder.selectFrom('tasks').selectAll());
    const ends = new Map(rows.map((row) => [row.id, row]));
    for (const task of tasks) {
      const now = ends.get(String(task.id)) ?? assert.fail(`${task.id} is lost`);
      if (task.step === 'final') assert.deepEqual([now.status, now.charged], [task.status, task.charged]);
      if (task.step === 'submitting' && isPaid(task))
        assert.match(now.error_json ?? '', /outcome_unknown/, 'nobody knows whether the upstream has it');
      if (task.step === 'running' && String(task.queue).startsWith('paid-slow'))
        assert.deepEqual([now.status, now.charged], ['succeeded', task.price], 'its upstream had made it');
      if ((Number(task.gates) & GATES.reference) !== 0)
        assert.equal(now.status, 'succeeded', 'its reference can be fetched now');
      assert.equal(now.end_user, task.end_user);
      assert.equal(now.scope, task.scope);
      assert.ok(now.progress >= Number(task.progress) && now.revision >= Number(task.revision));
    }
    for (const mode of MODES) {
      const since = rows.filter((row) => row.mode === mode && openBefore.some(({ id }) => id === row.id));
      const held = openBefore.filter((task) => task.mode === mode).reduce((sum, { price }) => sum + Number(price), 0);
      const added = rows.filter((row) => row.mode === mode && !tasks.some(({ id }) => id === row.id));
      const charged = [...since, ...added].reduce((sum, row) => sum + (row.charged ?? 0), 0);
      // The hold of a batch covers orders that were not placed yet.
      const unplaced = added.reduce((sum, { price }) => sum + price, 0);
      assert.equal(await balanceOf(database.read, 'default', mode), sums[mode] + held + unplaced - charged, mode);
    }
    assert.deepEqual((await auditBalances(database.read)).faults, []);
    const { looked, faults } = await auditEndUsers(database.read, Date.now());
    assert.ok(looked > 0);
    assert.deepEqual(faults, []);
    const repeatable = old.orders.filter(({ id, key }) => key !== 'gone' && openBefore.some((task) => task.id === id));
    for (const { key, idem, id, body } of repeatable.slice(0, 5)) {
      const repeated = await call(old.keys[key], 'POST', '/v1/images', body, { 'idempotency-key': idem });
      assert.deepEqual([repeated.status, repeated.data.task_id], [201, id]);
    }
    const batch = (await call(old.keys.test, 'GET', `/v1/batches/${old.batch}`)).data;
    assert.deepEqual([batch.counts.failed, batch.cost.held], [120, '0.00']);
  }),
);

/** Of `paid-slow` every order succeeds, of the others none. */
function createPaidEngine(name: string, submitted: string[]): ScriptedEngine {
  const engine = createScriptedEngine({ name });
  engine.onStart = ({ taskId }) => submitted.push(taskId);
  engine.answer = ({ taskId, request: { output } }) =>
    name === 'paid-slow'
      ? {
          status: 'succeeded',
          delivery: {
            outputs: [{ source: { data: plainPicture(output, taskId) }, seed: 1, revisedPrompt: null, tiles: null }],
          },
        }
      : { status: 'failed', error: { code: 'content_policy', message: 'no' } };
  return engine;
}

/** Writes the models that the old installation had beside the shipped ones. */
async function writeCatalog(directory: string): Promise<void> {
  const models = PAID.map((name) => ({
    ...paidModel(name),
    routes: [{ ...paidRoute(name), ...(name === 'paid-away' ? { model: 'away-1' } : {}) }],
  }));
  await mkdir(directory);
  await writeFile(join(directory, 'paid.json'), JSON.stringify({ vendor: 'Paid', models }));
}

/** Writes pictures in place of the outputs, which orders that waited for them use. */
async function writeOutputs(directory: string, tasks: OldInstallation['rows'][string]): Promise<void> {
  for (const { outputs_json } of tasks)
    for (const { key, width, height, bytes } of outputsOf({ outputs_json: String(outputs_json) })) {
      await mkdir(dirname(join(directory, key)), { recursive: true });
      const picture = plainPicture({ width: width ?? 1, height: height ?? 1 }, key);
      // As long as its row says: a shorter file is one that has lost its end.
      await writeFile(
        join(directory, key),
        Buffer.concat([picture, Buffer.alloc(Math.max(0, bytes - picture.length))]),
      );
    }
}

function openTasks({ read }: Database) {
  return read.all(read.builder.selectFrom('tasks').select(['id', 'step', 'queue']).where('step', '!=', 'final'));
}
