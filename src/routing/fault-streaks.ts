import type { EngineCall } from './valve.ts';

/** Counts consecutive faults of this process's calls. */
interface FaultStreaks {
  /** @returns whether the faults are enough to shut the valve */
  add(engine: string, call: EngineCall, taskId: string, now: number): boolean;
  /** Reports a successful call. A successful `start` also clears the faults of `check`, but not the reverse. */
  clear(engine: string, call: EngineCall): void;
  forget(engine: string): void;
}

const IN_A_ROW = 5;
/** At least two orders must fail, so that one impossible order does not block the others. */
const ORDERS = 2;
const WITHIN_MS = 10 * 60_000;
/** With many orders, five faults in a row soon happen by chance; a second without success does not. */
const FOR_MS = 1_000;

interface Fault {
  readonly taskId: string;
  readonly at: number;
}

export function createFaultStreaks(): FaultStreaks {
  const streaks = new Map<string, { readonly since: number; readonly latest: readonly Fault[] }>();
  const nameOf = (engine: string, call: EngineCall) => `${engine}:${call}`;
  return {
    add(engine, call, taskId, now) {
      const name = nameOf(engine, call);
      const known = streaks.get(name);
      const young = known?.latest.filter(({ at }) => now - at < WITHIN_MS) ?? [];
      const latest = [...young, { taskId, at: now }].slice(-IN_A_ROW);
      const since = young.length === 0 ? now : (known?.since ?? now);
      streaks.set(name, { since, latest });
      const orders = new Set(latest.map((fault) => fault.taskId));
      return latest.length === IN_A_ROW && orders.size >= ORDERS && now - since >= FOR_MS;
    },
    clear(engine, call) {
      if (streaks.size === 0) return;
      streaks.delete(nameOf(engine, call));
      if (call === 'start') streaks.delete(nameOf(engine, 'check'));
    },
    forget(engine) {
      streaks.delete(nameOf(engine, 'start'));
      streaks.delete(nameOf(engine, 'check'));
    },
  };
}
