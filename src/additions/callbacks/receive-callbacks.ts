import { world } from '@darkroom-service/contract';
import type { Callback } from '@darkroom-service/engines';
import { Counter } from 'prom-client';
import type { Kernel } from '../../kernel.ts';
import type { CallbackClaim, CallbackTokens } from './callback-tokens.ts';
import { wakeCheck } from './wake-check.ts';

/** Receives the calls of upstreams. A call is a hint: it makes a worker check the order, and the check decides. */
export interface CallbackReceiver {
  readonly verify: CallbackTokens['verify'];
  /** Whether so many calls are being judged that further ones should be refused. */
  readonly isFull: boolean;
  /** Judges a call with a valid token, after it was answered. Never throws. */
  receive(claim: CallbackClaim, callback: Callback): void;
  /** Waits for the calls that are being judged. */
  settled(): Promise<void>;
}

/** Maximum number of calls being judged: each may hold a megabyte, and may wait for the upstream's keys. */
const JUDGED_AT_ONCE = 64;
const JUDGED_WITHIN_MS = 10_000;

/** Creates the receiver of upstreams' callbacks, and counts them. */
export function createCallbackReceiver(
  tokens: Pick<CallbackTokens, 'verify'>,
  kernel: Pick<Kernel, 'engines' | 'figures' | 'log' | 'store' | 'work'>,
): CallbackReceiver {
  const { engines, figures, log } = kernel;
  const counted = new Counter({
    name: 'darkroom_upstream_callbacks_total',
    help: 'Calls of upstreams about orders that reached this process, by engine and news: ended, running, or forged (a wrong signature).',
    labelNames: ['engine', 'news'] as const,
    registers: [figures],
  });
  const judging = new Set<Promise<void>>();

  async function judge(claim: CallbackClaim, callback: Callback): Promise<void> {
    const fields = { engine: claim.engine, task_id: claim.taskId };
    try {
      const context = { signal: world.timeout(JUDGED_WITHIN_MS), onProgress: () => {} };
      const engine = engines.get(claim.engine);
      if (engine?.readCallback === undefined) return;
      const news = await engine.readCallback(callback, context);
      counted.inc({ engine: engines.figureName(claim.engine), news });
      if (news === 'forged') log.warn(fields, 'callback has no valid signature; ignoring it');
      if (news === 'ended') await wakeCheck(kernel, claim);
    } catch (error) {
      log.warn({ err: error, ...fields }, 'could not pass on a callback; the next check finds the result');
    }
  }

  return {
    verify: tokens.verify,
    get isFull() {
      return judging.size >= JUDGED_AT_ONCE;
    },
    receive(claim, callback) {
      const judged = judge(claim, callback).finally(() => judging.delete(judged));
      judging.add(judged);
    },
    async settled() {
      await Promise.all(judging);
    },
  };
}
