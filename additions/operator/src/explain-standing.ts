import type { Explain } from '@darkroom-service/addition-common/operators/look-up-task';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { routeOf } from '@darkroom-service/darkroom/kernel-views';
import { enginesInUse } from '@darkroom-service/engines';
import { standingOf } from './reports/standing.ts';

/** Gathers the service's facts about open orders: valves, outages, processes, positions in the queue. */
export function createExplain({
  checks,
  clock,
  engines,
  gates,
  installation,
  process,
}: Pick<Kernel, 'checks' | 'clock' | 'engines' | 'gates' | 'installation' | 'process'>): Explain {
  const { valves } = engines;
  return async (rows) => {
    const open = rows.filter(({ step }) => step !== 'final');
    if (open.length === 0) return () => null;
    const now = clock.now();
    const { positions, waitingFor, silences } = await checks.waits(open);
    const { suspension, reason } = installation.hold;
    const outage = process.outages().find(({ name }) => name === 'storage');
    const storage = outage === undefined ? null : { since: Date.parse(outage.since), reason: outage.detail };
    const names = enginesInUse(engines.operated).map(({ name }) => name);
    const silenceOf = (worker: string | null) => {
      const silentMs = worker === null ? undefined : silences.get(worker);
      return worker === null || silentMs === undefined ? null : { process: worker, since: now - silentMs };
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
        isConfigured: names.includes(name),
        isPaused: valves.isPaused('engine', route.engine),
        suspension: suspension === null || reason === null ? null : { since: suspension.since, reason },
        position: positions.get(row.id) ?? null,
        addition: gates.waitsFor(row),
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
