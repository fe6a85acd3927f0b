import { isoTime } from '@darkroom-service/contract/clock';
import { formatMicros } from '@darkroom-service/contract/money';
import type { Database } from '../../database/database.ts';
import { type BacklogGroup, readBacklog } from '../../operations/backlog.ts';
import { reportCosts } from '../../operations/cost-report.ts';
import { listProcesses, missingProcesses } from '../../operations/processes.ts';
import { areAsynchronous, readStandbys } from '../../operations/standbys.ts';
import { readBalances } from '../../operations/upstream-balances.ts';
import { engineOfCircuit, isNotMade, isOutage, lasts, standing } from '../../routing/circuit.ts';
import { listOpened } from '../../routing/circuits.ts';
import { heldOf, REASONS, readInstallation } from '../../routing/installation/held.ts';
import { partsOf } from '../../tasks/queue-names.ts';
import type { Condition } from './condition.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Upstreams fail for seconds every day. */
const OUTAGE_AFTER_MS = 2 * MINUTE_MS;
const MOST_ENGINES = 1_000;
/** About 7,000 orders. A standby that keeps up is behind by a thousandth of it. */
const STANDBY_BYTES = 64 * 2 ** 20;

export interface ConditionLimits {
  readonly waitingMs: number;
  readonly softDeadlineMs: number;
  readonly hardDeadlineMs: number;
  /** The configured engines: circuits of others stay open for ever. */
  readonly engineNames: readonly string[];
  /** The balance at an upstream below which an alert begins, by engine. */
  readonly balances: Readonly<Record<string, number>>;
}

/** Finds the conditions that concern all processes, from live orders only. */
export async function findConditions(
  database: Pick<Database, 'kind' | 'read' | 'reports'>,
  now: number,
  limits: ConditionLimits,
): Promise<Condition[]> {
  const { groups, unknown } = await readBacklog(database.read, { ...limits, now });
  return [
    ...(await openCircuits(database, now, limits)),
    ...[...unknown].map(([engine, { count, money }]): Condition => {
      const orders = count === 1 ? 'order has' : 'orders have';
      const summary = `${count} live ${orders} an unknown outcome at ${engine} (${formatMicros(money)} USD).`;
      return { kind: 'unknown_outcomes', subject: engine, summary };
    }),
    ...waitTooLong(groups, now, limits.waitingMs),
    ...(await belowZero(database, now)),
    ...(await lowBalances(database, limits)),
    ...missingProcesses(await listProcesses(database.read)).map((gone): Condition => {
      const summary = `The process ${gone.process_id} (${gone.role} at ${gone.host}) was last heard of at ${gone.heard_at}; none of its role was started since.`;
      return { kind: 'process_silent', subject: `${gone.role} at ${gone.host}`, summary };
    }),
    ...(await standbyConditions(database)),
    ...(await installationConditions(database)),
  ];
}

async function standbyConditions(database: Pick<Database, 'kind' | 'read'>): Promise<Condition[]> {
  const standbys = await readStandbys(database);
  const names = standbys.map(({ name }) => name).join(', ');
  const asynchronous: Condition = {
    kind: 'standby_asynchronous',
    subject: '',
    summary: `The database has no synchronous standby (connected: ${names}). If one of them takes over, the latest orders may be lost.`,
  };
  return [
    ...(areAsynchronous(standbys) ? [asynchronous] : []),
    ...standbys.flatMap(({ name: subject, bytes }): Condition[] => {
      if (bytes < STANDBY_BYTES) return [];
      const summary = `The standby ${subject} has not replayed the last ${Math.round(bytes / 2 ** 20)} MiB of the database's log.`;
      return [{ kind: 'standby_behind', subject, summary }];
    }),
  ];
}

async function installationConditions({ read }: Pick<Database, 'read'>): Promise<Condition[]> {
  const row = await readInstallation(read);
  const held = heldOf(row);
  const stopped = row?.sweep_stopped ?? null;
  return [
    ...(held === null
      ? []
      : [{ kind: 'held', subject: '', summary: `Nothing is sent. ${REASONS[held.cause]}` } as const]),
    ...(stopped === null ? [] : [{ kind: 'sweep_stopped', subject: '', summary: stopped } as const]),
  ];
}

async function lowBalances(
  { read }: Pick<Database, 'read'>,
  { engineNames, balances }: ConditionLimits,
): Promise<Condition[]> {
  return [...(await readBalances(read))].flatMap(([engine, { amount, unit, told_at }]): Condition[] => {
    const least = balances[engine];
    if (least === undefined || amount === null || !engineNames.includes(engine) || Number(amount) >= least) return [];
    const summary = `The account at ${engine} had ${amount} ${unit} left at ${told_at}, less than ${least}.`;
    return [{ kind: 'upstream_balance_low', subject: engine, summary }];
  });
}

async function openCircuits(
  { read }: Pick<Database, 'read'>,
  now: number,
  { engineNames }: ConditionLimits,
): Promise<Condition[]> {
  const opened = await listOpened(read);
  return opened.flatMap((row): Condition[] => {
    const { engine: subject, fault, message, opened_at: openedAt } = row;
    if (standing(row, now) === null || !isOutage(row) || !engineNames.includes(engineOfCircuit(subject))) return [];
    if (isNotMade(row)) return [];
    if (!lasts(row) && now - openedAt < OUTAGE_AFTER_MS) return [];
    const summary = `${subject} has received no orders since ${isoTime(openedAt)} (${fault}: ${message}).`;
    return [{ kind: fault === 'billing' ? 'upstream_credit' : 'circuit_open', subject, summary }];
  });
}

function waitTooLong(groups: readonly BacklogGroup[], now: number, limitMs: number): Condition[] {
  return groups.flatMap(({ queue, step, oldestAt, tasks }): Condition[] => {
    const { engine, mode } = partsOf(queue);
    if (mode !== 'live' || step !== 'waiting' || now - oldestAt <= limitMs) return [];
    const minutes = Math.floor((now - oldestAt) / MINUTE_MS);
    const summary = `The oldest of ${tasks} live orders that wait for ${engine} has waited for ${minutes} minutes.`;
    return [{ kind: 'oldest_waiting', subject: engine, summary }];
  });
}

/** Of orders that ended within a day. */
async function belowZero({ reports }: Pick<Database, 'reports'>, now: number): Promise<Condition[]> {
  const query = { from: now - DAY_MS, to: now + 1, groupBy: ['engine'], limit: MOST_ENGINES, after: null } as const;
  const { items } = await reportCosts(reports, query);
  return items.flatMap(({ engine = '', orders, revenue, cost, margin }): Condition[] => {
    if (!margin.startsWith('-')) return [];
    const summary = `${orders} live orders at ${engine} within a day earned ${revenue} USD and cost ${cost} USD.`;
    return [{ kind: 'margin_below_zero', subject: engine, summary }];
  });
}
