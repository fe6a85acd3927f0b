/** An engine's report on itself, made at no cost. */
export interface Probed {
  readonly ok: boolean;
  readonly message: string;
  /**
   * The results that the engine cannot make on this machine although it works, such as `films`; `message` has the
   * reason.
   */
  readonly cannotMake?: string;
  /** The reason of a failed connection, with its host: for the operator alone. */
  readonly cause?: string;
  /** True if the upstream answered and refused the key. */
  readonly refusesKey?: true;
  /** The upstream models that an own server makes now, as routes name them; absent = not reported. */
  readonly models?: readonly string[];
  /** Reasons for which other models are not made, by name; absent = not reported. */
  readonly refused?: ReadonlyMap<string, string>;
}

/**
 * Function that reads the balance of the operator's account at an upstream, as a decimal number of units. Only if the
 * upstream documents it; free of charge.
 */
export type ReadBalance = (context: {
  readonly signal: AbortSignal;
}) => Promise<{ readonly amount: string; readonly unit: string }>;
