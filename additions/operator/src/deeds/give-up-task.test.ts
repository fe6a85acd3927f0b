import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { balanceOf } from '../../../../src/accounts/ledger.ts';
import { type Binding, doOnce } from '../../../../src/database/deeds.ts';
import { createTask } from '../../../../src/orders/create-task.ts';
import { readTask, type TaskRecord } from '../../../../src/record/task-record.ts';
import { auditBalances, auditSettlements } from '../../../../src/service/doctor/audit-ledger.ts';
import { auditSpending } from '../../../../src/service/doctor/audit-spending.ts';
import { LostClaim } from '../../../../src/tasks/move-task.ts';
import type { TaskServices } from '../../../../src/tasks/task-services.ts';
import { claimTasks } from '../../../../test/helpers/claim-tasks.ts';
import { forEachDatabase } from '../../../../test/helpers/databases.ts';
import { kernelOf } from '../../../../test/helpers/kernel.ts';
import { commitEnding, commitMove } from '../../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../../test/helpers/task-services.ts';
import { cancelForCustomer } from './cancel-for-customer.ts';
import { giveUpTask } from './give-up-task.ts';
import { requestPoll } from './request-poll.ts';

const which = fc.nat({ max: 1_000 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('order' as const), task: which }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('claim' as const), task: which }) },
  { weight: 8, arbitrary: fc.record({ does: fc.constantFrom('submit' as const, 'run' as const), task: which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('succeed' as const, 'fail' as const), task: which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom('give up' as const, 'ask' as const, 'cancel' as const),
      task: which,
      times: fc.integer({ min: 1, max: 3 }),
      withKey: fc.boolean(),
      /** What the worker writes at the same time, with the claim that it has. */
      beside: fc.constantFrom('nothing' as const, 'run' as const, 'succeed' as const, 'fail' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('wait' as const), task: which }) },
);

/** Three orders, of which workers have two. */
const BEGINNING = [
  ...[0, 1, 2].map((task) => ({ does: 'order' as const, task })),
  { does: 'claim' as const, task: 3 },
] as const;

/** What the test knows of an order. */
interface Known {
  readonly id: string;
  readonly price: number;
  /** The claim that its worker believes to have. */
  claim: TaskRecord | null;
  givenUp: boolean;
}

