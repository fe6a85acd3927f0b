import type { Fixed } from './column.ts';

/**
 * What live orders of an engine did within a slot of 5 or 60 minutes. Reports read it instead of the orders. A row
 * whose engine is '' marks a slot that is counted; the others of the slot may already have samples.
 */
export interface EngineHistoryTable {
  engine: Fixed<string>;
  /** Minutes: 5 or 60. */
  width: Fixed<number>;
  /** The start of the slot. */
  from_at: Fixed<number>;
  succeeded: number;
  /** For a reason of the upstream. */
  failed: number;
  /** For their content or input. */
  refused: number;
  /** How many successful orders took how long, by the number of a duration step. */
  durations_json: string;
  /** Of orders whose cost is told or expected, as in `task_costs`. Micro-dollars. */
  revenue: number;
  cost: number;
  /** The most orders that were under way in a sample. */
  under_way: number;
}

/** Each time that a circuit opened, or that an upstream asked for a pause. */
export interface CircuitOpeningsTable {
  /** As in `circuits.engine`. */
  circuit: Fixed<string>;
  opened_at: Fixed<number>;
  fault: Fixed<'auth' | 'billing' | 'rate_limited' | 'busy' | 'upstream' | 'timeout'>;
}
