import type { Session } from '@darkroom-service/darkroom/kernel';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Owner } from './order-subject.ts';

/** A part of the newest orders of one type, in the order of an index. */
export interface Walk {
  /** Ids, newest first. */
  readonly ids: readonly string[];
  /** Oldest order that was read, if there are older ones; null = all were read, or enough were found. */
  readonly end: { readonly id: string; readonly createdAt: number } | null;
}

/** The orders that a walk looks for. */
export interface Wanted {
  readonly failedOnly: boolean;
  readonly modes: readonly ('live' | 'test')[];
  /** The queues; null = any. */
  readonly queues: readonly string[] | null;
  /** Orders after this one in the list; null = from the newest. */
  readonly after: string | null;
  readonly limit: number;
}

/** Orders found by the walks, newest first, and where they continue. */
export interface Merged {
  readonly ids: readonly string[];
  /** Id after which the list continues; null = this is its end. */
  readonly nextAfter: string | null;
  /** Time since which placed orders were read; null = all were. */
  readonly since: number | null;
}

const PREFIXES = ['img', 'vid'] as const;
/** Maximum number of orders that one walk reads, and that all walks of a page read together. */
const LOOKED_AT = 20_000;
const ALL_LOOKED_AT = 200_000;

/** Walks through the orders of all keys. @param fits about `newest`, `accounts` and `api_keys`; null = any */
export function walkAll(session: Session, wanted: Wanted, fits: RawBuilder<SqlBool> | null): Promise<Walk>[] {
  return PREFIXES.map((prefix) =>
    walk(session, wanted, {
      prefix,
      from: sql`tasks.id >= ${`${prefix}_`}`,
      isIndexed: false,
      lookedAt: LOOKED_AT,
      fits,
    }),
  );
}

/** Walks through the orders of some keys, or of a customer at them. @param fits as above */
export function walkOwners(
  session: Session,
  wanted: Wanted,
  owners: readonly Owner[],
  fits: RawBuilder<SqlBool> | null = null,
): Promise<Walk>[] {
  const lookedAt = Math.min(LOOKED_AT, Math.floor(ALL_LOOKED_AT / (owners.length * PREFIXES.length)));
  return owners.flatMap(({ keyId, endUser }) =>
    PREFIXES.map((prefix) => {
      const type = prefix === 'img' ? 'image' : 'video';
      const ofKey = sql<SqlBool>`tasks.api_key_id = ${keyId} and tasks.type = ${type}`;
      const from = endUser === null ? ofKey : sql<SqlBool>`${ofKey} and tasks.end_user = ${endUser}`;
      const isIndexed = endUser === null && wanted.failedOnly;
      return walk(session, wanted, { prefix, from, isIndexed, lookedAt, fits });
    }),
  );
}

/** Merges walks, down to the position that all of them have reached. */
export function mergeWalks(walks: readonly Walk[], limit: number): Merged {
  const ends = walks.flatMap(({ end }) => (end === null ? [] : [end]));
  const end = ends.toSorted((a, b) => compareIds(b.id, a.id))[0] ?? null;
  const found = [...new Set(walks.flatMap(({ ids }) => ids))].sort((a, b) => compareIds(b, a));
  const reached = end === null ? found : found.filter((id) => compareIds(id, end.id) >= 0);
  const ids = reached.slice(0, limit);
  if (reached.length > limit) return { ids, nextAfter: ids.at(-1) ?? null, since: null };
  return { ids, nextAfter: end?.id ?? null, since: end?.createdAt ?? null };
}

/** Compares ids of both types by their time. */
export function compareIds(a: string, b: string): number {
  const [first, second] = [timeOf(a), timeOf(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Returns the part of an id that sorts by time, the same for both types. */
export function timeOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

interface Range {
  readonly prefix: (typeof PREFIXES)[number];
  /** Condition that an index answers. */
  readonly from: RawBuilder<SqlBool>;
  /** Whether the index excludes orders that succeeded. */
  readonly isIndexed: boolean;
  readonly lookedAt: number;
  /** Further condition on `newest`, `accounts` and `api_keys`; null = none. */
  readonly fits: RawBuilder<SqlBool> | null;
}

async function walk(
  session: Session,
  wanted: Wanted,
  { prefix, from, isIndexed, lookedAt, fits }: Range,
): Promise<Walk> {
  const { failedOnly, modes, queues, after, limit } = wanted;
  const below = `${prefix}_${after === null ? '~' : timeOf(after)}`;
  let range = session.builder.selectFrom('tasks').where(from).where('tasks.id', '<', below).orderBy('tasks.id', 'desc');
  // Exactly as in the index: SQLite does not infer it from a bound value.
  if (isIndexed) range = range.where('status', '=', 'failed').where(sql<boolean>`status <> 'succeeded'`);
  const newest = range
    .select(['id', 'model_id', 'queue', 'price', 'status', 'mode', 'account_id', 'api_key_id', 'end_user'])
    .select(['metadata_json', 'error_json', 'input_json', 'deleted_at'])
    .limit(lookedAt);
  let select = session.builder
    .selectFrom(newest.as('newest'))
    .select('newest.id')
    .where('newest.mode', 'in', modes)
    .orderBy('newest.id', 'desc')
    .limit(limit + 1);
  if (failedOnly) select = select.where('newest.status', '=', 'failed');
  if (queues !== null) select = select.where('newest.queue', 'in', queues);
  const found =
    fits === null
      ? select
      : select
          .innerJoin('accounts', 'accounts.id', 'newest.account_id')
          .innerJoin('api_keys', 'api_keys.id', 'newest.api_key_id')
          .where(fits);
  const ids = (await session.all(found)).map(({ id }) => id);
  if (ids.length > limit) return { ids, end: null };
  const last = await session.first(
    range
      .select(['id', 'created_at'])
      .limit(1)
      .offset(lookedAt - 1),
  );
  return { ids, end: last === undefined ? null : { id: last.id, createdAt: last.created_at } };
}
