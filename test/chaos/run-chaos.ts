import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskRow } from '../../src/record/task.ts';
import { startCustomers } from './customers.ts';
import { doFault } from './do-fault.ts';
import { checkEnd, throwFirst, untilOneSucceeded } from './end-run.ts';
import { openFakeUpstream } from './fake-upstream.ts';
import { type InstallationsOptions, openInstallations } from './installations.ts';
import { FAULTS, type Fault, planFailover, planFaults } from './plan-faults.ts';
import type { Premises } from './premises.ts';
import { createRandom } from './random.ts';
import { openReceiver } from './receiver.ts';
import { UPSTREAM_ENGINES } from './upstream-engines.ts';

export interface ChaosOptions {
  readonly setting: InstallationsOptions['setting'];
  readonly seed: number;
  /** How long faults are made; what follows, until every task has ended, comes on top. */
  readonly seconds: number;
  /** After which a task fails whose result never comes. */
  readonly hardDeadlineMs?: number;
  /** Told of each fault as it is made. */
  readonly onFault?: (what: string) => void;
  readonly signal?: AbortSignal;
}

/** The faults and outcomes that a run has survived, with their counts by name. */
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
  const installations = await openInstallations({
    setting,
    seed,
    upstream: upstream.origin,
    hardDeadlineMs,
    tempo: { lease: LEASE, deliveryLeaseMs: DELIVERY_LEASE_MS, deliveryPausesMs: DELIVERY_PAUSES_MS },
  });
  closers.push(() => installations.close());
  const { all, urls, passing } = installations;
  const receiver = await openReceiver(() => all.flatMap(({ webhookSecrets }) => webhookSecrets));
  closers.push(() => receiver.close());
  await Promise.all(all.flatMap(({ fleet }) => fleet.members.map((member) => member.start())));

  const customers = startCustomers({
    seed,
    count: CUSTOMERS,
    urls,
    keys: all.flatMap(({ keys }) => keys.map(({ secret }) => secret)),
    models: UPSTREAM_ENGINES,
    webhookUrl: receiver.url,
    passing,
  });
  closers.push(() => customers.abandon());
  const witnesses = { customers, upstream, receiver };
  const faults = new Map<string, number>();
  const totalMs = seconds * 1_000;
  const plan = planRun(all, { setting, seed, totalMs });
  const begun = performance.now();
  const elapsed = () => performance.now() - begun;
  const underWay: Promise<void>[] = [];
  for (const { fault, premises } of plan) {
    await sleep(Math.max(0, fault.atMs - elapsed()), undefined, { signal });
    throwFirst(all, witnesses);
    const tell = (what: string) => {
      faults.set(what, (faults.get(what) ?? 0) + 1);
      onFault(`${(elapsed() / 1000).toFixed(1)} s: ${what}`);
    };
    const deed = doFault(fault, { premises, receiver, tell });
    // Awaited below; a fault of it until then is not unhandled.
    deed.catch(() => {});
    underWay.push(deed);
  }
  await sleep(Math.max(0, totalMs - elapsed()), undefined, { signal });
  await Promise.all(underWay);
  await untilOneSucceeded(all, signal);
  customers.stopOrdering();
  onFault(`${(elapsed() / 1000).toFixed(1)} s: peace`);
  const tasks = await checkEnd(all, witnesses, { withinMs: hardDeadlineMs + SETTLES_WITHIN_MS, signal });
  return {
    faults,
    upstream: upstream.deeds,
    customers: customers.deeds,
    ends: countBy(tasks, endOf),
  };
}

function planRun(
  all: readonly Premises[],
  { setting, seed, totalMs }: Pick<ChaosOptions, 'setting' | 'seed'> & { readonly totalMs: number },
): { readonly fault: Fault; readonly premises: Premises }[] {
  const plan = all.flatMap((premises) => {
    const random = createRandom(seed, ['faults', premises.cell ?? []].flat().join(' of '));
    const times = { totalMs, leaseMs: LEASE.ms, everyMs: FAULT_EVERY_MS * all.length };
    return planFaults(random, FAULTS[setting], times).map((fault) => ({ fault, premises }));
  });
  if (setting === 'cells') {
    const fault = planFailover(createRandom(seed, 'cells'), totalMs);
    for (const premises of all) plan.push({ fault, premises });
  }
  return plan.sort((one, other) => one.fault.atMs - other.fault.atMs);
}

function endOf(task: TaskRow): string {
  return task.error_json === null ? task.status : `failed: ${(JSON.parse(task.error_json) as { code: string }).code}`;
}

function countBy<Item>(items: readonly Item[], name: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(name(item), (counts.get(name(item)) ?? 0) + 1);
  return counts;
}
