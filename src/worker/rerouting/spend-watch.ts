import { formatMicros, windowEnd } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import { type Rounds, startRounds } from '../../base/rounds.ts';
import { spendLimitReason } from '../../routing/valve.ts';
import type { WorkerServices } from '../worker-services.ts';
import { type InstanceSpend, InstanceSpends } from './instance-spend.ts';

type Watched = Pick<WorkerServices, 'valves' | 'engines' | 'processState'> & {
  readonly services: Pick<WorkerServices['services'], 'clock' | 'database' | 'log'>;
};

const LOOK_EVERY_MS = 2_000;
const PERIODS = ['month', 'day'] as const;

/**
 * Stops orders to instances that have reached the operator's spend limit, and resumes them afterwards.
 * @param wake called when orders may be claimed again
 */
export function startSpendWatch({ valves, engines, processState, services }: Watched, wake: () => void): Rounds {
  const { clock, database, log } = services;
  const all = [...engines.values()];
  const limited = all.filter(({ instance }) => PERIODS.some((period) => instance?.spendLimits[period] != null));
  const names = new Set(limited.map(({ name }) => name));
  const spend = new InstanceSpends(limited.map(({ name }) => name));
  return startRounds({
    everyMs: limited.length === 0 ? null : LOOK_EVERY_MS,
    round: checkAll,
    onError: (error) => log.error({ err: error }, 'could not sum the spending of instances; retrying'),
  });

  async function checkAll(): Promise<void> {
    const now = clock.now();
    const spent: ReadonlyMap<string, InstanceSpend> =
      limited.length === 0 ? new Map() : await spend.read(database.read, now);
    for (const engine of all) {
      const sums = spent.get(engine.name) ?? { day: 0, month: 0 };
      const limitOf = (period: 'day' | 'month') =>
        processState.spendLimit(engine.name, period) ?? Number.POSITIVE_INFINITY;
      const period = PERIODS.find((one) => sums[one] >= limitOf(one));
      if (period !== undefined)
        await takeOut(engine, period, sums[period], windowEnd(period, now) ?? now, limitOf(period));
      // A valve that a worker with a limit has shut is opened by such a worker only.
      else if (names.has(engine.name) || PERIODS.every((one) => limitOf(one) === Number.POSITIVE_INFINITY))
        await putBack(engine);
    }
  }

  async function takeOut(
    { name }: Engine,
    period: 'day' | 'month',
    sum: number,
    until: number,
    most: number,
  ): Promise<void> {
    const message = spendLimitReason(period);
    const before = valves.of(name, 'spend_limit');
    // A daily limit that was reached first is replaced by the monthly one.
    if (before !== null && before.message === message && before.retry_at === until) return;
    const limit = formatMicros(most);
    log.warn(
      { engine: name, period, spent: formatMicros(sum), limit },
      'engine reached its spend limit; it gets no orders',
    );
    await valves.limitReached(name, message, until);
  }

  async function putBack({ name }: Engine): Promise<void> {
    if (valves.of(name, 'spend_limit') === null) return;
    await valves.back(name, ['spend_limit']);
    wake();
  }
}
