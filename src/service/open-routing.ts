import { type Clock, isoTime } from '@darkroom-service/contract';
import type { Log } from '../base/log.ts';
import type { Database } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import { isOutage, whatHelps } from '../routing/circuit.ts';
import { type Circuits, openCircuits } from '../routing/circuits.ts';
import { type EngineLimits, openEngineLimits } from '../routing/engine-limits.ts';
import type { EngineSet } from '../routing/engine-set.ts';
import { acceptedUntilTrusted } from '../routing/slow-begin.ts';
import { openSwitches, type Switches } from '../routing/switches.ts';

interface RoutingParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly engines: Pick<EngineSet, 'get' | 'values'>;
  readonly startRefresh: StartRefresh;
  /** Shares limits with other installations. */
  readonly shareLimits?: ((limits: EngineLimits) => Promise<EngineLimits> | undefined) | undefined;
  readonly wrapCircuits?: ((circuits: Circuits) => Circuits) | undefined;
  /** Called when a circuit closes, so that waiting orders can be claimed. */
  readonly onUsable: () => void;
}

/** Opens the state of the engines that all processes share: pauses, circuits and limits. */
export async function openRouting(
  { database, clock, log, engines, startRefresh, shareLimits, wrapCircuits, onUsable }: RoutingParts,
  closers: AsyncDisposableStack,
): Promise<{ readonly switches: Switches; readonly circuits: Circuits; readonly limits: EngineLimits }> {
  const switches = await openSwitches({ database, startRefresh });
  closers.defer(() => switches.close());
  /** Probes repeat what was logged already. */
  const logged = new Map<string, string>();
  const shared = await openCircuits({
    database,
    clock,
    onChange: (engine, opened) => {
      if (opened === null) {
        logged.delete(engine);
        log.info({ engine }, 'circuit closed');
        onUsable();
      } else {
        const { fault, message } = opened;
        const change = [fault, message, opened.opened_at, opened.openings].join();
        if (logged.get(engine) === change) return;
        logged.set(engine, change);
        const help = whatHelps(opened);
        const facts = { engine, fault, reason: message, until: isoTime(opened.retry_at), help };
        const level = isOutage(opened) ? 'warn' : 'info';
        log[level](facts, 'circuit opened');
      }
    },
    onError: (error) => log.error({ err: error }, 'could not write a circuit; keeping the last known ones'),
    startRefresh,
    acceptedUntilTrusted: (name) => acceptedUntilTrusted(engines.get(name)),
  });
  closers.defer(() => shared.stop());
  const circuits = wrapCircuits?.(shared) ?? shared;
  const limits = await openEngineLimits({
    database,
    clock,
    engines: () => engines.values(),
    onChange: (engine, { from, to }) => log.info({ engine, from, to }, 'engine limit changed'),
    startRefresh,
  });
  closers.defer(() => limits.stop());
  return { switches, circuits, limits: (await shareLimits?.(limits)) ?? limits };
}
