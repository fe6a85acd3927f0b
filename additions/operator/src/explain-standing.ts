import type { Explain } from '@darkroom-service/addition-common/operators/look-up-task';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import type { HttpOptions } from '@darkroom-service/darkroom/kernel-http';
import { routeOf } from '@darkroom-service/darkroom/kernel-views';
import { standingOf } from './reports/standing.ts';

/** Gathers the service's facts about open orders: valves, outages, processes, positions in the queue. */
export function createExplain(
  options: HttpOptions,
  { checks, clock, engines }: Pick<Kernel, 'checks' | 'clock' | 'engines'>,
): Explain {
  const { valves, hold } = options;
  return async (rows) => {
    const open = rows.filter(({ step }) => step !== 'final');
    if (open.length === 0) return () => null;
    const now = clock.now();
    const { positions, waitingFor, silences } = await checks.waits(open);
    const { suspension, reason } = hold;
    const storage = options.outages().find(({ check }) => check === 'storage') ?? null;
    const silenceOf = (process: string | null) => {
      const silentMs = process === null ? undefined : silences.get(process);
      return process === null || silentMs === undefined ? null : { process, since: now - silentMs };
    };
    return (row) => {
      if (row.step === 'final') return null;
      const route = routeOf(row);
      const name = engines.readOwned(route.engine)?.kind ?? route.engine;
      return standingOf({
        now,
        task: row,
        engine: name,
        storage,
        isConfigured: options.engineNames.includes(name),
        isPaused: valves.isPaused('engine', route.engine),
        suspension: suspension === null || reason === null ? null : { since: suspension.since, reason },
        position: positions.get(row.id) ?? null,
        parents: waitingFor.get(row.id) ?? [],
        shut: valves.troubleOf(route),
        silent: silenceOf(row.worker),
        check:
          row.checked_at === null || row.outcome === null
            ? null
            : { at: row.checked_at, outcome: row.outcome, said: row.said },
      });
    };
  };
}
