import { world } from '@darkroom-service/contract';
import type { Reports, ReportTurn, Session } from './store.ts';

/** Decides which report runs next, and on which place. */
export interface ReportTurns {
  /** Number of reports that may run at once. */
  readonly places: number;
  /** Runs a report when it is its turn. @param report receives its place, from 0 on, which no other has meanwhile */
  run<T>(turn: ReportTurn, report: (place: number) => Promise<T>): Promise<T>;
}

interface Waiting extends ReportTurn {
  readonly begin: (place: number) => void;
}

interface Line {
  /** The number of the report that was begun last; 0 = none was. */
  last: number;
  readonly waiting: Waiting[];
}

interface Running extends ReportTurn {
  readonly place: number;
  readonly since: number;
}

/**
 * Creates the turns of reports: the operator first, then one of each key in turn. One long report runs at a time, and
 * one short report of each key, so that a key that asks for many delays only itself.
 * @param options.short maximum number of short reports that run at once
 * @param options.spreadAfterMs milliseconds that the running short reports must have taken before another one begins,
 * because each place costs resources
 */
export function createReportTurns(options: { readonly short: number; readonly spreadAfterMs: number }): ReportTurns {
  const places = options.short + 1;
  /** The reports that wait or run, by owner. */
  const lines = new Map<string | null, Line>();
  let served = 0;
  const running = new Map<number, Running>();
  let timer: NodeJS.Timeout | undefined;

  function admit(): void {
    world.clearTimeout(timer);
    for (let next = takeNext(); next !== null; next = takeNext()) {
      const place = freePlace();
      running.set(place, { owner: next.owner, isLong: next.isLong, place, since: world.monotonic() });
      next.begin(place);
    }
    const newest = Math.max(...[...running.values()].filter(({ isLong }) => !isLong).map(({ since }) => since));
    const spreadsInMs = newest + options.spreadAfterMs - world.monotonic();
    if (lines.size > 0 && spreadsInMs > 0) timer = world.setTimeout(admit, spreadsInMs + 1).unref();
  }

  /** Takes the next report of the owner whose last one began longest ago. */
  function takeNext(): Waiting | null {
    const rankOf = ([owner, { last }]: readonly [string | null, Line]) => (owner === null ? -1 : last);
    for (const [, line] of [...lines].sort((one, other) => rankOf(one) - rankOf(other))) {
      const index = line.waiting.findIndex(mayBegin);
      if (index < 0) continue;
      line.last = ++served;
      return line.waiting.splice(index, 1)[0] ?? null;
    }
    return null;
  }

  function mayBegin({ owner, isLong }: ReportTurn): boolean {
    const same = [...running.values()].filter((one) => one.isLong === isLong);
    if (isLong) return same.length === 0;
    const begunBefore = world.monotonic() - options.spreadAfterMs;
    return (
      same.length < options.short &&
      same.every((one) => one.since <= begunBefore && (owner === null || one.owner !== owner))
    );
  }

  function end(place: number, { owner }: ReportTurn): void {
    running.delete(place);
    const isRunning = [...running.values()].some((one) => one.owner === owner);
    if (lines.get(owner)?.waiting.length === 0 && !isRunning) lines.delete(owner);
    admit();
  }

  function freePlace(): number {
    let place = 0;
    while (running.has(place)) place++;
    return place;
  }

  return {
    places,
    async run(turn, report) {
      const place = await new Promise<number>((begin) => {
        const { owner, isLong } = turn;
        const line = lines.get(owner) ?? { last: 0, waiting: [] };
        line.waiting.push({ owner, isLong, begin });
        lines.set(owner, line);
        admit();
      });
      try {
        return await report(place);
      } finally {
        end(place, turn);
      }
    },
  };
}

/** Creates the sessions of reports. A query outside `inTurn` is a short report of the operator. */
export function reportsInTurn<S>(inTurn: (turn: ReportTurn) => Session<S>): Reports<S> {
  return Object.assign(inTurn({ owner: null, isLong: false }), { inTurn });
}
