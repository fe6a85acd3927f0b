import {
  type Argument,
  type ArgumentTypes,
  prepareSharedSelect as prepareSelectFor,
  prepareSharedUpdate as prepareUpdateFor,
  type Shared,
} from '@darkroom-service/store';
import type { Kysely, SelectQueryBuilder, UpdateQueryBuilder } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Prepares an update of one row that can be sent alone or for many rows at once.
 * @param name unique in the service
 * @param options.row the argument that names the row to change
 * @param build makes the statement; it must return its row
 */
export function prepareSharedUpdate<A extends object, R, T extends keyof Schema>(
  name: string,
  options: { readonly row: keyof A & string; readonly types: ArgumentTypes<A> },
  build: (builder: Kysely<Schema>, argument: Argument<A>) => UpdateQueryBuilder<Schema, T, T, R>,
): Shared<A, R> {
  return prepareUpdateFor<Schema, A, R, T>(name, options, build);
}

/**
 * Prepares a query of one row that can be sent alone or for many rows at once.
 * @param build makes the query; its conditions must find at most one row
 */
export function prepareSharedSelect<A extends object, R, T extends keyof Schema>(
  name: string,
  types: ArgumentTypes<A>,
  build: (builder: Kysely<Schema>, argument: Argument<A>) => SelectQueryBuilder<Schema, T, R>,
): Shared<A, R> {
  return prepareSelectFor<Schema, A, R, T>(name, types, build);
}
