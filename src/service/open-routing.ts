import { type Clock, isoTime } from '@darkroom-service/contract';
import type { Log } from '../base/log.ts';
import type { Database } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import { type EngineLimits, openEngineLimits } from '../routing/engine-limits.ts';
import type { EngineSet } from '../routing/engine-set.ts';
import { acceptedUntilTrusted } from '../routing/slow-begin.ts';
import { isOutage, whatHelps } from '../routing/valve.ts';
import type { Valves } from '../routing/valves.ts';
import { SharedValves } from '../routing/valves.ts';

interface RoutingParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly engines: Pick<EngineSet, 'get' | 'values'>;
  readonly startRefresh: StartRefresh;
  /** Shares limits with other installations. */
  readonly shareLimits?: ((limits: EngineLimits) => Promise<EngineLimits> | undefined) | undefined;
  readonly wrapValves?: ((valves: Valves) => Valves) | undefined;
  /** Called when a valve opens, so that waiting orders can be claimed. */
  readonly onUsable: () => void;
}

/** Opens the state of the engines that all processes share: valves and limits. */
export async function openRouting(
  { database, clock, log, engines, startRefresh, shareLimits, wrapValves, onUsable }: RoutingParts,
  closers: AsyncDisposableStack,
): Promise<{ readonly valves: Valves; readonly limits: EngineLimits }> {
  /** Logged messages by subject, because probes repeat them. */
  const logged = new Map<string, string>();
  const shared = await SharedValves.open({
    database,
    clock,
    onChange: (engine, shut) => {
      if (shut === null) {
        logged.delete(engine);
        log.info({ engine }, 'circuit closed');
        onUsable();
      } else {
        const { fault, message } = shut;
        const change = [fault, message, shut.since, shut.times].join();
        if (logged.get(engine) === change) return;
        logged.set(engine, change);
        const help = whatHelps(shut);
        const facts = { engine, fault, reason: message, until: isoTime(shut.retry_at), help };
        const level = isOutage(shut) ? 'warn' : 'info';
        log[level](facts, 'circuit opened');
      }
    },
    onError: (error) => log.error({ err: error }, 'could not write a circuit; keeping the last known ones'),
    startRefresh,
    acceptedUntilTrusted: (name) => acceptedUntilTrusted(engines.get(name)),
  });
  closers.defer(() => shared.stop());
  const valves = wrapValves?.(shared) ?? shared;
  const limits = await openEngineLimits({
    database,
    clock,
    engines: () => engines.values(),
    onChange: (engine, { from, to }) => log.info({ engine, from, to }, 'engine limit changed'),
    startRefresh,
  });
  closers.defer(() => limits.stop());
  return { valves, limits: (await shareLimits?.(limits)) ?? limits };
}
