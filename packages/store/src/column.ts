import type { ColumnType } from 'kysely';

/** A column that is not updated after the insert. */
export type Fixed<T> = ColumnType<T, T, never>;
