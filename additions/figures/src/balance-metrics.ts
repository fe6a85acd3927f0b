import { readBalances } from '@darkroom-service/addition-common/upstream-balances';
import { sleep } from '@darkroom-service/contract';
import type { Store } from '@darkroom-service/darkroom/kernel';
import { Gauge, type Registry } from 'prom-client';

/** Timeout of a scrape's database read, in milliseconds. */
const PATIENCE_MS = 1_000;

/** Registers the balances at upstreams. A scrape that the database does not answer keeps the last values. */
export function registerBalanceMetrics(registry: Registry, store: Pick<Store, 'read'>): void {
  new Gauge({
    name: 'darkroom_upstream_balance',
    help: "What is left in the operator's account at an upstream, in the unit of the upstream, as last told.",
    labelNames: ['engine', 'unit'],
    registers: [registry],
    async collect() {
      const read = readBalances(store.read).catch(() => null);
      const balances = await Promise.race([read, sleep(PATIENCE_MS, { ref: false })]);
      if (balances === null) return;
      this.reset();
      for (const [engine, { amount, unit }] of balances)
        if (amount !== null && unit !== null) this.set({ engine, unit }, Number(amount));
    },
  });
}
