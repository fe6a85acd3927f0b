import type { HttpOptions } from '../../kernel-http.ts';
import { hasPlace } from '../../kernel-orders.ts';
import { queuePosition, readWaitingFor, routeOf } from '../../kernel-views.ts';
import { readSilences } from '../../operations/processes.ts';
import { REASONS } from '../../routing/installation/suspension.ts';
import { type Shut, subjectOfRoute } from '../../routing/valve.ts';
import { withoutKey } from '../../tasks/owned-instance.ts';
import type { Explain, OperatorRow } from '../common/operators/look-up-task.ts';
import { standingOf } from './reports/standing.ts';

/** Gathers what the service knows of open orders: valves, outages, processes, places in the queue. */
export function createExplain(options: HttpOptions): Explain {
  const { services, valves } = options;
  const { database, clock } = services;
  return async (rows) => {
    const open = rows.filter(({ step }) => step !== 'final');
    if (open.length === 0) return () => null;
    const now = clock.now();
    const silences = await readSilences(database.read);
    const positions = await readPositions(open);
    const waitingFor = await readWaitingFor(services, database.read, open);
    const { suspension } = options.installation;
    const storage = options.outages().find(({ check }) => check === 'storage') ?? null;
    const silenceOf = (process: string | null) => {
      const silentMs = process === null ? undefined : silences.get(process);
      return process === null || silentMs === undefined ? null : { process, since: now - silentMs };
    };
    return (row) => {
      if (row.step === 'final') return null;
      const route = routeOf(row);
      const name = withoutKey(route.engine);
      return standingOf({
        now,
        task: row,
        engine: name,
        storage,
        isConfigured: options.engineNames.includes(name),
        isPaused: valves.isPaused('engine', route.engine),
        suspension: suspension === null ? null : { since: suspension.since, reason: REASONS[suspension.cause] },
        position: positions.get(row.id) ?? null,
        parents: waitingFor.get(row.id) ?? [],
        shut: troubleOf(valves.of(route.engine) ?? valves.of(subjectOfRoute(route))),
        silent: silenceOf(row.worker),
        check:
          row.checked_at === null || row.outcome === null
            ? null
            : { at: row.checked_at, outcome: row.outcome, said: row.said },
      });
    };
  };

  async function readPositions(open: readonly OperatorRow[]): Promise<ReadonlyMap<string, number | null>> {
    const waiting = open.filter((row) => row.step === 'waiting' && hasPlace(row));
    const read = waiting.map(async (row) => [row.id, await queuePosition(database.read, row.api_key_id, row)] as const);
    return new Map(await Promise.all(read));
  }
}

function troubleOf(shut: Shut | null) {
  return shut === null ? null : { since: shut.since, reason: shut.message };
}
