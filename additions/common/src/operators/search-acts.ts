import { type AuditEntry, timeIdPrefix } from '@darkroom-service/contract';
import type { Schema, Session } from '@darkroom-service/darkroom/kernel';
import { viewAct } from '@darkroom-service/darkroom/kernel-accounts';
import type { SelectQueryBuilder } from 'kysely';

/** Filter of the audit log; an absent field does not filter. */
export interface ActFilter {
  /** Id or name of the actor. */
  readonly actor?: string | undefined;
  /** An act such as `key.create`, or `key` for all acts whose names begin with `key.`. */
  readonly act?: string | undefined;
  /** Id of the changed object. */
  readonly target?: string | undefined;
  /** Milliseconds since 1970 UTC; `to` is excluded. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Number of entries that an export reads at a time. */
const PORTION = 500;

type Select = SelectQueryBuilder<Schema, 'audit_log', object>;

/** Lists acts, newest first. @param page.after the `audit_id` to continue from */
export async function listActs(
  session: Session,
  page: { readonly limit: number; readonly after: string | null; readonly filter?: ActFilter },
): Promise<{ readonly items: AuditEntry[]; readonly hasMore: boolean }> {
  let query = selectActs(session, page.filter ?? {});
  if (page.after !== null) query = query.where('id', '<', page.after);
  const rows = await session.all(
    query
      .selectAll()
      .orderBy('id', 'desc')
      .limit(page.limit + 1),
  );
  return { items: rows.slice(0, page.limit).map(viewAct), hasMore: rows.length > page.limit };
}

/** Yields acts as JSON lines, oldest first. Reads a portion at a time. */
export async function* exportActs(session: Session, filter: ActFilter): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const rows = await session.all(
      selectActs(session, filter).selectAll().where('id', '>', after).orderBy('id').limit(PORTION),
    );
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(viewAct(row))}\n`).join('');
    if (rows.length < PORTION) return;
    after = rows.at(-1)?.id ?? after;
  }
}

function selectActs({ builder }: Session, { actor, act, target, from, to }: ActFilter): Select {
  let select: Select = builder.selectFrom('audit_log');
  if (actor !== undefined)
    select = select.where((expression) =>
      expression.or([expression('actor', '=', actor), expression('actor_name', '=', actor)]),
    );
  // `/` follows `.` in the order of characters.
  if (act?.includes('.')) select = select.where('act', '=', act);
  else if (act !== undefined) select = select.where('act', '>=', `${act}.`).where('act', '<', `${act}/`);
  if (target !== undefined) select = select.where('target', '=', target);
  if (from !== undefined) select = select.where('id', '>=', timeIdPrefix('aud', from));
  if (to !== undefined) select = select.where('id', '<', timeIdPrefix('aud', to));
  return select;
}
