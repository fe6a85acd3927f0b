import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderFormat } from './peer.ts';

/** The bills of the upstream and the last statuses told to the customer, by prompt. */
export interface Counts {
  readonly billed: Readonly<Record<string, number>>;
  readonly told: Readonly<Record<string, string>>;
}

const AGAIN_AFTER_MS = 50;

/**
 * Places an order as a careful customer does: with an idempotency key, again and again until it is accepted.
 * @param url where the service answers now
 */
export async function placeOrder(orders: OrderFormat, url: () => string, prompt: string): Promise<string> {
  const headers = { ...orders.headers, 'idempotency-key': randomUUID() };
  const body = JSON.stringify(orders.body(prompt));
  for (;;) {
    const answer = await fetch(url() + orders.path, { method: 'POST', headers, body }).catch(() => null);
    const accepted = answer?.ok === true ? await answer.json().catch(() => null) : null;
    if (accepted !== null) return orders.idOf(accepted);
    await answer?.arrayBuffer().catch(() => null);
    await sleep(AGAIN_AFTER_MS);
  }
}

/** Returns null while nothing answers. */
export async function statusOf(orders: OrderFormat, url: string, id: string): Promise<string | null> {
  const answer = await fetch(url + orders.pathOf(id), { headers: orders.headers }).catch(() => null);
  return answer?.ok === true ? orders.statusOf(await answer.json()) : null;
}

export async function readCounts(upstream: string): Promise<Counts> {
  return (await (await fetch(`${upstream}/counts`)).json()) as Counts;
}
