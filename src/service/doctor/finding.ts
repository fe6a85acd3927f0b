/** One check: what was found and, if it is not in order, what to do. */
export interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly found: string;
  readonly advice: string | null;
}

/** What the operator asks of the checks. */
export interface Question {
  readonly now: number;
  /** The options of `darkroom doctor`. */
  readonly options: object;
}

/** A check of an addition. */
export interface AddedCheck {
  readonly name: string;
  readonly look: () => Promise<Finding[]>;
}
