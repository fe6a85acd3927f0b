import type { Fixed } from './column.ts';

/** Idempotency keys of callers, and what each stands for. */
export interface IdempotencyTable {
  /** The API key's id, or `admin` for credits. */
  scope: Fixed<string>;
  idempotency_key: Fixed<string>;
  fingerprint: Fixed<string>;
  /** The task, the batch, or the ledger entry of a credit. */
  subject_id: Fixed<string>;
}