forEachDatabase((kind) => {
  test('whatever workers and operators do to an order at the same time, its hold is settled once, and one that was given up is never charged, never moves again and is reported once', async (t) => {
    const opened = await openTestServices(t, kind);
    const { services, clock } = opened;
    const other = await opened.openAnother();
    const { database } = services;
    let [givenUp, deeds] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
        await forget(services);
        const key = await insertKey(services);
        const known: Known[] = [];
        const by = () => ({ actor: 'test', now: clock.now(), createId: services.createId });

        /** A worker writes with its claim, which it may have lost. */
        const work = async (does: 'run' | 'submit' | 'succeed' | 'fail', task: Known): Promise<void> => {
          const { claim } = task;
          if (claim === null) return;
          if (does === 'submit' && claim.step !== 'preparing') return;
          if (does === 'run' && claim.step !== 'submitting') return;
          if (does === 'succeed' && claim.step !== 'running') return;
          try {
            if (does === 'submit')
              task.claim = await commitMove(services, claim, 'submitting', { started_at: clock.now() });
            else if (does === 'run')
              task.claim = await commitMove(services, claim, 'running', { operation_json: '"job"', attempts: 0 });
            else {
              const ending =
                does === 'succeed'
                  ? ({
                      status: 'succeeded',
                      outputs: [],
                      keep: null,
                      charge: { amount: task.price, lines: [] },
                    } as const)
                  : ({ status: 'failed', failure: { code: 'upstream_error', message: 'test' } } as const);
              if (await commitEnding(services, 'settle', claim, ending)) task.claim = null;
            }
          } catch (error) {
            if (!(error instanceof LostClaim)) throw error;
          }
        };

        for (const one of [...BEGINNING, ...steps]) {
          if (one.does === 'wait') clock.advance(11_000);
          else if (one.does === 'order') {
            const order = { type: 'image', path: '/v1/images', idempotencyKey: null, simulate: null } as const;
            const made = await createTask(services, key, { ...order, body: { model_id: 'sketch', prompt: 'a fox' } });
            const row = await rowOf(services, made.task.task_id);
            known.push({ id: row.id, price: row.price, claim: null, givenUp: false });
          } else if (one.does === 'claim') {
            const queues = [{ name: 'sketch:live', capacity: 3 }];
            for (const row of await claimTasks(database, { worker: 'w', queues, limit: 2 })) {
              const task = known.find(({ id }) => id === row.id);
              if (task === undefined || row.step === 'final') continue;
              task.claim = readTask(row);
              if (one.task % 2 === 1) await work('submit', task);
              if (one.task % 4 === 3) await work('run', task);
            }
          } else {
            // Most find an order that a worker has.
            const claimed = known.filter(({ claim }) => claim !== null);
            const among = one.task % 8 === 0 || claimed.length === 0 ? known : claimed;
            const task = among[one.task % Math.max(1, among.length)];
            if (task === undefined) continue;
            if (!('times' in one)) await work(one.does, task);
            else {
              const before = await rowOf(services, task.id);
              const name = one.withKey ? `${one.does} ${task.id} ${deeds++}` : null;
              const act = { 'give up': giveUpTask, ask: requestPoll, cancel: cancelForCustomer }[one.does];
              const asked = Array.from({ length: one.times }, (_, at) => {
                const from = at % 2 === 0 ? services : other;
                return once(from, name, (binding) =>
                  act(kernelOf(from), { ...by(), ...(binding && { binding }) }, task.id),
                );
              });
              const beside = one.beside === 'nothing' ? null : work(one.beside, task);
              const [answers] = await Promise.all([Promise.allSettled(asked), beside]);
              const done = answers.filter(({ status }) => status === 'fulfilled').length;
              if (one.does === 'give up' && done > 0) {
                assert.ok(before.step === 'submitting' || before.step === 'running', before.step);
                assert.equal(done, one.withKey ? one.times : 1);
                task.givenUp = true;
                givenUp++;
              }
              for (const answer of answers)
                if (answer.status === 'rejected')
                  assert.match(`${answer.reason.code}`, /^(not_stuck|not_cancelable|rate_limited)$/);
            }
          }
        }
        let held = 0;
        for (const task of known) {
          // A worker that knows nothing of it goes on.
          for (const does of ['submit', 'run', 'succeed'] as const) if (task.givenUp) await work(does, task);
          const row = await rowOf(services, task.id);
          if (row.charged === null) held += task.price;
          else held += row.charged;
          if (!task.givenUp) continue;
          assert.deepEqual([row.status, row.step, row.charged], ['failed', 'final', 0]);
          assert.equal(JSON.parse(row.error_json ?? '{}').code, 'outcome_unknown');
          const reports = await database.read.all(
            database.read.builder.selectFrom('reconciliation').select('kind').where('task_id', '=', task.id),
          );
          assert.deepEqual(reports, [{ kind: 'outcome_unknown' }]);
        }
        assert.equal(await balanceOf(database.read, key.account.id, 'live'), 0 - held);
        const { read } = database;
        const audits = [auditBalances(read), auditSettlements(read), auditSpending(read, services.hooks, clock.now())];
        assert.deepEqual(
          (await Promise.all(audits)).flatMap(({ faults }) => faults),
          [],
        );
      }),
      { numRuns: kind === 'sqlite' ? 60 : 25 },
    );
    assert.ok(givenUp > 10, `only ${givenUp} were given up`);
  });
});

async function once(
  { database, clock }: TaskServices,
  name: string | null,
  make: (binding?: Binding) => Promise<void>,
): Promise<void> {
  const deed = name === null ? null : { scope: 'admin', key: name, fingerprint: name };
  await doOnce({ database, now: clock.now() }, deed, { make, again: async () => {} });
}

async function rowOf({ database: { read } }: TaskServices, id: string) {
  return (await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', id)))!;
}

async function forget({ database }: TaskServices): Promise<void> {
  const tables = ['tasks', 'task_checks', 'ledger', 'idempotency', 'meters', 'reconciliation', 'audit_log'] as const;
  await database.write('forget', async (trx) => {
    for (const table of tables) await trx.run(trx.builder.deleteFrom(table));
  });
}
