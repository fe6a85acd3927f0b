import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDITIONS } from '../../src/additions/list.ts';
import type { TaskStep } from '../../src/record/task.ts';
import type { AssignedFollower, Follower } from '../../src/tasks/follower.ts';
import { rowsOf, TABLE } from '../../src/worker/decide/decide.ts';
import type { EventType } from '../../src/worker/decide/event.ts';
import type { Row } from '../../src/worker/decide/row.ts';
import { IMPOSSIBLE } from './impossible.ts';

/** How often simulations met each cell: a row of the decision table, a commit, a refusal or a call of a follower. */
export interface Coverage {
  readonly met: Map<string, number>;
  /** How often each fault could have happened at each point, and how often it did. */
  readonly points: Map<string, { reached: number; happened: number }>;
}

export const createCoverage = (): Coverage => ({ met: new Map(), points: new Map() });

/** What becomes of files, commits and spooled answers, as the simulation names it. */
const REFUSALS = [
  'storage: full',
  'storage: unavailable',
  'storage: not_found',
  'storage: too_large',
  'database: away, not committed',
  'database: outcome unknown, not committed',
  'database: outcome unknown, committed',
  'database: full',
  'spool: written',
  'spool: taken over',
  'spool: kept as a late result',
  'spool: set aside',
];
/** Commits of orders are named in these rooms, and two kinds in variables. */
const ROOMS = ['orders', 'routing', 'tasks', 'worker'];
const NAMED_ELSEWHERE = [
  ...['settle_failed', 'settle_canceled', 'settle_timeout', 'settle_unknown', 'settle_succeeded'],
  ...['webhook_claim', 'webhook_attempt', 'webhook_released', 'webhook_renewal', 'called_back', 'credit_account'],
];
const COMMIT = /\.write(?:Aside)?\(\s*'(\w+)'/g;

/** Lists every cell that there is. */
export function everyCell(): string[] {
  const rows = Object.keys(TABLE).flatMap((event) =>
    STEPS.flatMap((step) => rowsOf(step, event as EventType).map(({ when }) => nameOfRow(event, step, when))),
  );
  const followers = ADDITIONS.flatMap(({ follower }) => (follower === undefined ? [] : methodsOf(follower)));
  const commits = new Set([...ROOMS.flatMap(commitsIn), ...NAMED_ELSEWHERE]);
  return [...rows, ...[...commits].sort().map((name) => `commit of ${name}`), ...REFUSALS, ...followers];
}

/** Tells in lines what was never met, and how much of what can be met was. */
export function describeCoverage({ met, points }: Coverage): string[] {
  const possible = everyCell().filter((cell) => IMPOSSIBLE[cell] === undefined);
  const missing = possible.filter((cell) => !met.has(cell));
  const idle = [...points].filter(([, { happened }]) => happened === 0).map(([point]) => point);
  return [
    ...missing.map((cell) => `never met: ${cell}`),
    ...idle.sort().map((point) => `never happened: ${point}`),
    `${possible.length - missing.length} of ${possible.length} cells met, ${Object.keys(IMPOSSIBLE).length} declared impossible; ${points.size - idle.length} of ${points.size} faults at points that were reached`,
  ];
}

/** Returns the fault at a point that happened most seldom although it could; null if none could yet. */
export function seldomest({ points }: Coverage): string | null {
  const sorted = [...points].sort(([a, one], [b, other]) => one.happened - other.happened || (a < b ? -1 : 1));
  return sorted[0]?.[0] ?? null;
}

const STEPS: readonly TaskStep[] = ['waiting', 'preparing', 'submitting', 'deferred', 'running', 'final'];
const nameOfRow = (event: string, step: string, when: string) => `${event} at ${step}: ${when}`;

function methodsOf(follower: Follower): string[] {
  const methods = Object.entries(follower).filter(([name, value]) => typeof value === 'function' && name !== 'follows');
  return methods.map(([name]) => `follower ${follower.name}: ${name}`);
}

function commitsIn(room: string): string[] {
  const directory = join(import.meta.dirname, '..', '..', 'src', room);
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(join(directory, name), 'utf8').matchAll(COMMIT)].map(([, commit]) => commit!));
}

let meet: (cell: string) => void = () => {};

/** Tells of each row of the decision table that decides, from now on. */
export function watchTable(count: (cell: string) => void): void {
  meet = count;
}

/** Lets followers be met as they are called. */
export function watchFollowers(
  followers: readonly AssignedFollower[],
  count: (cell: string) => void,
): AssignedFollower[] {
  return followers.map((follower) => {
    const watched = Object.entries(follower).map(([name, value]) => {
      if (typeof value !== 'function' || name === 'follows') return [name, value];
      const method = value as (...given: unknown[]) => unknown;
      return [
        name,
        (...given: unknown[]) => {
          count(`follower ${follower.name}: ${name}`);
          return method(...given);
        },
      ];
    });
    return Object.fromEntries(watched) as AssignedFollower;
  });
}

/** The table is one for all processes of a program, so its rows are replaced once, by rows that tell. */
for (const [event, cells] of Object.entries(TABLE) as [EventType, Record<TaskStep, unknown>][])
  for (const step of STEPS) {
    const rows = rowsOf(step, event) as readonly Row<EventType>[];
    if (rows.length === 0) continue;
    cells[step] = rows.map((row) => ({
      ...row,
      how(situation: Parameters<NonNullable<Row<EventType>['how']>>[0]) {
        const details = row.how === undefined ? {} : row.how(situation);
        if (details !== null) meet(nameOfRow(event, step, row.when));
        return details;
      },
    }));
  }
