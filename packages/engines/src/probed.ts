/** An engine's report on itself, made at no cost. */
export interface Probed {
  readonly ok: boolean;
  readonly message: string;
  /** The results that it cannot make on this machine although it works, such as `films`: `message` says why. */
  readonly cannotMake?: string;
  /** The reason of a failed connection, with its host: for the operator alone. */
  readonly cause?: string;
  /** The upstream answered, and refused the key. */
  readonly refusesKey?: true;
  /** The upstream models that a server of one's own makes now, as routes name them; absent = not told. */
  readonly models?: readonly string[];
  /** Reasons why other models are not made, by name; absent = not told. */
  readonly refused?: ReadonlyMap<string, string>;
}

/**
 * Tells what is left in the operator's account at an upstream, as a decimal number of units. Only where the upstream
 * documents it; free of charge.
 */
export type ReadBalance = (context: {
  readonly signal: AbortSignal;
}) => Promise<{ readonly amount: string; readonly unit: string }>;
