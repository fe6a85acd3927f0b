import type { EngineCall } from './circuit.ts';

/** Faults of this process's calls, one after another without one that came through. */
export interface FaultStreaks {
  /** @returns whether they are enough to open the circuit */
  add(engine: string, call: EngineCall, taskId: string, now: number): boolean;
  /** A call came through. An order that was taken also tells that those running can be asked for; not the other way round. */
  clear(engine: string, call: EngineCall): void;
  forget(engine: string): void;
}

const IN_A_ROW = 5;
/** One order that no upstream could make does not stop the others. */
const ORDERS = 2;
const WITHIN_MS = 10 * 60_000;

interface Fault {
  readonly taskId: string;
  readonly at: number;
}

export function createFaultStreaks(): FaultStreaks {
  const streaks = new Map<string, Fault[]>();
  const nameOf = (engine: string, call: EngineCall) => `${engine}:${call}`;
  return {
    add(engine, call, taskId, now) {
      const name = nameOf(engine, call);
      const young = (streaks.get(name) ?? []).filter(({ at }) => now - at < WITHIN_MS);
      const streak = [...young, { taskId, at: now }].slice(-IN_A_ROW);
      streaks.set(name, streak);
      return streak.length === IN_A_ROW && new Set(streak.map((fault) => fault.taskId)).size >= ORDERS;
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
