import type * as store from '@darkroom-service/store';
import type { Schema } from './schema.ts';

/** The service's database: an SQLite file or a PostgreSQL server. */
export type Database = store.Store<Schema>;
/** Runs queries of the service's tables: built ad hoc, or prepared and given arguments. */
export type Session = store.Session<Schema>;
/**
 * A session inside a transaction. Code inside a transaction uses only this session and awaits nothing but the database.
 */
export type Transaction = store.Transaction<Schema>;
/**
 * Work that is committed completely or not at all. It may run again when another unit of its group fails, so it must
 * have no effects outside the database.
 */
export type Unit<T> = store.Unit<T, Schema>;
