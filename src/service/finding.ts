import type { Session } from '../database/database.ts';

/** Result of a check of the doctor and, if it is not in order, the remedy. */
export interface Observation {
  readonly status: 'ok' | 'warning' | 'failed';
  readonly found: string;
  readonly advice: string | null;
}

/** Returns the observation of something that is in order. */
export function ok(found: string): Observation {
  return { status: 'ok', found, advice: null };
}

/** Returns the observation of something that an operator should look at. */
export function warning(found: string, advice: string): Observation {
  return { status: 'warning', found, advice };
}

/** Returns the observation of something that does not work. */
export function failed(found: string, advice: string): Observation {
  return { status: 'failed', found, advice };
}

/** An observation under the name that `darkroom doctor` prints. */
export interface Finding extends Observation {
  readonly name: string;
  /** The expected state, in lines of `darkroom doctor --production`. */
  readonly expected?: string;
}

/** The input of the doctor's checks. */
export interface Question {
  readonly now: number;
  /** The options of `darkroom doctor`. */
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
  /** @param most maximum number of faults to look for */
  readonly run: (read: Session, most: number) => Promise<AuditReport>;
}

/** A check of an addition. */
export interface AddedCheck {
  readonly name: string;
  /** Whether the addition carries notices between processes. */
  readonly carriesNotices: boolean;
  readonly run: (read: Session | null) => Promise<Finding[]>;
}
