import type { Fixed } from '@darkroom-service/store';

/** Tables whose rows are summed by day. */
export type SummedTable = 'usage' | 'costs' | 'quarters';

/** Extent of the sums by day, a row for each summed table. Days are counted from 1970 in UTC. */
export interface ClosedDaysTable {
  name: Fixed<SummedTable>;
  /** The sums of all days before this one are kept, and reports read them instead of rows. */
  before_day: number;
  /** Increases when rows that are summed change, so that sums read before are not stored or used. */
  revision: number;
  /** Rows of days before this one may have been removed: only their sums are complete. Null = none was removed. */
  removed_before_day: number | null;
}

/** Tasks by the day of their creation. All tasks of a closed day are final, so only refunds change its sums. */
export interface UsageDaysTable {
  api_key_id: Fixed<string>;
  day: Fixed<number>;
  model_id: Fixed<string>;
  status: Fixed<'succeeded' | 'failed' | 'canceled'>;
  tasks: number;
  charged: number;
}

/** Tasks by the quarter of an hour of their creation, counted from 1970, and by end user. */
export interface UsageQuartersTable {
  api_key_id: Fixed<string>;
  quarter: Fixed<number>;
  model_id: Fixed<string>;
  status: Fixed<'succeeded' | 'failed' | 'canceled'>;
  /** Empty = no end user, or one that was erased. */
  end_user: Fixed<string>;
  /** A spelling of the end user's name as sent. */
  end_user_sent: string | null;
  tasks: number;
  charged: number;
}

/** The figures of the cost report by the day on which orders were settled. */
export interface CostDaysTable extends CostFigures {
  day: Fixed<number>;
  account_id: Fixed<string>;
  model_id: Fixed<string>;
  engine: Fixed<string>;
}

/** Amounts are micro-dollars; the others count orders. */
export interface CostFigures {
  orders: number;
  unsuccessful: number;
  unknown: number;
  revenue: number;
  expected: number;
  told: number;
  /** Costs of orders of known outcome: reported where the upstream did so, otherwise expected. */
  cost: number;
  /** Orders of known outcome and unknown cost. */
  without_amount: number;
  differing: number;
  below_cost: number;
  /** Revenue of the orders that count in `without_amount`. */
  revenue_without_amount: number;
  /** Costs of orders of unknown outcome if their upstreams made them, where that is reported or expected. */
  unknown_cost: number;
}
