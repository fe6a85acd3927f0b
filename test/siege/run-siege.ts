import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Deed, Target } from './attack.ts';
import type { AttackWish } from './attacker-process.ts';
import { type Customer, startCustomer } from './customer.ts';
import type { CustomerReport } from './customer-process.ts';
import { call, placeLiveOrders } from './live-orders.ts';
import { longestPauseMs } from './loop-pauses.ts';
import { openPremises, type Premises, type Setting } from './premises.ts';
import { openSlowUpstream, type SlowUpstream } from './slow-upstream.ts';
import { openTricklingServer } from './trickling-server.ts';
import { type Memory, type ProcessWatch, watchProcesses } from './watch-processes.ts';

export interface SiegeOptions {
  readonly setting: Setting;
  readonly attacks: readonly Attack[];
  /** How long each attack goes on, and how long the customer is measured before it. */
  readonly attackMs: number;
  readonly calmMs: number;
  /** How long the upstream takes for an order. */
  readonly upstreamMs: number;
  /** How long the memory may take to fall after an attack. */
  readonly recoversWithinMs: number;
  readonly onResult?: (result: AttackResult) => void;
}

/** The result of one attack. Latencies and pauses in milliseconds, memory in megabytes. */
export interface AttackResult {
  readonly attack: string;
  readonly who: Attack['who'];
  /** In the attacker's words. */
  readonly deed: string;
  readonly before: CustomerReport;
  readonly during: CustomerReport;
  /** The multiple of p99 and pause at rest that the attack is judged by; null = the limits of all attacks. */
  readonly timesAtRest: number | null;
  readonly pauseBeforeMs: number;
  readonly pauseMs: number;
  readonly memoryBefore: Memory;
  readonly memoryPeak: Memory;
  readonly memoryAfter: Memory;
  /** Processor time of the service for a megabyte, beside what the customer takes; 0 if that does not matter. */
  readonly cpuMsPerMb: number;
  /** What became of the live orders that is not as it should be. */
  readonly orderFaults: readonly string[];
  /** Processes of the service that have ended. */
  readonly ended: readonly string[];
}

const ATTACKER = new URL('./attacker-process.ts', import.meta.url);
const MARGIN_MB = 64;
const LOOK_EVERY_MS = 500;

/** Makes every attack, one after the other, on one service that a customer uses meanwhile. */
export async function runSiege(options: SiegeOptions): Promise<readonly AttackResult[]> {
  const closers: (() => unknown)[] = [];
  try {
    const upstream = await openSlowUpstream(options.upstreamMs);
    closers.push(() => upstream.close());
    const trickling = await openTricklingServer();
    closers.push(() => trickling.close());
    const premises = await openPremises(options.setting, upstream.url);
    closers.push(() => premises.close());
    const watch = watchProcesses(premises.processes.map(({ pid }) => pid));
    closers.push(() => watch.close());
    const customer = await startCustomer({
      url: premises.url,
      key: premises.liveKey,
      taskId: await finishedTask(premises),
    });
    closers.push(() => customer.close());
    const target: Target = {
      url: premises.url,
      testKey: premises.testKey,
      upstreamKey: premises.upstreamKey,
      eventsUrl: await endlessTask(premises),
      trickleUrl: trickling.url,
    };
    const results: AttackResult[] = [];
    for (const attack of options.attacks) {
      const result = await makeAttack(attack, target, { premises, upstream, watch, customer }, options);
      options.onResult?.(result);
      results.push(result);
      if (premises.ended.length > 0) break;
    }
    return results;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

interface Scene {
  readonly premises: Premises;
  readonly upstream: SlowUpstream;
  readonly watch: ProcessWatch;
  readonly customer: Customer;
}

async function makeAttack(
  attack: Attack,
  target: Target,
  { premises, upstream, watch, customer }: Scene,
  { attackMs, calmMs, recoversWithinMs }: SiegeOptions,
): Promise<AttackResult> {
  const metrics = premises.processes.map(({ metricsUrl }) => metricsUrl);
  const begin = await prepareAttack({ attack: attack.name, target, ms: attackMs });
  const orders = await placeLiveOrders(premises, upstream);
  await customer.report();
  const calmCpuMs = watch.cpuMs();
  await sleep(calmMs);
  const cpuShare = (watch.cpuMs() - calmCpuMs) / calmMs;
  const before = await customer.report();
  const memoryBefore = watch.now();
  const pauseBeforeMs = await longestPauseMs(metrics);
  watch.peak();
  const cpuBefore = watch.cpuMs();
  const begunAt = performance.now();
  const { did, megabytes } = await begin();
  const cpuMs = watch.cpuMs() - cpuBefore - cpuShare * (performance.now() - begunAt);
  const during = await customer.report();
  const pauseMs = await longestPauseMs(metrics);
  const memoryPeak = watch.peak();
  const orderFaults = await orders.faults();
  const end = performance.now() + recoversWithinMs;
  while (watch.now().service > memoryBefore.service + MARGIN_MB && performance.now() < end) await sleep(LOOK_EVERY_MS);
  return {
    attack: attack.name,
    who: attack.who,
    timesAtRest: attack.timesAtRest ?? null,
    pauseBeforeMs,
    deed: did,
    cpuMsPerMb: megabytes === 0 ? 0 : Math.max(0, cpuMs / megabytes),
    before,
    during,
    pauseMs,
    memoryBefore,
    memoryPeak,
    memoryAfter: watch.now(),
    orderFaults,
    ended: [...premises.ended],
  };
}

/** @returns what begins the attack, and resolves with what it did. */
async function prepareAttack(wish: AttackWish): Promise<() => Promise<Deed>> {
  const attacker = fork(ATTACKER, { execArgv: [] });
  const failed = once(attacker, 'exit').then(([code]): [Deed] => [
    { did: `the attacker ended with ${code}`, megabytes: 0 },
  ]);
  const told = async () => ((await Promise.race([once(attacker, 'message'), failed])) as [Deed | 'prepared'])[0];
  attacker.send(wish);
  const prepared = await told();
  return async () => {
    if (prepared !== 'prepared') return prepared;
    attacker.send('begin');
    const deed = (await told()) as Deed;
    attacker.kill('SIGKILL');
    return deed;
  };
}

async function finishedTask(premises: Premises): Promise<string> {
  const order = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };
  const { status, data } = await call(premises, '/v1/images', order, { prefer: 'wait=60' });
  if (data?.status !== 'succeeded') throw new Error(`the customer's first order was answered ${status}`);
  return data.task_id;
}

/** @returns the signed address of its events. */
async function endlessTask({ url, testKey }: Premises): Promise<string> {
  const order = { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'stuck' } };
  const { status, data } = await call({ url, liveKey: testKey }, '/v1/images', order);
  if (data === null) throw new Error(`the attacker's first order was answered ${status}`);
  return data.urls.events;
}
