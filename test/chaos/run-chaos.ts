import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/database.ts';
import { isFinal, type TaskRow } from '../../src/tasks/task.ts';
import { readTasks } from '../crash/books.ts';
import { BrokenPromise } from './broken-promise.ts';
import {
  checkAccounts,
  checkFiles,
  checkMoney,
  checkReconciliation,
  checkTasks,
  checkWebhooks,
  type Witnesses,
} from './check-promises.ts';
import { type Customers, startCustomers } from './customers.ts';
import { doFault } from './do-fault.ts';
import { openFakeUpstream } from './fake-upstream.ts';
import type { Fleet } from './fleet.ts';
import { EMBEDDED_FAULTS, planFaults, SHARED_FAULTS } from './plan-faults.ts';
import { openPremises, type Premises, type Setting } from './premises.ts';
import { createRandom } from './random.ts';
import { openReceiver } from './receiver.ts';
import { UPSTREAM_ENGINES } from './upstream-engines.ts';

export interface ChaosOptions {
  readonly setting: Setting;
  readonly seed: number;
  /** How long faults are made; what follows, until every task has ended, comes on top. */
  readonly seconds: number;
  /** After which a task fails whose result never comes. */
  readonly hardDeadlineMs?: number;
  /** Told of each fault as it is made. */
  readonly onFault?: (what: string) => void;
  readonly signal?: AbortSignal;
}

/** What a run has survived: how often it was what, by name. */
export interface ChaosReport {
  readonly faults: ReadonlyMap<string, number>;
  readonly upstream: ReadonlyMap<string, number>;
  readonly customers: ReadonlyMap<string, number>;
  readonly ends: ReadonlyMap<string, number>;
}

const CUSTOMERS = 6;
const FAULT_EVERY_MS = 1_500;
const LEASE = { ms: 2_500, renewEveryMs: 800 };
/** Longer than an attempt may take. */
const DELIVERY_LEASE_MS = 11_000;
const DELIVERY_PAUSES_MS = [300, 600, 1_000, ...Array.from({ length: 30 }, () => 2_000)];
const HARD_DEADLINE_MS = 12_000;
/** In peace everything has ended so long after the last deadline; the machine of a test has other things to do. */
const SETTLES_WITHIN_MS = 120_000;

/**
 * Runs the service through a hard time and checks every promise afterwards. Whatever it started is ended and removed,
 * also when it fails.
 * @throws BrokenPromise the first one.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const closers: (() => unknown)[] = [];
  try {
    return await run(options, closers);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function run(
  { setting, seed, seconds, hardDeadlineMs = HARD_DEADLINE_MS, onFault = () => {}, signal }: ChaosOptions,
  closers: (() => unknown)[],
): Promise<ChaosReport> {
  const upstream = await openFakeUpstream(seed);
  closers.push(() => upstream.close());
  const premises = await openPremises({
    setting,
    upstream: upstream.origin,
    hardDeadlineMs,
    tempo: { lease: LEASE, deliveryLeaseMs: DELIVERY_LEASE_MS, deliveryPausesMs: DELIVERY_PAUSES_MS },
  });
  closers.push(() => premises.close());
  const { fleet } = premises;
  const receiver = await openReceiver(() => premises.webhookSecrets);
  closers.push(() => receiver.close());
  await Promise.all(fleet.members.map((member) => member.start()));

  const customers = startCustomers({
    seed,
    count: CUSTOMERS,
    urls: fleet.members.flatMap(({ url }) => (url === null ? [] : [url])),
    keys: premises.keys.map(({ secret }) => secret),
    models: UPSTREAM_ENGINES,
    webhookUrl: receiver.url,
  });
  closers.push(() => customers.abandon());
  const faults = new Map<string, number>();
  const totalMs = seconds * 1_000;
  const plan = planFaults(createRandom(seed, 'faults'), setting === 'shared' ? SHARED_FAULTS : EMBEDDED_FAULTS, {
    totalMs,
    leaseMs: LEASE.ms,
    everyMs: FAULT_EVERY_MS,
  });
  const begun = performance.now();
  const elapsed = () => performance.now() - begun;
  const underWay: Promise<void>[] = [];
  for (const fault of plan) {
    await sleep(Math.max(0, fault.atMs - elapsed()), undefined, { signal });
    throwFirst([...fleet.faults, ...upstream.faults, ...customers.faults, ...receiver.faults], fleet);
    const deed = doFault(fault, premises, receiver, (what) => {
      faults.set(what, (faults.get(what) ?? 0) + 1);
      onFault(`${(elapsed() / 1000).toFixed(1)} s: ${what}`);
    });
    // Awaited below; a fault of it until then is not unhandled.
    deed.catch(() => {});
    underWay.push(deed);
  }
  await sleep(Math.max(0, totalMs - elapsed()), undefined, { signal });
  await Promise.all(underWay);
  await untilOneSucceeded(premises, signal);
  customers.stopOrdering();
  onFault(`${(elapsed() / 1000).toFixed(1)} s: peace`);
  const witnesses = { customers, upstream, receiver };
  const tasks = await check(premises, witnesses, hardDeadlineMs + SETTLES_WITHIN_MS, signal);
  return {
    faults,
    upstream: upstream.deeds,
    customers: customers.deeds,
    ends: countBy(tasks, endOf),
  };
}

/** On a slow machine nothing may have been finished through all that: orders go on in peace until something is. */
async function untilOneSucceeded(premises: Premises, signal: AbortSignal | undefined): Promise<void> {
  const database = await premises.openDatabase();
  try {
    while (!(await readTasks(database)).some(({ status }) => status === 'succeeded'))
      await sleep(250, undefined, { signal });
  } finally {
    await database.close();
  }
}

