import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { loadPostgres } from '@darkroom-service/store';
import fc from 'fast-check';
import { DatabaseError } from 'pg';
import { ADDED } from '../../../test/additions.ts';
import { claimTasks } from '../../../test/claim-tasks.ts';
import { tableNames } from '../../../test/find-text.ts';
import { commitEnding, commitMove } from '../../../test/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/task-services.ts';
import { CommandFault } from '../../cli/command-fault.ts';
import { createTask } from '../../orders/create-task.ts';
import { readTask } from '../../tasks/task-record.ts';
import { ADDITIONS } from '../list.ts';
import { cancelMove } from './cancel-move.ts';
import { moveAccount } from './move-account.ts';
import { ownedTables, STAYS } from './owned-tables.ts';

const { connect, endConnection } = await loadPostgres();

const TABLES = ownedTables(
  ADDED,
  ADDITIONS.flatMap(({ hooks }) => hooks?.personalTables ?? []),
);
const QUEUES = [{ name: 'sketch:live', capacity: 1_000 }];

/** What happens in the cell that the account leaves, between two steps of the move. */
type Act =
  | { readonly kind: 'order' | 'end' | 'run'; readonly count: number }
  | { readonly kind: 'claim'; readonly count: number }
  | { readonly kind: 'kill' }
  | { readonly kind: 'deadlock' };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('order', 'end', 'run'), count: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('claim'), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('kill', 'deadlock') }) },
) as fc.Arbitrary<Act>;

async function openCell(t: TestContext, name: string) {
  const opened = await openTestServices(t, 'postgres');
  const { database } = opened;
  await database.write('installation', async (trx) => {
    const beat = { row: 1, owner: '', beat: 0, system_id: null, database_oid: null };
    await trx.run(
      trx.builder
        .insertInto('installation')
        .values({ ...beat, id: name, held: null, prefix: null, sweep_stopped: null }),
    );
    await trx.run(trx.builder.insertInto('secrets').values({ name: 'file_signature', value: `secret of ${name}` }));
  });
  return { name, url: `http://${name}.test`, ...opened };
}

test('whatever happens between its steps and wherever it is killed, a moved account has all its rows, once and with equal money', async (t) => {
  const [here, there] = [await openCell(t, 'eu1'), await openCell(t, 'us1')];
  const { services, database } = here;
  const tasksIn = (cell: typeof here, account: string) =>
    cell.database.read.all(
      cell.database.read.builder.selectFrom('tasks').selectAll().where('account_id', '=', account).orderBy('id'),
    );

  const live = async (acts: readonly Act[][]) => {
    const key = await insertKey(services);
    const account = key.account.id;
    const ordered = new Set<string>();
    const ended = new Set<string>();
    const claimed = new Set<string>();
    let orders = 0;
    let moved = false;
    let opened = false;
    const perform = async ({ kind, count }: Extract<Act, { count: number }>) => {
      const rows = await tasksIn(here, account);
      const held = rows.filter(({ worker, step }) => worker !== null && step !== 'final').slice(0, count);
      if (kind === 'claim') {
        for (const { id, account_id: owner } of await claimTasks(database, {
          worker: 'w',
          queues: QUEUES,
          limit: count,
        }))
          if (owner === account) claimed.add(id);
      } else if (kind === 'order') {
        const body = { model_id: 'sketch', prompt: 'a fox' };
        for (let place = 0; place < count; place++) {
          const order = {
            type: 'image',
            path: '/',
            body,
            idempotencyKey: `order-${orders++}`,
            simulate: null,
          } as const;
          const placed = await createTask(services, key, order);
          assert.equal(moved, false, 'nothing is placed once the account has left');
          ordered.add(placed.task.task_id);
        }
      } else if (kind === 'run') {
        for (const row of held.filter(({ step }) => step === 'preparing')) {
          const submitted = await commitMove(services, readTask(row), 'submitting');
          await commitMove(services, submitted, 'running', { operation_json: '{}' });
        }
      } else
        for (const row of held) {
          if (!(await commitEnding(services, 'end', readTask(row), { status: 'canceled' }))) continue;
          assert.equal(moved, false, 'nothing is settled once the account has left');
          ended.add(row.id);
        }
    };
    await perform({ kind: 'order', count: 1 });
    let deadlocks = 0;
    const queue = [...acts];
    let fault: unknown = null;
    const fences = new Map<string, number>();
    for (let runs = 0; ; runs++) {
      assert.ok(runs < 40, `the move comes to an end: ${fault}`);
      const clients = await Promise.all(
        [here, there].map(({ address }) => connect(address.url ?? '', 'migrate', 5_000)),
      );
      try {
        await moveAccount({
          account,
          from: { ...here, client: clients[0]!, storage: services.storage },
          to: { ...there, client: clients[1]!, storage: there.services.storage },
          tables: TABLES,
          drainMs: 300,
          knownMs: 0,
          async onStep(step) {
            if (step === 'moved') moved = true;
            if (step === 'open') opened = true;
            assert.equal((await tasksIn(there, account)).length > 0, opened, step);
            if (['closed', 'compared', 'moved'].includes(step))
              await assert.rejects(perform({ kind: 'order', count: 1 }), { code: 'service_unavailable' }, step);
            if (step === 'compared') for (const row of await tasksIn(here, account)) fences.set(row.id, row.fence);
            if (step.startsWith('copied ') && step !== 'copied tasks') return;
            for (const one of queue.shift() ?? []) {
              // More in one run end it.
              if (one.kind === 'deadlock' && ++deadlocks > 5) continue;
              if (one.kind === 'deadlock')
                throw Object.assign(new DatabaseError('deadlock detected', 0, 'error'), { code: '40P01' });
              if (one.kind !== 'kill') {
                // The account may be closed, and what it has asked for then has no effect.
                await perform(one).catch((error: { code?: string }) => {
                  if (error.code !== 'service_unavailable') throw error;
                });
                continue;
              }
              await Promise.all(clients.map(endConnection));
              throw new Error('killed');
            }
          },
        });
        break;
      } catch (error) {
        fault = error;
        if (error instanceof CommandFault) await perform({ kind: 'end', count: 1_000 });
        else if (!(error instanceof Error && error.message === 'killed')) throw error;
      } finally {
        await Promise.all(clients.map(endConnection));
      }
    }
    assert.deepEqual(await tasksIn(here, account), []);
    const rows = await tasksIn(there, account);
    assert.deepEqual(
      rows.map(({ id }) => id),
      [...ordered].sort(),
    );
    assert.deepEqual(
      rows.filter(({ step }) => step === 'final').map(({ id }) => id),
      [...ended].sort(),
    );
    const { read } = there.database;
    const ledger = await read.all(read.builder.selectFrom('ledger').selectAll().where('account_id', '=', account));
    for (const { id, price } of rows) {
      const own = ledger.filter(({ task_id: task }) => task === id).map(({ kind, amount }) => [kind, amount]);
      assert.deepEqual(own, [['hold', -price], ...(ended.has(id) ? [['release', price]] : [])], id);
    }
    assert.equal(ledger.length, ordered.size + ended.size);
    const bound = await read.all(
      read.builder.selectFrom('idempotency').select('subject_id').where('scope', '=', key.id),
    );
    assert.deepEqual(bound.map(({ subject_id: id }) => id).sort(), [...ordered].sort());
    const left = await database.read.all(
      database.read.builder.selectFrom('ledger').selectAll().where('account_id', '=', account),
    );
    assert.deepEqual(left, []);
    const all = await claimTasks(there.database, { worker: 'v', queues: QUEUES, limit: 1_000 });
    const next = all.filter((row) => row.account_id === account);
    const waits = rows.filter(({ step }) => step === 'waiting' || step === 'running').map(({ id }) => id);
    assert.deepEqual(next.map(({ id }) => id).sort(), waits, 'the other cell goes on with what had not ended');
    for (const row of next) {
      assert.equal(row.step === 'running' || !claimed.has(row.id), true, 'nothing begins in both cells');
      assert.equal(row.fence, fences.get(row.id)! + 2, 'raised by the move and by the claim');
      await commitEnding(there.services, 'end', readTask(row), { status: 'canceled' });
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(fc.array(act, { maxLength: 4 }), { minLength: 9, maxLength: 16 }), live), {
    numRuns: 4,
  });
});

