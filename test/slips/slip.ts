/** A test file, or some of its tests, that must notice a slip. */
export interface NearTest {
  /** From the root of the repository. */
  readonly file: string;
  /** A pattern of the names of the tests that suffice; absent: all of the file. */
  readonly only?: string;
  /** The database of files that run on one at a time; absent: the embedded one. */
  readonly database?: 'postgres';
}

/** A small, plausible mistake in the code of a promise. */
export interface Slip {
  /** The number by which reports name it. It stays with the slip. */
  readonly id: string;
  /**
   * 1: an order is lost, a thing is paid or charged twice, or an account is overdrawn; 2: a wrong answer, sum or limit;
   * 3: the rest.
   */
  readonly severity: 1 | 2 | 3;
  /** What no longer holds with the slip, as a sentence that should be true. */
  readonly promise: string;
  /** From the root of the repository. */
  readonly file: string;
  /** A text that stands once in the file, and the one that takes its place. */
  readonly change: readonly [from: string, to: string];
  /** Run in this order until one is red. */
  readonly tests: readonly NearTest[];
  /** A judge of `npm run lives` notices it within so many orders from the first seed on; absent: it is not tried. */
  readonly lives?: number;
}

/**
 * Returns a source with the slip in it.
 * @throws Error naming the slip, unless the text to change stands in the source exactly once
 */
export function applySlip({ id, file, change: [from, to] }: Slip, source: string): string {
  const [before, after, ...more] = source.split(from);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(
      `slip ${id}: expected its text once in ${file}, found it ${source.split(from).length - 1} times. Rewrite the slip for the code as it is now: ${JSON.stringify(from)}`,
    );
  return `${before}${to}${after}`;
}
