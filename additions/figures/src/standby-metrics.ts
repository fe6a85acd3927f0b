import { sleep } from '@darkroom-service/contract';
import type { Checks } from '@darkroom-service/darkroom/kernel';
import { Gauge, type Registry } from 'prom-client';

/** Timeout of a scrape's database read, in milliseconds. */
const PATIENCE_MS = 1_000;

type Standby = Awaited<ReturnType<Checks['standbys']>>[number];

/**
 * Registers the lag of the standbys, and which of them are synchronous. A scrape that the database does not answer
 * keeps the last values.
 */
export function registerStandbyMetrics(registry: Registry, checks: Pick<Checks, 'standbys'>): void {
  let reading: Promise<readonly Standby[] | null> | null = null;
  const read = async () => {
    try {
      return await checks.standbys();
    } catch {
      return null;
    }
  };
  const readShared = () => {
    reading ??= Promise.race([read(), sleep(PATIENCE_MS, { ref: false })]).finally(() => {
      reading = null;
    });
    return reading;
  };
  const register = (name: string, help: string, measure: (standby: Standby) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['standby'],
      registers: [registry],
      async collect() {
        const standbys = await readShared();
        if (standbys === null) return;
        this.reset();
        for (const standby of standbys) this.set({ standby: standby.name }, measure(standby));
      },
    });
  register(
    'darkroom_standby_behind_bytes',
    'What a standby of the PostgreSQL server has not replayed yet, by its application_name.',
    ({ bytes }) => bytes,
  );
  register(
    'darkroom_standby_synchronous',
    '1 = a commit waits for this standby of the PostgreSQL server or for another one in its place; 0 = it does not.',
    (standby) => Number(standby.is_synchronous),
  );
}
