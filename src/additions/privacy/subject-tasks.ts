import { sql } from 'kysely';
import { scopeDigest } from '../../accounts/scope.ts';
import type { Session } from '../../kernel.ts';
import type { DataRequest } from './data-requests.ts';

/** A range of an index of tasks: one key and type. */
export interface Range {
  readonly keyId: string;
  readonly type: 'image' | 'video';
}

export const PAGE = 100;

/** The keys of an account, revoked ones too, in a fixed order. */
export async function keysOf(session: Session, accountId: string): Promise<string[]> {
  const rows = await session.all(
    session.builder.selectFrom('api_keys').select('id').where('account_id', '=', accountId).orderBy('id'),
  );
  return rows.map(({ id }) => id);
}

export function rangesOf(keys: readonly string[]): Range[] {
  return keys.flatMap((keyId) => (['image', 'video'] as const).map((type) => ({ keyId, type })));
}

/** Selects the tasks of one range that a request is about, by id. Erased ones of an end user have only its scope. */
export function selectTasks(
  { builder }: Session,
  request: DataRequest,
  { keyId, type }: Range,
  which: 'with content' | 'all',
) {
  let select = builder
    .selectFrom('tasks')
    .where('api_key_id', '=', keyId)
    .where('type', '=', type)
    .orderBy('id')
    .limit(PAGE);
  // A closed account gets no further orders but those that were on their way.
  const isWhole = request.kind === 'erasure' && request.end_user === null;
  if (!isWhole) select = select.where('created_at', '<=', request.requested_at);
  if (which === 'with content') select = select.where('erased_at', 'is', null);
  const { end_user: endUser } = request;
  if (endUser === null) return select;
  if (which === 'with content') return select.where('end_user', '=', endUser);
  return select.where('scope', '=', scopeDigest(keyId, endUser));
}

/** Counts orders of batches that are no tasks yet: portions that name the end user, or all of the account. */
export async function countUnplaced(session: Session, request: DataRequest, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  let select = session.builder
    .selectFrom('batches')
    .innerJoin('batch_portions', 'batch_portions.batch_id', 'batches.id')
    .select('end_users_json')
    .where('batches.api_key_id', 'in', [...keys])
    .where('batches.status', '=', sql.lit('processing'))
    .where('batches.created_at', '<=', request.requested_at);
  if (request.end_user !== null) select = select.where('end_users_json', '<>', '{}');
  const rows = await session.all(select);
  if (request.end_user === null) return rows.length;
  const { end_user: endUser } = request;
  return rows.filter(({ end_users_json: text }) => Object.hasOwn(JSON.parse(text) as object, endUser)).length;
}
