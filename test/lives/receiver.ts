import { Readable } from 'node:stream';
import { sleep } from '@darkroom-service/contract';
import { FetchFault, type TrustedFetch } from '@darkroom-service/media';
import { never, type ProcessFaults } from './faulty-database.ts';
import type { Seeded } from './seeded.ts';
import type { SimulatedWorld } from './simulation.ts';

/** An event that the receiver of webhooks was told. */
export interface ToldEvent {
  readonly type: string;
  /** Of a task or a batch. */
  readonly taskId: string;
  readonly status: string;
  readonly atMs: number;
}

/** A customer's receiver of webhooks, which has its own record of what it was told. */
export interface Receiver {
  readonly told: readonly ToldEvent[];
  /** @returns what makes it forget all that it is told from now on */
  readonly remember: () => () => void;
  readonly openFetch: (world: SimulatedWorld, faults: ProcessFaults) => TrustedFetch;
}

export const RECEIVER_URL = 'https://93.184.216.34/hook';

export function createReceiver(parts: {
  readonly seeded: Seeded;
  readonly elapsedMs: () => number;
  readonly tell: (who: string, what: string) => void;
}): Receiver {
  const { seeded, elapsedMs, tell } = parts;
  const told: ToldEvent[] = [];
  const answer = (url: string, status: number) => ({ status, headers: {}, body: Readable.from([]), url });

  const openFetch =
    (world: SimulatedWorld, faults: ProcessFaults): TrustedFetch =>
    async (url, { body, signal }) => {
      await sleep(seeded.between(1, 300), { signal });
      if (world.isDead) return await never();
      if (faults.happens('receiverFaults', 'a request'))
        throw new FetchFault('connect', 'nobody listens', { sent: 'no' });
      if (faults.happens('receiverFaults', 'a refusal')) return answer(url, seeded.pick([301, 503]));
      const event = JSON.parse(String(body)) as { type: string; data: Record<string, string> };
      const { task_id, batch_id, status = '' } = event.data;
      const taskId = task_id ?? batch_id ?? '';
      told.push({ type: event.type, taskId, status, atMs: elapsedMs() });
      tell('receiver', `is told ${event.type} of ${taskId}`);
      faults.at('after a webhook was sent');
      await sleep(seeded.between(1, 300), { signal });
      if (world.isDead) return await never();
      if (faults.happens('receiverFaults', 'an answer'))
        throw new FetchFault('protocol', 'the answer was lost', { sent: 'unknown' });
      return answer(url, 200);
    };
  const remember = () => {
    const { length } = told;
    return () => {
      told.length = length;
    };
  };
  return { told, remember, openFetch };
}
