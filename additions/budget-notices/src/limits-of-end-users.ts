import { viewScope, zoneOf } from '@darkroom-service/addition-common/limits/scope-limits';
import type { SpendingAt } from '@darkroom-service/addition-common/limits/scope-spending';
import { parseMicros } from '@darkroom-service/contract';
import { prepare, type Session, scopeDigest, sql } from '@darkroom-service/darkroom/kernel';
import { type LimitedKey, limitsAny } from './limited-keys.ts';
import { type ReachedLimit, reachedOf } from './reached-limit.ts';

interface NextArguments {
  key: string;
  after: string;
}

interface Next {
  end_user: string | null;
}

/** Reads one name from each index, so that a key's end users are not found by reading all of its orders. */
const nextWithOrders = prepare<NextArguments, Next>('budget_next_end_user', (builder, argument) => {
  const ordered = (type: 'image' | 'video') =>
    builder
      .selectFrom('tasks')
      .select(({ fn }) => fn.min<string | null>('end_user').as('end_user'))
      .where('api_key_id', '=', argument('key'))
      .where('type', '=', sql.lit(type))
      .where('end_user', '>', argument('after'));
  return builder
    .selectFrom(ordered('image').unionAll(ordered('video')).as('names'))
    .select(({ fn }) => fn.min<string | null>('end_user').as('end_user'));
});

const nextWithLimits = prepare<NextArguments, Next>('budget_next_limited', (builder, argument) =>
  builder
    .selectFrom('end_users')
    .select(({ fn }) => fn.min<string | null>('end_user').as('end_user'))
    .where('api_key_id', '=', argument('key'))
    .where('end_user', '>', argument('after'))
    .where('limits_json', '!=', sql.lit('{}')),
);

/**
 * Yields the limits of a key's end users of which an unreported share is reached.
 * @param signal ends it before the next end user
 */
export async function* reachedByEndUsers(
  read: Session,
  key: LimitedKey,
  at: SpendingAt,
  signal: AbortSignal,
): AsyncGenerator<ReachedLimit> {
  // A limit of the key applies to all end users with orders.
  const next = limitsAny(key.endUserLimits) ? nextWithOrders : key.limitsEndUsers ? nextWithLimits : null;
  if (next === null) return;
  for (let after = ''; !signal.aborted; ) {
    const endUser = (await read.first(next, { key: key.id, after }))?.end_user ?? null;
    if (endUser === null) return;
    const { limits: own, windows } = await viewScope(read, key, endUser, at);
    const { day, month, total } = windows;
    const limits = { day: microsOf(day.limit), month: microsOf(month.limit), total: microsOf(total.limit) };
    const used = async (window: keyof typeof windows) =>
      (microsOf(windows[window].charged) ?? 0) + (microsOf(windows[window].held) ?? 0);
    yield* reachedOf(
      read,
      { key, endUser, subject: scopeDigest(key.id, endUser) },
      { limits, zone: zoneOf(key, own), used },
      at.now,
    );
    after = endUser;
  }
}

function microsOf(shown: string | null): number | null {
  return shown === null ? null : parseMicros(shown);
}
