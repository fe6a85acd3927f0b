import { setTimeout as sleep } from 'node:timers/promises';
import { placeOrder, readCounts, statusOf } from './client.ts';
import type { Installation, World } from './peer.ts';

/** Outcomes of the orders of a service that was killed again and again. */
export interface AfterKills {
  readonly accepted: number;
  /** Accepted, and without any end minutes after the last kill. */
  readonly lost: number;
  /** Billed more than once. */
  readonly doubled: number;
  /** Ended without a result: billed perhaps, but not charged. */
  readonly failed: number;
}

const CLIENTS = 4;
const PAUSE_MS = 100;
/** A process lives so long between two kills. */
const LEAST_MS = 300;
const MOST_MS = 2_500;
const GIVES_UP_AFTER_MS = 240_000;
/** What only looks like an end, such as a stalled job that is run again, shows within this time. */
const SETTLES_WITHIN_MS = 5_000;
const ENDS = ['succeeded', 'failed'];

/** Keeps customers ordering and kills the service at random moments. */
export async function measureKills(
  { orders, start }: Installation,
  { upstream }: World,
  kills: number,
): Promise<AfterKills> {
  let running = await start(true);
  let isOver = false;
  const accepted = new Map<string, string>();
  const client = async (_: unknown, own: number) => {
    for (let place = 0; !isOver; place++) {
      const prompt = `order ${place} of customer ${own}`;
      accepted.set(prompt, await placeOrder(orders, () => running.url, prompt));
      await sleep(PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  for (let kill = 1; kill <= kills; kill++) {
    await sleep(LEAST_MS + Math.random() * (MOST_MS - LEAST_MS));
    await running.end('SIGKILL');
    running = await start(true);
  }
  isOver = true;
  await Promise.all(clients);
  const open = new Map(accepted);
  const ends = new Map<string, number>();
  for (const giveUpAt = Date.now() + GIVES_UP_AFTER_MS; open.size > 0 && Date.now() < giveUpAt; await sleep(500)) {
    for (const [prompt, id] of open) {
      const status = await statusOf(orders, running.url, id);
      if (status === null || !ENDS.includes(status)) continue;
      open.delete(prompt);
      ends.set(status, (ends.get(status) ?? 0) + 1);
    }
  }
  await sleep(SETTLES_WITHIN_MS);
  const { billed } = await readCounts(upstream);
  await running.end('SIGTERM');
  return {
    accepted: accepted.size,
    lost: open.size,
    doubled: [...accepted.keys()].filter((prompt) => (billed[prompt] ?? 0) > 1).length,
    failed: ends.get('failed') ?? 0,
  };
}
