import { type AuditEntry, isoTime, type JsonObject } from '@darkroom-service/contract';
import type { Selectable } from 'kysely';
import type { Transaction } from '../database/database.ts';
import type { Binding } from '../database/deeds.ts';
import type { Schema } from '../database/schema.ts';
import { differenceOf, shownFields, withoutOwnSecrets } from './audited-fields.ts';

/** The author of a change. */
export interface Actor {
  /** A `key_…`, a `psn_…`, or the name of a program. */
  readonly id: string;
  /** The name at that time; null for a program. */
  readonly name: string | null;
  readonly kind: 'key' | 'person' | 'program';
}

/** The actor and the time of a change to accounts, keys, engines or tasks. */
export interface Act {
  /** A text names a program: `command line` or `first start`. */
  readonly actor: Actor | string;
  /** The address of the request, as the service trusts it, or the host of the command; absent = unknown. */
  readonly address?: string | null;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly createId: (prefix: string) => string;
  /** Binds the caller's Idempotency-Key to the record that the act creates or changes; absent = no key. */
  readonly binding?: Binding;
}

/** A change as recorded in the audit log. */
export interface What {
  /** The kind of change, such as `key.create`. */
  readonly act: string;
  readonly target: string | null;
  /** Details, of which only the fields of `audited-fields.ts` are shown. */
  readonly detail?: JsonObject;
}

/** Returns the actor that an entry of the audit log names for an act. */
export function actorOf({ actor }: Pick<Act, 'actor'>): Actor {
  return typeof actor === 'string' ? { id: actor, name: null, kind: 'program' } : actor;
}

/**
 * Records an act in the transaction that performs it, so that neither exists without the other. No statement changes
 * an entry, and only `trim-audit.ts` removes some.
 */
export async function recordAct(trx: Transaction, by: Act, what: What): Promise<void> {
  const actor = actorOf(by);
  await trx.run(
    trx.builder.insertInto('audit_log').values({
      id: by.createId('aud'),
      actor: actor.id,
      actor_kind: actor.kind,
      actor_name: actor.name,
      address: by.address ?? null,
      act: what.act,
      target: what.target === null ? null : withoutOwnSecrets(what.target),
      detail_json: JSON.stringify(shownFields(what.detail ?? {})),
      created_at: by.now,
    }),
  );
}

/**
 * Records an act with the fields that it changes. If none differs, nothing has changed and nothing is recorded.
 * @returns whether it was recorded
 */
export async function recordChange<T extends object>(
  trx: Transaction,
  by: Act,
  what: What & { readonly before: T; readonly after: T },
): Promise<boolean> {
  const difference = differenceOf(what.before, what.after);
  if (difference === null) return false;
  const { act, target, detail = {} } = what;
  await recordAct(trx, by, { act, target, detail: { ...detail, ...difference } });
  return true;
}

/** Returns an entry as operators see it. */
export function viewAct(row: Selectable<Schema['audit_log']>): AuditEntry {
  return {
    audit_id: row.id,
    actor: row.actor,
    // A migration records no kind.
    actor_kind: row.actor_kind ?? 'program',
    actor_name: row.actor_name,
    address: row.address,
    act: row.act,
    target: row.target,
    detail: JSON.parse(row.detail_json) as JsonObject,
    created_at: isoTime(row.created_at),
  };
}
