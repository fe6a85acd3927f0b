import type { AuditEntry } from '@darkroom-service/contract/admin';
import { isoTime } from '@darkroom-service/contract/clock';
import type { JsonObject } from '@darkroom-service/contract/json';
import type { Session, Transaction } from '../database/database.ts';
import type { Binding } from '../database/deeds.ts';

/** The actor and the time of a change to accounts, keys, engines or tasks. */
export interface Act {
  /** The id of an admin key, or `command line`, or `first start`. */
  readonly actor: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly createId: (prefix: string) => string;
  /** Ties the caller's Idempotency-Key to what the act makes or changes; left out, there is none. */
  readonly binding?: Binding;
}

/**
 * Records an act in the transaction that performs it, so that neither exists without the other. `detail` must not
 * contain secrets.
 */
export async function recordAct(
  trx: Transaction,
  by: Act,
  what: { readonly act: string; readonly target: string | null; readonly detail?: JsonObject },
): Promise<void> {
  await trx.run(
    trx.builder.insertInto('audit_log').values({
      id: by.createId('aud'),
      actor: by.actor,
      act: what.act,
      target: what.target,
      detail_json: JSON.stringify(what.detail ?? {}),
      created_at: by.now,
    }),
  );
}

/** Lists acts, newest first; `after` is the `audit_id` to continue from. */
export async function listActs(
  session: Session,
  page: { readonly limit: number; readonly after: string | null },
): Promise<{ readonly items: AuditEntry[]; readonly hasMore: boolean }> {
  let query = session.builder
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  if (page.after !== null) query = query.where('id', '<', page.after);
  const rows = await session.all(query);
  return {
    items: rows.slice(0, page.limit).map((row) => ({
      audit_id: row.id,
      actor: row.actor,
      act: row.act,
      target: row.target,
      detail: detailOf(row),
      created_at: isoTime(row.created_at),
    })),
    hasMore: rows.length > page.limit,
  };
}

function detailOf(row: { readonly detail_json: string }): JsonObject {
  return JSON.parse(row.detail_json) as JsonObject;
}
