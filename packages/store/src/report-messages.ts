import type { ErrorCode } from '@darkroom-service/contract';
import type { SliceQuestion } from './scan-texts.ts';

/** The database that the report thread reads. */
export interface ReportDatabase {
  /** The file of the embedded database. */
  readonly path: string;
  /** A PostgreSQL server; null = the embedded database. */
  readonly url: string | null;
  /** A standby of the server that answers instead, while it is close behind. */
  readonly replicaUrl: string | null;
}

/** Runs one query on a connection of the report thread. */
export type ReadRows = (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>;

/** A query, or a slice of a search, for the report thread. */
export type ReportQuestion = { readonly sql: string; readonly parameters: readonly unknown[] } | SliceQuestion;

/** The rows or the result of a slice, or the reason for which there is none. */
export type ReportAnswer = { readonly found: unknown } | { readonly fault: string; readonly code: ErrorCode | null };
