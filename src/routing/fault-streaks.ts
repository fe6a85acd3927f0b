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
/** Where many orders come by, five in a row are soon met by chance; nothing that comes through for a second is not. */
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
