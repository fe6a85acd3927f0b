/** The header fields of draft-ietf-httpapi-ratelimit-headers. */
type RateLimitHeaders = { readonly 'ratelimit-policy': string; readonly ratelimit: string };

export interface BudgetState {
  readonly name: string;
  /** Absent where requests are counted. */
  readonly unit?: string;
  readonly limit: number;
  readonly remaining: number;
  /** 60 for an amount per minute; null for a concurrent amount. */
  readonly windowSeconds: number | null;
  /** Seconds until an amount per minute is fully refilled, or until the oldest requests no longer count. */
  readonly resetSeconds: number | null;
}

/** Formats the states as header fields, with one list member per budget. */
export function rateLimitHeaders(states: readonly BudgetState[]): RateLimitHeaders {
  return {
    'ratelimit-policy': states.map(policyOf).join(', '),
    ratelimit: states.map(remainderOf).join(', '),
  };
}

function policyOf({ name, unit, limit, windowSeconds }: BudgetState): string {
  const window = windowSeconds === null ? '' : `;w=${windowSeconds}`;
  return `"${name}";q=${limit}${unit === undefined ? '' : `;qu="${unit}"`}${window}`;
}

function remainderOf({ name, remaining, resetSeconds }: BudgetState): string {
  return `"${name}";r=${remaining}${resetSeconds === null ? '' : `;t=${resetSeconds}`}`;
}