/** Waits until everything has ended, stops the service, and looks at what is left. */
async function check(
  premises: Premises,
  witnesses: Witnesses,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<TaskRow[]> {
  const { fleet } = premises;
  const { customers, receiver, upstream } = witnesses;
  const database = await premises.openDatabase();
  try {
    await untilSettled(database, customers, fleet, { withinMs, signal });
    const problems = () => [...fleet.faults, ...upstream.faults, ...customers.faults, ...receiver.faults];
    throwFirst(problems(), fleet);
    const tasks = await readTasks(database);
    checkTasks(tasks, witnesses);
    await checkMoney(database, tasks, premises.accounts);
    await checkReconciliation(database, tasks);
    checkWebhooks(tasks, witnesses);
    await checkAccounts(database, fleet.members[0]?.url ?? '', premises.keys);
    await Promise.all(fleet.members.map((member) => member.shutDown()));
    throwFirst(problems(), fleet);
    const storage = await premises.openStorage();
    try {
      await checkFiles(database, storage, tasks);
    } finally {
      await storage.close();
    }
    return tasks;
  } finally {
    await database.close();
  }
}

async function untilSettled(
  database: Database,
  customers: Customers,
  fleet: Fleet,
  { withinMs, signal }: { readonly withinMs: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const until = performance.now() + withinMs;
  let customersDone = false;
  void customers.done.then(() => {
    customersDone = true;
  });
  for (;;) {
    const tasks = await readTasks(database);
    const open = tasks
      .filter((task) => !isFinal(task.status))
      .map(({ id, step, model_id }) => `${id} ${model_id} ${step}`);
    const { read } = database;
    const untold = await read.all(
      read.builder
        .selectFrom('webhook_deliveries')
        .leftJoin('work', (join) => join.on('kind', '=', 'webhook').onRef('subject', '=', 'webhook_deliveries.id'))
        .select(['task_id', 'attempts'])
        .where('status', '!=', 'delivered'),
    );
    if (customersDone && open.length === 0 && untold.length === 0) return;
    throwFirst(customers.faults, fleet);
    if (performance.now() > until) {
      const told = untold.map(({ task_id, attempts }) => `${task_id} after ${attempts} attempts`);
      const list = (items: Iterable<string>) => [...items].join(', ') || 'nothing';
      throw new BrokenPromise(
        `not everything has ended: of tasks ${list(open)}; of webhooks ${list(told)}; waiting are ${list(customers.waiting)}`,
      );
    }
    await sleep(250, undefined, { signal });
  }
}

/** @throws the first fault, with what the service's log says about its request */
function throwFirst([fault]: readonly Error[], fleet: Fleet): void {
  if (fault === undefined) return;
  const requestId = /req_[0-9a-f]+/.exec(fault.message)?.[0];
  const lines = requestId === undefined ? [] : fleet.linesAbout(requestId);
  throw lines.length === 0 ? fault : new BrokenPromise([fault.message, ...lines].join('\n'));
}

function endOf(task: TaskRow): string {
  return task.error_json === null ? task.status : `failed: ${(JSON.parse(task.error_json) as { code: string }).code}`;
}

function countBy<Item>(items: readonly Item[], name: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(name(item), (counts.get(name(item)) ?? 0) + 1);
  return counts;
}
