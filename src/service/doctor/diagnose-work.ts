import type { ProcessView } from '@darkroom-service/contract';
import type { Session } from '../../database/database.ts';
import { isCopy, REASONS, readInstallation, suspensionOf } from '../../installation/suspension.ts';
import type { Config } from '../config/config.ts';
import { failed, type Observation, ok, warning } from '../finding.ts';
import { listProcesses } from '../operations/processes.ts';

/** Lists the running processes, by role. Without a worker, orders wait. */
export async function diagnoseProcesses(session: Session): Promise<Observation> {
  const processes = await listProcesses(session);
  const running = processes.filter(({ state }) => state === 'running');
  const missing = processes.filter((process) => process.missing);
  const silent = missing.length === 0 ? [] : [`silent and not replaced: ${missing.map(nameOf).join(', ')}`];
  const apart = running.flatMap(({ faults, differences }) => [...faults, ...differences]);
  const found = [[running.length === 0 ? 'none runs' : countRoles(running), ...silent].join('; '), ...apart].join('\n');
  if (running.some(({ role }) => role !== 'api')) {
    const advice = 'Give all processes the same keys, addresses and storage, unless a difference is meant.';
    if (missing.length === 0) return apart.length === 0 ? ok(found) : warning(found, advice);
    return warning(found, 'See if their machines run, read their logs, and start them again.');
  }
  const waits = running.length > 0 || missing.length > 0 || (await hasOpenOrders(session));
  return {
    status: waits ? 'failed' : 'warning',
    found: running.length === 0 ? found : `${found}; none of them works on orders`,
    advice: 'Start darkroom serve, with DARKROOM_ROLE all or worker.',
  };
}

function countRoles(running: readonly ProcessView[]): string {
  const roles = Map.groupBy(running, ({ role }) => role);
  return [...roles].map(([role, { length }]) => `${length} of the role ${role}`).join(', ');
}

/** Maximum number of names shown: a machine may have many processes, and some explain the rest. */
const MOST_NAMES = 5;

function nameOf({ process_id, role, host, heard_at }: ProcessView, place: number): string {
  return place < MOST_NAMES ? `${process_id} (${role} at ${host}, last heard of at ${heard_at})` : process_id;
}

async function hasOpenOrders(session: Session): Promise<boolean> {
  const open = session.builder.selectFrom('tasks').select('id').where('step', '<>', 'final').limit(1);
  return (await session.first(open)) !== undefined;
}

/** Says whether the installation sends orders. */
export async function diagnoseHold(session: Session, { hold }: Pick<Config, 'hold'>): Promise<Observation> {
  const stored = suspensionOf(await readInstallation(session));
  const cause = stored?.cause ?? (hold ? 'setting' : null);
  if (cause === null) return ok('orders are sent');
  const found = `nothing is sent${stored === null ? '' : ` since ${new Date(stored.since).toISOString()}`}: ${REASONS[cause]}`;
  if (stored !== null && isCopy(stored))
    return failed(
      found,
      'Stop the other one first, or let it go on, then: darkroom release --as successor or --as copy (docs/operating.md).',
    );
  const advice = cause === 'setting' ? 'Unset DARKROOM_HOLD and restart.' : 'End the hold with darkroom release.';
  return warning(found, advice);
}
