import type { Fixed } from './column.ts';

/** What is left in the operator's accounts at upstreams that tell it. */
export interface UpstreamBalancesTable {
  engine: Fixed<string>;
  /** A decimal number, as last told; null = never told. */
  amount: string | null;
  unit: string | null;
  told_at: number | null;
  asked_at: number;
  /** Why the last request failed; null if it did not. */
  error: string | null;
}
