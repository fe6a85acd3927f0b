import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, fire, type Shot } from './attacks/flood.ts';

/** A paying customer with a steady load, in a process of its own. Told to begin and to report by `customer.ts`. */
export interface CustomerWish {
  readonly url: string;
  readonly key: string;
  /** A finished task of the customer. */
  readonly taskId: string;
}

/** Latencies in milliseconds, from the moment at which a request was due to the last byte of its answer. */
export interface CustomerReport {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  /** How often which answer came that is no success. */
  readonly failures: Readonly<Record<string, number>>;
}

const REQUEST_EVERY_MS = 25;
const AGENT = new Agent({ keepAlive: true, maxSockets: 32 });

process.once('disconnect', () => process.exit(1));
process.once('message', (wish: CustomerWish) => void begin(wish));

async function begin({ url, key, taskId }: CustomerWish): Promise<void> {
  const load: readonly Shot[] = [
    { path: `/v1/images/${taskId}` },
    { path: '/v1/images?limit=20' },
    { path: '/v1/prices', body: JSON.stringify({ model_id: 'flux-2-pro', prompt: 'a fox' }) },
    { path: '/v1/account' },
  ];
  let round = newRound();
  const { signal } = new AbortController();

  async function ask(shot: Shot, { latencies, failures }: Round): Promise<void> {
    const due = performance.now();
    const answer = await fire(url, AGENT, { ...shot, headers: bearer(key) }, signal);
    latencies.push(performance.now() - due);
    if (!answer.startsWith('2')) failures[answer] = (failures[answer] ?? 0) + 1;
  }

  process.on('message', async (word) => {
    if (word !== 'report') return;
    const { latencies, failures, pending } = round;
    round = newRound();
    // What is not answered yet counts as well, with the time that it takes in the end.
    await Promise.all(pending);
    latencies.sort((one, other) => one - other);
    const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
    process.send?.({ requests: latencies.length, p50: at(0.5), p99: at(0.99), failures } satisfies CustomerReport);
  });
  process.send?.('begun');
  for (let turn = 0; ; turn++) {
    const shot = load[turn % load.length];
    if (shot !== undefined) round.pending.push(ask(shot, round));
    await sleep(REQUEST_EVERY_MS);
  }
}

/** What was asked since the last report. */
interface Round {
  readonly latencies: number[];
  readonly failures: Record<string, number>;
  readonly pending: Promise<void>[];
}

function newRound(): Round {
  return { latencies: [], failures: {}, pending: [] };
}
