import { isoTime, type ProcessView } from '@darkroom-service/contract';
import type { Session } from '../../database/database.ts';
import { isCopy, readInstallation, suspensionOf } from '../../installation/suspension.ts';
import { ADVICE, failed, forWeek, type Observation, ok, warning } from '../check.ts';
import type { Config } from '../config/config.ts';
import { problemOfHold, problemsOfProcesses, withProblems } from '../operations/problems.ts';
import { listProcesses } from '../operations/processes.ts';

/** Lists the running processes, by role. Without a worker, orders wait. */
export async function diagnoseProcesses(session: Session): Promise<Observation> {
  const processes = await listProcesses(session);
  const running = processes.filter(({ state }) => state === 'running');
  const problems = problemsOfProcesses(processes);
  const seen = withProblems(running.length === 0 ? 'none runs' : countRoles(running), problems);
  if (running.some(({ role }) => role !== 'api')) {
    // A difference that stops nothing may be meant.
    const apart = running.flatMap(({ faults, differences }) => [...faults, ...differences]);
    if (seen.status !== 'ok' || apart.length === 0) return seen;
    return forWeek(
      [seen.found, ...new Set(apart)].join('\n'),
      'Give all processes the same keys, addresses and storage.',
    );
  }
  const waits = running.length > 0 || problems.length > 0 || (await hasOpenOrders(session));
  return {
    status: waits ? 'failed' : 'warning',
    found: running.length === 0 ? seen.found : `${seen.found}\nNone of them works on orders.`,
    advice: 'Start darkroom serve, with DARKROOM_ROLE all or worker.',
  };
}

function countRoles(running: readonly ProcessView[]): string {
  const roles = Map.groupBy(running, ({ role }) => role);
  return [...roles].map(([role, { length }]) => `${length} of the role ${role}`).join(', ');
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
  const problem = problemOfHold(cause).found;
  const found = stored === null ? problem : `${problem} It has been so since ${isoTime(stored.since)}.`;
  if (stored !== null && isCopy(stored)) return failed(found, ADVICE.held);
  return warning(found, cause === 'setting' ? 'Unset DARKROOM_HOLD and restart.' : ADVICE.held);
}
