import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { requestErasure } from '../../additions/privacy/src/data-requests.ts';
import { takeOverOwnerless } from '../../src/worker/ownership/take-over.ts';
import { forEachDatabase } from '../helpers/databases.ts';
import { kernelOf } from '../helpers/kernel.ts';
import { insertKey } from '../helpers/task-services.ts';
import { CHORES, type Plan, plan } from './commands.ts';
import { countDeadlocks } from './count-deadlocks.ts';
import { type Fleet, openFleet, type Process } from './fleet.ts';
import { judgeEnd, judgeMoment, judgeWaiting } from './judge.ts';
import { type Customer, doChore, runCommand, work } from './run-command.ts';

/** `DARKROOM_TEST_RUNS` makes a longer test, and `DARKROOM_TEST_SEED` repeats the commands of one that failed. */
const { DARKROOM_TEST_RUNS: RUNS, DARKROOM_TEST_SEED: SEED } = process.env;
/** More than the longest chain of orders. */
const MOST_ROUNDS = 60;
/** After it every order that waits for a time is due, and before it no deadline is over. */
const A_WHILE_MS = 301_000;
const LASTING = ['children', 'references', 'erasure'] as const;

forEachDatabase((kind) => {
  test('whatever customers, operators and processes do at the same time, no two wait for each other, and in the end every order and batch has ended and all counts are right', async (t) => {
    const fleet = await openFleet(t, kind);
    const watch = countDeadlocks();
    t.after(() => watch.stop());
    await fc.assert(
      fc.asyncProperty(plan, async (planned) => {
        await live(fleet, planned);
        assert.deepEqual(watch.deadlocks(), []);
      }),
      {
        numRuns: Number(RUNS ?? (kind === 'sqlite' ? 25 : 15)),
        ...(SEED === undefined ? {} : { seed: Number(SEED) }),
        // Another run of fewer commands may have better luck.
        endOnFailure: true,
      },
    );
  });
});

async function live(fleet: Fleet, { slots, rounds, erasedAfter, pauses }: Plan): Promise<void> {
  const { processes, clock } = fleet;
  const [first] = processes;
  const { services } = first;
  const customers: Customer[] = [];
  for (const concurrency of slots) customers.push({ key: await insertKey(services, { concurrency }) });
  fleet.pauseBy(pauses);
  for (const [place, commands] of rounds.entries()) {
    await Promise.all(
      commands.flatMap(({ process, command, isTwice }) => {
        const other = processes[(process + 1) % processes.length]!;
        const again = 'isReversed' in command ? { ...command, isReversed: !command.isReversed } : command;
        return [
          runCommand(processes[process]!, customers, clock, command),
          ...(isTwice ? [runCommand(other, customers, clock, again)] : []),
        ];
      }),
    );
    for (const customer of customers) await judgeMoment(services, customer);
    if (place !== erasedAfter) continue;
    const by = { actor: 'test', now: clock.now(), createId: services.createId };
    await requestErasure(kernelOf(services), by, { accountId: customers[0]!.key.account.id, endUser: null });
  }
  await lookAround(fleet);
  for (let round = 0; ; round++) {
    while (await workOnce(fleet));
    for (const customer of customers) {
      await judgeMoment(services, customer);
      await judgeWaiting(services, customer);
    }
    if (!(await isOpen(first))) break;
    assert.ok(round < MOST_ROUNDS, 'orders wait for ever');
    clock.advance(A_WHILE_MS);
  }
  await judgeEnd(services, customers);
}

/** What feeders and take-overs do once in a while: from then on, whoever commits something tells of it. */
async function lookAround({ processes }: Fleet): Promise<void> {
  const [{ services, woken }] = processes;
  const { read } = services.database;
  await takeOverOwnerless(services.database);
  const open = await read.all(read.builder.selectFrom('batches').select('id').where('status', '=', 'processing'));
  for (const { id } of open) woken.add(id);
}

/** Lets the processes do what they have to, one after the other. @returns whether there was anything */
async function workOnce({ processes }: Fleet): Promise<boolean> {
  let hasWorked = false;
  for (const process of processes) {
    for (const chore of CHORES) hasWorked = (await doChore(process, chore)) || hasWorked;
    for (const task of [...process.claimed.values()]) {
      hasWorked = true;
      await work(process, task, { work: task.step === 'deferred' ? 'submit' : 'succeed', share: 1 });
    }
  }
  return hasWorked;
}

/** Whether an order or a batch has not ended, or a person's data are still to be erased. */
async function isOpen({ services }: Process): Promise<boolean> {
  const { read } = services.database;
  const { builder } = read;
  const found = await Promise.all([
    read.first(builder.selectFrom('tasks').select('id').where('step', '!=', 'final').limit(1)),
    read.first(builder.selectFrom('batches').select('id').where('status', '=', 'processing').limit(1)),
    read.first(builder.selectFrom('work').select('subject').where('kind', 'in', LASTING).limit(1)),
  ]);
  return found.some((one) => one !== undefined);
}
