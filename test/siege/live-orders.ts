import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Premises } from './premises.ts';
import type { SlowUpstream } from './slow-upstream.ts';

/** Paid orders that are under way at the upstream while the service is attacked. */
export interface LiveOrders {
  /**
   * Waits for their ends.
   * @returns what is wrong with each; nothing where all succeeded, were made once and charged once.
   */
  faults(): Promise<readonly string[]>;
}

const ORDERS = 3;
const ENDS_WITHIN_MS = 180_000;

export async function placeLiveOrders(premises: Premises, upstream: SlowUpstream): Promise<LiveOrders> {
  const placed = await Promise.all(
    Array.from({ length: ORDERS }, async () => {
      const prompt = `a fox ${randomUUID()}`;
      const { status, data } = await call(premises, '/v1/images', { model_id: 'gpt-image-2', prompt });
      if (status !== 201 || data === null) throw new Error(`a live order was answered ${status}`);
      return { id: data.task_id, prompt };
    }),
  );
  return {
    async faults() {
      const end = performance.now() + ENDS_WITHIN_MS;
      const faults: string[] = [];
      for (const { id, prompt } of placed) {
        const fault = await faultOf(premises, upstream, id, prompt, end);
        if (fault !== null) faults.push(`${id} ${fault}`);
      }
      return faults;
    },
  };
}

async function faultOf(
  premises: Premises,
  upstream: SlowUpstream,
  id: string,
  prompt: string,
  end: number,
): Promise<string | null> {
  for (;;) {
    const { status, data } = await call(premises, `/v1/images/${id}`);
    if (data !== null && ['succeeded', 'failed', 'canceled'].includes(data.status)) {
      if (data.status !== 'succeeded') return `${data.status}: ${data.error?.code}`;
      if (data.cost.state !== 'charged') return `is ${data.cost.state}`;
      const entries = await premises.database.read.all(
        premises.database.read.builder.selectFrom('ledger').select('kind').where('task_id', '=', id),
      );
      const charges = entries.filter(({ kind }) => kind === 'charge').length;
      if (charges !== 1) return `was charged ${charges} times`;
      const made = upstream.taken.get(prompt) ?? 0;
      return made === 1 ? null : `was made ${made} times`;
    }
    if (performance.now() > end) return `has not ended (${status} ${data?.status ?? ''})`;
    await sleep(200);
  }
}

interface TaskAnswer {
  readonly task_id: string;
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly cost: { readonly state: string };
  readonly urls: { readonly events: string };
}

/** Asks with the customer's key. `data` is null where the answer is no success. */
export async function call(
  { url, liveKey }: Pick<Premises, 'url' | 'liveKey'>,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly data: TaskAnswer | null }> {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${liveKey}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null);
  if (response === null) return { status: 0, data: null };
  const answer = (await response.json().catch(() => ({}))) as { data?: TaskAnswer };
  return { status: response.status, data: response.ok ? (answer.data ?? null) : null };
}
