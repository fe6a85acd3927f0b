import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMegabytes, readProcessorMs } from '../peers/process-figures.ts';
import { median } from '../table.ts';
import type { RunningGateway } from './gateway.ts';
import { sendRace } from './load.ts';
import type { RaceAnswer, RaceOrder } from './load-process.ts';

export interface Contender {
  readonly name: string;
  readonly running: RunningGateway;
}

export interface Race extends Pick<RaceOrder, 'connections' | 'seconds' | 'leastBytes'> {
  readonly rounds: number;
  /** A client leaves each gateway without its answer before each round. */
  readonly afterLeaving: boolean;
  readonly bodyFor: (model: string) => string;
}

/** How a contender did. One without a process of its own uses no processor and no memory. */
export interface Result {
  readonly name: string;
  /** Pictures a second of each round. */
  readonly rates: readonly number[];
  readonly p50: number;
  readonly p99: number;
  /**
   * Processor time for one picture in all processes of the gateway, with the work that is left when the last answer has
   * come.
   */
  readonly processorMs: number;
  /** How long that work lasts. */
  readonly busyAfterSeconds: number;
  readonly restingMegabytes: number;
  readonly mostMegabytes: number;
  /** The highest 99th percentile of a round; 0 if it is not told. */
  readonly loopDelayMs: number;
}

interface Round extends RaceAnswer {
  readonly processorMs: number;
  readonly busyAfterSeconds: number;
  readonly megabytes: number;
  readonly loopDelayMs: number;
}

/** What runs for days in operation is compiled and cached before the first round that counts. */
const WARM_UP_SECONDS = 5;
const REST_MS = 3_000;
const LOOK_EVERY_MS = 500;
/** A gateway rests when it uses less of a core than this between two looks. */
const RESTS_BELOW = 0.05;
const RESTS_WITHIN_MS = 120_000;

/** Lets the contenders run one after the other, round after round, while all of them are started. */
export async function runRace(contenders: readonly Contender[], race: Race): Promise<Result[]> {
  await sleep(REST_MS);
  const entries: { name: string; running: RunningGateway; resting: number; rounds: Round[] }[] = [];
  for (const { name, running } of contenders)
    entries.push({ name, running, resting: await readMegabytes(running.pids), rounds: [] });
  for (let round = -1; round < race.rounds; round++) {
    for (const { name, running, rounds } of entries) {
      console.error(`${name}: ${round < 0 ? 'warming up' : `round ${round + 1}`}`);
      const measured = await measureRound(running, round < 0 ? { ...race, seconds: WARM_UP_SECONDS } : race);
      if (round >= 0) rounds.push(measured);
    }
  }
  return entries.map(({ name, resting, rounds }) => {
    const middle = (figure: (round: Round) => number) => median(rounds.map(figure));
    return {
      name,
      rates: rounds.map(({ answered, seconds }) => answered / seconds),
      p50: middle(({ p50 }) => p50),
      p99: middle(({ p99 }) => p99),
      processorMs: middle(({ processorMs, answered }) => processorMs / answered),
      busyAfterSeconds: middle(({ busyAfterSeconds }) => busyAfterSeconds),
      restingMegabytes: resting,
      mostMegabytes: Math.max(...rounds.map(({ megabytes }) => megabytes)),
      loopDelayMs: Math.max(...rounds.map(({ loopDelayMs }) => loopDelayMs)),
    };
  });
}

/** Sends a request and closes its connection at once. */
async function leave({ url, headers }: RunningGateway, body: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sent = request(url, { method: 'POST', headers });
  sent.on('error', () => {}).once('close', resolve);
  sent.end(body, () => sent.destroy());
  await promise;
}

async function measureRound(running: RunningGateway, race: Race): Promise<Round> {
  const { pids, url, headers, model } = running;
  const { connections, seconds, leastBytes, bodyFor } = race;
  if (race.afterLeaving) await leave(running, bodyFor(model));
  const before = await readProcessorMs(pids);
  const memory = watchMemory(pids);
  await running.loopDelayMs?.();
  const answer = await sendRace({ url, headers, body: bodyFor(model), connections, seconds, leastBytes });
  const loopDelayMs = (await running.loopDelayMs?.()) ?? 0;
  const megabytes = await memory.stop();
  const busyAfterSeconds = await untilRest(pids);
  return { ...answer, megabytes, loopDelayMs, busyAfterSeconds, processorMs: (await readProcessorMs(pids)) - before };
}

function watchMemory(pids: readonly number[]): { readonly stop: () => Promise<number> } {
  const watching = new AbortController();
  const most = (async () => {
    let found = 0;
    do found = Math.max(found, await readMegabytes(pids));
    while (await sleep(LOOK_EVERY_MS, true, { signal: watching.signal }).catch(() => false));
    return found;
  })();
  return {
    stop() {
      watching.abort();
      return most;
    },
  };
}

/** Waits until no work is left. @returns how long there was some, in seconds */
async function untilRest(pids: readonly number[]): Promise<number> {
  const begin = performance.now();
  for (let last = await readProcessorMs(pids), busyUntil = begin; ; ) {
    await sleep(LOOK_EVERY_MS);
    const now = await readProcessorMs(pids);
    if (now - last < RESTS_BELOW * LOOK_EVERY_MS) return (busyUntil - begin) / 1000;
    busyUntil = performance.now();
    if (busyUntil - begin > RESTS_WITHIN_MS) throw new Error(`busy for ${RESTS_WITHIN_MS} ms after the last answer`);
    last = now;
  }
}
