import { selectUnplacedParts } from '@darkroom-service/addition-common/limits/unplaced-parts';
import { canonicalName } from '@darkroom-service/contract';
import { type Kernel, type Session, scopeDigest } from '@darkroom-service/darkroom/kernel';
import type { DataRequest } from './data-requests.ts';

/** A range of an index of tasks: one key and type. */
export interface Range {
  readonly keyId: string;
  readonly type: 'image' | 'video';
}

export const PAGE = 100;

/** Returns the keys of an account, including revoked ones, in a fixed order. */
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
  // A closed account gets no further orders except those that were being placed.
  const isWhole = request.kind === 'erasure' && request.end_user === null;
  if (!isWhole) select = select.where('created_at', '<=', request.requested_at);
  if (which === 'with content') select = select.where('erased_at', 'is', null);
  const { end_user: endUser } = request;
  if (endUser === null) return select;
  if (which === 'with content') return select.where('end_user', '=', endUser);
  return select.where('scope', '=', scopeDigest(keyId, endUser));
}

/** Counts the unplaced parts of groups of orders: those that name the end user, or all of the account. */
export async function countUnplaced(
  { store: { read }, hooks }: Pick<Kernel, 'hooks' | 'store'>,
  { end_user: endUser, requested_at: until }: DataRequest,
  keys: readonly string[],
): Promise<number> {
  if (keys.length === 0) return 0;
  const parts = selectUnplacedParts(read, hooks).select('end_users_json').where('api_key_id', 'in', keys);
  // A closed account gets no further orders except those that were being placed.
  if (endUser === null) return (await read.all(parts)).length;
  const before = await read.all(parts.where('created_at', '<=', until));
  return before.filter(({ end_users_json: names }) =>
    Object.keys(JSON.parse(names) as object).some((name) => canonicalName(name) === endUser),
  ).length;
}
