import { cutText, world } from '@darkroom-service/contract';
import type { Kernel } from '@darkroom-service/darkroom/kernel';

/** An upstream that reports the balance of the operator's account. */
export interface BalanceSource {
  readonly engine: string;
  /** @returns a decimal number, and its unit */
  ask(signal: AbortSignal): Promise<{ readonly amount: string; readonly unit: string }>;
}

const PATIENCE_MS = 20_000;
const MOST_WORDS = 300;

/** Asks each upstream once and stores its balance. If it reports none, the earlier balance stays. */
export async function fetchBalances(
  { clock, log, store }: Pick<Kernel, 'clock' | 'log' | 'store'>,
  askers: readonly BalanceSource[],
): Promise<void> {
  await Promise.all(askers.map(askOne));

  async function askOne({ engine, ask }: BalanceSource): Promise<void> {
    try {
      const { amount, unit } = await ask(world.timeout(PATIENCE_MS));
      await record(engine, { amount, unit, told_at: clock.now(), error: null });
    } catch (error) {
      const reason = cutText((error as Error).message, MOST_WORDS);
      log.warn({ engine, reason }, 'could not read the balance at an upstream');
      await record(engine, { error: reason });
    }
  }

  async function record(
    engine: string,
    told:
      | { readonly error: string }
      | { readonly amount: string; readonly unit: string; readonly told_at: number; readonly error: null },
  ): Promise<void> {
    const changed = { ...told, asked_at: clock.now() };
    const row = { engine, worker: '', ...changed };
    await store.write('upstream_balance', (trx) =>
      trx.run(
        trx.builder
          .insertInto('instances')
          .values(row)
          .onConflict((conflict) => conflict.columns(['engine', 'worker']).doUpdateSet(changed)),
      ),
    );
  }
}
