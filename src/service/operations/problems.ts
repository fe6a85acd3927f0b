import type { ProcessView } from '@darkroom-service/contract';
import { describeEnd, type EndingRoute } from '../../catalog/ends.ts';
import { describeLoss, describeUnknownCosts, type ThinMargin } from '../../catalog/pricing/margins.ts';
import { type InstallationRow, REASONS, type SuspensionCause, suspensionOf } from '../../installation/suspension.ts';
import { ADVICE, type Observation } from '../check.ts';
import type { Standby } from './standbys.ts';

type ProblemKind = keyof typeof ADVICE;

/** A part of the installation that is not in order. */
export interface Problem {
  readonly kind: ProblemKind;
  /** The part concerned, such as a standby; '' = the whole service. */
  readonly subject: string;
  /** The state in one sentence, with the figures. */
  readonly found: string;
}

/** A part of the installation that is looked at for problems. A part that fails stops no other. */
export interface LookedAt {
  /** Name for operators, as in "could not check …". */
  readonly what: string;
  readonly kinds: readonly ProblemKind[];
  look(): Promise<readonly Problem[]>;
}

/** Lag of a standby that is a problem: about 7,000 orders. A standby that keeps up lags by a thousandth of it. */
const STANDBY_BYTES = 64 * 2 ** 20;
/** Age below which a process has not tried everything yet. */
const YOUNG_MS = 60_000;

/** Adds the problems to what a check has seen. The advice is that of the first. */
export function withProblems(found: string, problems: readonly Problem[]): Observation {
  const [first] = problems;
  const lines = [...new Set([found, ...problems.map((problem) => problem.found)])].join('\n');
  if (first === undefined) return { status: 'ok', found, advice: null };
  return { status: 'warning', found: lines, advice: ADVICE[first.kind] };
}

/** Finds processes that crashed and were not replaced, and those whose settings keep them from orders. */
export function problemsOfProcesses(processes: readonly ProcessView[]): Problem[] {
  const silent = processes.filter(({ missing }) => missing);
  const old = processes.filter(({ started_at, heard_at }) => Date.parse(heard_at) - Date.parse(started_at) >= YOUNG_MS);
  return [
    ...silent.map(({ process_id: subject, role, host, heard_at: heardAt }): Problem => {
      const found = `The process ${subject} (${role} at ${host}) was last heard of at ${heardAt}; none of its role was started in its place.`;
      return { kind: 'process_silent', subject, found };
    }),
    ...old
      .filter(({ faults }) => faults.length > 0)
      .map(({ role, host, faults, differences }): Problem => {
        const found = [...faults, ...differences].join(' ');
        return { kind: 'process_apart', subject: `${role} at ${host}`, found };
      }),
  ];
}

/**
 * Finds standbys that lag, and the lack of a synchronous one. Without any standby nothing is wrong, unless they are
 * expected.
 */
export function problemsOfStandbys(standbys: readonly Standby[], areExpected: boolean): Problem[] {
  const names = standbys.map(({ name }) => name).join(', ');
  const lack = (found: string): Problem => ({ kind: 'standby_asynchronous', subject: '', found });
  const none = lack(
    'No standby of the database is connected, or the role may not see them (pg_monitor), although DARKROOM_DATABASE_URL names several servers. If the server fails now, nothing can take over.',
  );
  const asynchronous = lack(
    `The database has no synchronous standby (connected: ${names}). If one of them takes over, the latest orders may be lost.`,
  );
  const areAsynchronous = standbys.length > 0 && !standbys.some(({ is_synchronous: is }) => is);
  return [
    ...(standbys.length === 0 && areExpected ? [none] : []),
    ...(areAsynchronous ? [asynchronous] : []),
    ...standbys
      .filter(({ bytes }) => bytes >= STANDBY_BYTES)
      .map(({ name: subject, bytes }): Problem => {
        const found = `The standby ${subject} has not replayed the last ${Math.round(bytes / 2 ** 20)} MiB of the database's log.`;
        return { kind: 'standby_behind', subject, found };
      }),
  ];
}

/** Describes a hold, by its cause. */
export function problemOfHold(cause: SuspensionCause): Problem {
  return { kind: 'held', subject: '', found: `Nothing is sent. ${REASONS[cause]}` };
}

/** Finds the reasons why nothing is sent, and why files without a row are not removed. */
export function problemsOfInstallation(row: InstallationRow | undefined): Problem[] {
  const suspension = suspensionOf(row);
  const sweep = row?.sweep_stopped ?? null;
  return [
    ...(suspension === null ? [] : [problemOfHold(suspension.cause)]),
    ...(sweep === null ? [] : [{ kind: 'sweep_stopped', subject: '', found: sweep } as const]),
  ];
}

/** Finds routes that cost more than their price and are sold, and engines with routes of unknown cost. */
export function problemsOfMargins(margins: readonly ThinMargin[]): Problem[] {
  return [
    ...margins.flatMap((margin): Problem[] => {
      // A route that costs more than its price and therefore gets no orders loses nothing.
      if (margin.below === null || !margin.isSold) return [];
      return [{ kind: 'below_cost', subject: margin.engine, found: sentence(describeLoss(margin)) }];
    }),
    ...[...describeUnknownCosts(margins)].map(
      ([subject, words]): Problem => ({ kind: 'unknown_cost', subject, found: sentence(words) }),
    ),
  ];
}

/** Finds the routes that end soon, or that their upstream no longer lists. */
export function problemsOfEnds(ends: readonly EndingRoute[]): Problem[] {
  return ends.map((end) => ({
    kind: 'model_ends',
    subject: `${end.model.model_id} at ${end.engine}`,
    found: describeEnd(end),
  }));
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
