import type { Check, Observation } from '../check.ts';

/** Prefix of the names of the lines that `darkroom doctor --production` adds. */
const PREFIX = 'production ';

/** A condition that an installation in production meets, beyond the ordinary checks. */
export interface Expectation {
  /** Name of the line behind `production`, and of its value in `--accept`. */
  readonly name: string;
  /** The expected state, as a phrase. */
  readonly expected: string;
  /** @throws Error if the state cannot be read */
  readonly look: () => Promise<Observation>;
}

/** Compares the installation with an expectation. A look that fails is a finding, too. */
export async function judgeExpectation({ name, expected, look }: Expectation): Promise<Check> {
  const observed = await look().catch(
    ({ message }: Error): Observation => ({
      status: 'failed',
      found: message,
      advice: 'See what the message says, then run darkroom doctor --production again.',
    }),
  );
  return { name: `${PREFIX}${name}`, expected, ...observed };
}

/**
 * Marks a line of production as met when the operator has accepted its name, because something that the service cannot
 * see meets it, such as a managed database that replicates below the commit.
 */
export function acceptFinding(finding: Check, accepted: readonly string[]): Check {
  const isAccepted = accepted.some((name) => finding.name === `${PREFIX}${name}`);
  if (finding.status === 'ok' || !isAccepted) return finding;
  return { ...finding, status: 'ok', found: `${finding.found} (accepted)`, advice: null };
}

/** Returns the accepted names that no line of production has; none if faulty settings prevented these lines. */
export function unknownNames(accepted: readonly string[], findings: readonly Check[]): string[] {
  if (!findings.some(({ name }) => name.startsWith(PREFIX))) return [];
  return accepted.filter((name) => !findings.some((finding) => finding.name === `${PREFIX}${name}`));
}