test('it is decided for every table whether its rows move with their account', async (t) => {
  const { database } = await openTestServices(t, 'postgres');
  const moving = [...new Set(TABLES.map(({ table }) => table))];
  assert.deepEqual([...moving, ...STAYS].sort(), await tableNames(database));
  assert.deepEqual(
    TABLES.filter(({ key }) => key.length === 0),
    [],
  );
});

test('an account that waits too long for an outcome works on, and a move that is canceled leaves nothing behind', async (t) => {
  const [here, there] = [await openCell(t, 'eu1'), await openCell(t, 'us1')];
  const { services, database } = here;
  const key = await insertKey(services);
  const account = key.account.id;
  const body = { model_id: 'sketch', prompt: 'a fox' };
  const order = () =>
    createTask(services, key, { type: 'image', path: '/', body, idempotencyKey: null, simulate: null });
  await order();
  const [claimed] = await claimTasks(database, { worker: 'w', queues: QUEUES, limit: 1 });
  const [source, target] = await Promise.all(
    [here, there].map(({ address }) => connect(address.url ?? '', 'migrate', 5_000)),
  );
  t.after(() => Promise.all([endConnection(source!), endConnection(target!)]));
  const tables = await tableNames(there.database);
  const move = (to = there) =>
    moveAccount({
      account,
      from: { ...here, client: source!, storage: services.storage },
      to: { ...to, client: target!, storage: to.services.storage },
      tables: TABLES,
      drainMs: 300,
      knownMs: 0,
      onStep: () => {},
    });
  await assert.rejects(move, /After 0.3 s the outcome of 1 orders/);
  await order();
  const next = await claimTasks(database, { worker: 'w', queues: QUEUES, limit: 10 });
  assert.equal(next.length, 1, 'its orders are claimed again');
  await assert.rejects(() => move({ ...there, name: 'ap1' }), /on its way to us1/);
  await cancelMove({ account, source: source!, target: target! }, TABLES);
  await cancelMove({ account, source: source!, target: target! }, TABLES);
  assert.deepEqual(await tableNames(there.database), tables);
  const { rows } = await source!.query(`select tgname from pg_trigger where tgname = 'darkroom_move'`);
  assert.deepEqual(rows, []);
  assert.equal(await commitEnding(services, 'end', readTask(claimed!), { status: 'canceled' }), true);
  await database.write('admin', (trx) =>
    trx.run(
      trx.builder
        .updateTable('api_keys')
        .set({ mode: 'admin' } as object)
        .where('id', '=', key.id),
    ),
  );
  await assert.rejects(move, /has an admin key/);
});
