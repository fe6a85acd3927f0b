import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/database.ts';
import { isFinal, type TaskRow } from '../../src/record/task.ts';
import { readTasks } from '../crash/books.ts';
import { BrokenPromise } from './broken-promise.ts';
import {
  checkAccounts,
  checkFiles,
  checkHomes,
  checkMoney,
  checkReconciliation,
  checkTasks,
  checkWebhooks,
  type Witnesses,
} from './check-promises.ts';
import { urlsOf } from './installations.ts';
import type { Premises } from './premises.ts';

interface Waiting {
  readonly withinMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Waits until at least one order has succeeded: on a slow machine none may have finished during the faults. */
export async function untilOneSucceeded(all: readonly Premises[], signal: AbortSignal | undefined): Promise<void> {
  await withDatabases(all, async (databases) => {
    for (const database of databases)
      while (!(await readTasks(database)).some(({ status }) => status === 'succeeded'))
        await sleep(250, undefined, { signal });
  });
}

/**
 * Waits until everything has ended, stops the service, and looks at what is left.
 * @returns the tasks of all installations
 */
export async function checkEnd(
  all: readonly Premises[],
  witnesses: Witnesses,
  waiting: Waiting,
): Promise<readonly TaskRow[]> {
  return await withDatabases(all, async (databases) => {
    await untilSettled(databases, all, witnesses, waiting);
    throwFirst(all, witnesses);
    const homes = await Promise.all(
      all.map(async (premises, place) => {
        const database = databases[place]!;
        const { read } = database;
        const rows = await read.all(read.builder.selectFrom('accounts').select('id'));
        return { premises, database, tasks: await readTasks(database), accounts: rows.map(({ id }) => id) };
      }),
    );
    const tasks = homes.flatMap((home) => home.tasks);
    checkHomes(
      homes,
      all.flatMap(({ accounts }) => accounts),
    );
    checkTasks(tasks, witnesses);
    checkWebhooks(tasks, witnesses);
    for (const home of homes) {
      await checkMoney(home.database, home.tasks, home.accounts);
      await checkReconciliation(home.database, home.tasks);
      for (const premises of all) {
        const own = premises.keys.filter(({ account }) => home.accounts.includes(account));
        await checkAccounts(home.database, urlsOf(premises)[0] ?? '', own);
      }
    }
    await Promise.all(all.flatMap(({ fleet }) => fleet.members.map((member) => member.shutDown())));
    throwFirst(all, witnesses);
    for (const home of homes) {
      const storage = await home.premises.openStorage();
      try {
        await checkFiles(home.database, storage, home.tasks);
      } finally {
        await storage.close();
      }
    }
    return tasks;
  });
}

async function withDatabases<Result>(
  all: readonly Premises[],
  deed: (databases: readonly Database[]) => Promise<Result>,
): Promise<Result> {
  const databases: Database[] = [];
  try {
    for (const premises of all) databases.push(await premises.openDatabase());
    return await deed(databases);
  } finally {
    for (const database of databases) await database.close();
  }
}

async function untilSettled(
  databases: readonly Database[],
  all: readonly Premises[],
  witnesses: Witnesses,
  { withinMs, signal }: Waiting,
): Promise<void> {
  const { customers } = witnesses;
  const until = performance.now() + withinMs;
  let customersDone = false;
  void customers.done.then(() => {
    customersDone = true;
  });
  for (;;) {
    const open: string[] = [];
    const untold: string[] = [];
    for (const database of databases) {
      for (const { id, status, step, model_id: model } of await readTasks(database))
        if (!isFinal(status)) open.push(`${id} ${model} ${step}`);
      untold.push(...(await readUntold(database)));
    }
    if (customersDone && open.length === 0 && untold.length === 0) return;
    throwFirst(all, witnesses);
    if (performance.now() > until) {
      const list = (items: Iterable<string>) => [...items].join(', ') || 'nothing';
      throw new BrokenPromise(
        `not everything has ended: of tasks ${list(open)}; of webhooks ${list(untold)}; waiting are ${list(customers.waiting)}`,
      );
    }
    await sleep(250, undefined, { signal });
  }
}

async function readUntold({ read }: Database): Promise<string[]> {
  const rows = await read.all(
    read.builder
      .selectFrom('webhook_deliveries')
      .leftJoin('work', (join) => join.on('kind', '=', 'webhook').onRef('subject', '=', 'webhook_deliveries.id'))
      .select(['task_id', 'attempts'])
      .where('status', '!=', 'delivered'),
  );
  return rows.map(({ task_id, attempts }) => `${task_id} after ${attempts} attempts`);
}

/**
 * Throws the first fault of a run, if any, with the lines of the service's log about its request.
 * @throws the first fault, with what the service's log says about its request
 */
export function throwFirst(all: readonly Premises[], { customers, upstream, receiver }: Witnesses): void {
  const [fault] = [
    ...all.flatMap(({ fleet }) => fleet.faults),
    ...upstream.faults,
    ...customers.faults,
    ...receiver.faults,
  ];
  if (fault === undefined) return;
  const requestId = /req_[0-9a-f]+/.exec(fault.message)?.[0];
  const lines = requestId === undefined ? [] : all.flatMap(({ fleet }) => fleet.linesAbout(requestId));
  throw lines.length === 0 ? fault : new BrokenPromise([fault.message, ...lines].join('\n'));
}
