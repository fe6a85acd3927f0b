import type { Session } from '../database/database.ts';
import type { Config } from './config/config.ts';

/** The state that a check has seen and, if it is not in order, the remedy. */
export interface Observation {
  readonly status: 'ok' | 'warning' | 'failed';
  /** `week` = it costs neither money nor orders now, and should be looked at within a week; absent = now. */
  readonly weight?: 'week';
  readonly found: string;
  /** A line for each of many things that `found` counts. */
  readonly details?: readonly string[];
  /** The time at which it was last seen to work, as an ISO time; absent = now, or not known. */
  readonly worked_at?: string;
  readonly advice: string | null;
}

/** Returns the observation of something that is in order. */
export function ok(found: string): Observation {
  return { status: 'ok', found, advice: null };
}

/** Returns the observation of something that costs money or orders, or will soon. */
export function warning(found: string, advice: string): Observation {
  return { status: 'warning', found, advice };
}

/** Returns the observation of something that an operator should look at within a week. */
export function forWeek(found: string, advice: string | null, details: readonly string[] = []): Observation {
  return { status: 'warning', weight: 'week', found, ...(details.length === 0 ? {} : { details }), advice };
}

/** Returns the observation of something that does not work. */
export function failed(found: string, advice: string): Observation {
  return { status: 'failed', found, advice };
}

/** A part of the installation and its state, as operators see it. */
export interface Check extends Observation {
  /** The part, as `darkroom doctor` and `/readyz` name it. */
  readonly name: string;
  /** The expected state, in lines of `darkroom doctor --production`. */
  readonly expected?: string;
}

/** Advice on each kind of problem that the core finds. Alerts have these kinds, and docs/runbook.md an entry each. */
export const ADVICE = {
  process_silent: 'See if its machine runs, and read its log. Start it again, or another one of its role.',
  process_apart: 'Correct the setting on that machine and restart the process. The others go on meanwhile.',
  standby_behind:
    'See if the standby runs and what its disk and network do. What it lacks would be lost if it had to take over now, unless it is synchronous.',
  standby_asynchronous:
    'See if the standbys run, and make one synchronous (synchronous_standby_names, in Patroni synchronous_mode). No standby that may take over should be asynchronous: docs/high-availability.md.',
  held: 'End your own hold with darkroom release. For a copy, stop the other one first or let it go on, then: darkroom release --as successor or --as copy.',
  sweep_stopped:
    'See if database and storage belong together (darkroom doctor --audit). The files stay until fewer are without a row.',
  below_cost: 'Raise the prices by DARKROOM_PRICE_MULTIPLIERS, or end the permission in DARKROOM_BELOW_COST_MODELS.',
  unknown_cost:
    'Compare what the upstream bills with what the orders earned. State the cost in a catalog of your own, or leave the engine out.',
  model_ends: 'Set up an engine of another route, or tell the callers of the model to use its successor.',
} as const;

/** The input of an addition's checks. */
export interface Question {
  readonly now: number;
  readonly config: Config;
  /** The id of the process that asks; null = `darkroom doctor`. */
  readonly process: string | null;
  /** The options of `darkroom doctor`; empty in a process of the service. */
  readonly options: object;
  /** Whether lines are wanted that compare the installation with what production expects. */
  readonly production: boolean;
  /** The database; null = there is none yet, it cannot be read, or its schema is not this program's. */
  readonly read: Session | null;
}

/** The result of an audit: how many records were checked, and each fault as a sentence. */
export interface AuditReport {
  readonly looked: number;
  readonly faults: readonly string[];
}

/** A check of stored rows against the service's promises. It changes nothing, and reads in slices. */
export interface Audit {
  /** Subject of the audit, such as `orders`. */
  readonly what: string;
  readonly run: (read: Session) => Promise<AuditReport>;
}

/** A check of an addition. One that fails or hangs stops no other. */
export interface AddedCheck {
  /**
   * The part that is checked. Orders may wait for the result of `disks of workers`: whether workers other than the
   * asking process can write answers of engines.
   */
  readonly name: string;
  /**
   * Milliseconds between two runs in each process of the service, whose `/readyz` shows the results; absent = only
   * `darkroom doctor` runs it.
   */
  readonly everyMs?: number;
  /** Milliseconds after which a run has failed; absent = 10 seconds. */
  readonly limitMs?: number;
  /** Returns what was seen of each part. It changes nothing. */
  readonly run: (question: Question) => Promise<readonly Check[]>;
}
