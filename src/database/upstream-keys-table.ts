import type { Fixed } from './column.ts';

/** Keys of accounts for orders at their own upstream account. One per account and engine is not removed. */
export interface UpstreamKeysTable {
  id: Fixed<string>;
  account_id: Fixed<string>;
  /** The kind of engine, as routes of the catalog name it. */
  engine: Fixed<string>;
  /** The secret, sealed with the operator's key; null once no order needs it. */
  sealed: string | null;
  last_four: Fixed<string>;
  /** The API key that set it. */
  set_by: Fixed<string>;
  set_at: Fixed<number>;
  /** Removed or replaced: only orders that were submitted with it still use it. */
  removed_at: number | null;
}
