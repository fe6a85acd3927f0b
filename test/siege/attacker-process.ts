import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deed, Target } from './attack.ts';
import { attackNamed } from './attacks.ts';

/**
 * Makes one attack in a process of its own, so that what measures the customer shares no event loop with it. Told by
 * `run-siege.ts` what to prepare, and then when to begin.
 */
export interface AttackWish {
  readonly attack: string;
  readonly target: Target;
  readonly ms: number;
}

const ENDS_WITHIN_MS = 5_000;

process.once('disconnect', () => process.exit(1));
process.once('message', (wish: AttackWish) => void attack(wish));

async function attack({ attack: name, target, ms }: AttackWish): Promise<void> {
  const { prepare, run } = attackNamed(name);
  const prepared = (await prepare?.()) ?? Buffer.alloc(0);
  process.send?.('prepared');
  await once(process, 'message');
  const signal = AbortSignal.timeout(ms);
  const late = sleep(ms + ENDS_WITHIN_MS, 'it did not end in time');
  const done = await Promise.race([run(target, signal, prepared), late]);
  const deed: Deed = typeof done === 'string' ? { did: done, megabytes: 0 } : done;
  process.send?.(deed, () => process.exit(0));
}
