import { isoTime, ServiceError, type UpstreamKeyView } from '@darkroom-service/contract';
import { type Selectable, sql } from 'kysely';
import {
  type Act,
  actorOf,
  IN_FLIGHT,
  type Kernel,
  SealFault,
  type Session,
  type Store,
  type Transaction,
  type Vault,
} from '../../kernel.ts';
import { keyedEngine } from '../../kernel-accounts.ts';
import type { UpstreamKeysTable } from './upstream-key-tables.ts';

type UpstreamKeyRow = Selectable<UpstreamKeysTable>;
/** The columns of an upstream key that open its secret. */
export type SealedKey = Pick<UpstreamKeyRow, 'id' | 'account_id' | 'engine' | 'sealed'>;
/** Names an upstream key that is in force. */
export interface KeyOwner {
  readonly accountId: string;
  /** The kind of engine. */
  readonly engine: string;
}

/**
 * Time after which a worker that read the key before its removal has either submitted the order or read the removal.
 */
const ERASED_AFTER_MS = 60_000;

/** Returns the subject for which a secret is sealed: it opens for no other account, engine or record. */
export function subjectOf({ id, account_id, engine }: Pick<UpstreamKeyRow, 'id' | 'account_id' | 'engine'>): string {
  return JSON.stringify([id, account_id, engine]);
}

/** Sets the upstream key of an account. @returns the engine of the key that it replaces; null = it had none */
export async function setUpstreamKey(
  { accounts, store }: Pick<Kernel, 'accounts' | 'store'>,
  by: Act,
  { accountId, engine }: KeyOwner,
  secret: string,
  vault: Vault,
): Promise<string | null> {
  const id = by.createId('upk');
  const sealed = vault.seal(secret, subjectOf({ id, account_id: accountId, engine }));
  const last_four = secret.slice(-4);
  return await store.write('set_upstream_key', async (trx) => {
    const replaced = await retire(trx, by.now, { accountId, engine });
    await trx.run(
      trx.builder.insertInto('upstream_keys').values({
        id,
        engine,
        sealed,
        last_four,
        account_id: accountId,
        set_by: actorOf(by).id,
        set_at: by.now,
        removed_at: null,
      }),
    );
    await accounts.record(trx, by, {
      act: 'upstream_key.set',
      target: accountId,
      detail: { engine, upstream_key_id: id, last_four, replaced: replaced?.id ?? null },
    });
    return replaced === null ? null : keyedEngine(engine, replaced.id);
  });
}

/**
 * Removes the upstream key of an account. Orders that were submitted with it keep it until they end.
 * @returns the key's engine
 * @throws ServiceError `not_found`
 */
export async function removeUpstreamKey(
  { accounts, store }: Pick<Kernel, 'accounts' | 'store'>,
  by: Act,
  owner: KeyOwner,
): Promise<string> {
  return await store.write('remove_upstream_key', async (trx) => {
    const removed = await retire(trx, by.now, owner);
    const { engine, accountId } = owner;
    if (removed === null)
      throw new ServiceError('not_found', `The account has no upstream key for ${engine}.`, { param: 'engine' });
    await accounts.record(trx, by, {
      act: 'upstream_key.remove',
      target: accountId,
      detail: { engine, upstream_key_id: removed.id, last_four: removed.last_four },
    });
    return keyedEngine(engine, removed.id);
  });
}

async function retire(trx: Transaction, now: number, { accountId, engine }: KeyOwner): Promise<UpstreamKeyRow | null> {
  await trx.lock(`upstream-keys:${accountId}`);
  const row = await trx.first(
    trx.builder
      .selectFrom('upstream_keys')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('engine', '=', engine)
      .where('removed_at', 'is', null),
  );
  if (row === undefined) return null;
  await trx.run(trx.builder.updateTable('upstream_keys').set({ removed_at: now }).where('id', '=', row.id));
  return row;
}

/**
 * Lists the upstream keys of an account that are in force.
 * @param problemOf returns the reason why orders with a key are refused now
 */
export async function listUpstreamKeys(
  session: Session,
  accountId: string,
  problemOf: (engine: string) => string | null,
): Promise<UpstreamKeyView[]> {
  const rows = await session.all(
    session.builder
      .selectFrom('upstream_keys')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('removed_at', 'is', null)
      .orderBy('engine'),
  );
  return rows.map(({ id, engine, last_four, set_by, set_at }) => ({
    engine,
    upstream_key_id: id,
    last_four,
    set_by,
    set_at: isoTime(set_at),
    problem: problemOf(keyedEngine(engine, id)),
  }));
}

/** Finds an upstream key in any state. */
async function findUpstreamKey(session: Session, id: string): Promise<UpstreamKeyRow | undefined> {
  return await session.first(session.builder.selectFrom('upstream_keys').selectAll().where('id', '=', id));
}

const GONE = 'The upstream key was removed before the order was submitted.';
const NOT_OPENED =
  "The service cannot open the upstream key: the operator's key has changed. Set the upstream key again, or tell the operator.";

/**
 * Opens the secret of an upstream key, for a call to the upstream. Removed keys are only for orders that were submitted
 * with them.
 * @param vault null = the operator has set no key
 */
export async function readKeySecret(
  session: Session,
  keyId: string,
  vault: Vault | null,
): Promise<{ readonly secret: string; readonly isRemoved: boolean } | { readonly missing: string }> {
  const row = await findUpstreamKey(session, keyId);
  if (row === undefined || row.sealed === null) return { missing: GONE };
  const secret = openSecret(row, vault);
  return secret === null ? { missing: NOT_OPENED } : { secret, isRemoved: row.removed_at !== null };
}

/** Returns null if the secret cannot be opened with the operator's present keys. */
function openSecret(row: SealedKey, vault: Vault | null): string | null {
  try {
    return vault?.open(row.sealed ?? '', subjectOf(row)) ?? null;
  } catch (error) {
    if (error instanceof SealFault) return null;
    throw error;
  }
}

export async function listSealed(session: Session): Promise<SealedKey[]> {
  return await session.all(
    session.builder
      .selectFrom('upstream_keys')
      .select(['id', 'account_id', 'engine', 'sealed'])
      .where('sealed', 'is not', null),
  );
}

/** Counts sealed secrets by whether the operator's present keys open them. */
export function countSealed(
  rows: readonly SealedKey[],
  vault: Vault | null,
): { readonly opened: number; readonly withPrevious: number; readonly lost: number } {
  const count = { opened: 0, withPrevious: 0, lost: 0 };
  for (const row of rows) {
    if (openSecret(row, vault) === null) count.lost++;
    else if (vault?.isCurrent(row.sealed ?? '') === true) count.opened++;
    else count.withPrevious++;
  }
  return count;
}

/** Name of the queue of a key's orders, as SQL beside its row. */
const QUEUE = sql<string>`upstream_keys.engine || '@' || upstream_keys.id || ':live'`;
const IS_WAITING = sql<boolean>`exists (
  select 1 from tasks where queue = ${QUEUE} and step = 'waiting' and claimable = 1
)`;
const IS_IN_FLIGHT = sql<boolean>`exists (select 1 from tasks where queue = ${QUEUE} and ${IN_FLIGHT})`;

/** Returns the engines of upstream keys with orders that wait or are in flight; removed keys too. */
export async function keyedEnginesInUse(session: Session): Promise<ReadonlySet<string>> {
  const rows = await session.all(
    session.builder
      .selectFrom('upstream_keys')
      .select(['id', 'engine'])
      .where((expression) => expression.or([IS_WAITING, IS_IN_FLIGHT])),
  );
  return new Set(rows.map(({ id, engine }) => keyedEngine(engine, id)));
}

/** Erases the secrets of removed keys that no order in flight needs, and rows that no order names. */
export async function eraseRemovedKeys(store: Pick<Store, 'read' | 'write'>, now: number): Promise<void> {
  const removed = sql<boolean>`removed_at <= ${now - ERASED_AFTER_MS}`;
  const { read } = store;
  const any = await read.first(read.builder.selectFrom('upstream_keys').select('id').where(removed).limit(1));
  if (any === undefined) return;
  await store.write('erase_upstream_keys', async (trx) => {
    const { builder } = trx;
    const notInFlight = sql<boolean>`not ${IS_IN_FLIGHT}`;
    await trx.run(
      builder
        .updateTable('upstream_keys')
        .set({ sealed: null })
        .where('sealed', 'is not', null)
        .where(removed)
        .where(notInFlight),
    );
    const unused = await trx.all(
      builder
        .selectFrom('upstream_keys')
        .select(['id', 'engine'])
        .where(removed)
        .where(notInFlight)
        .where(sql<boolean>`not ${IS_WAITING}`),
    );
    for (const { id, engine } of unused) {
      const name = keyedEngine(engine, id);
      await trx.run(builder.deleteFrom('upstream_keys').where('id', '=', id));
      await trx.run(builder.deleteFrom('valves').where('subject', '=', name));
      await trx.run(builder.deleteFrom('valves').where('subject', 'like', `${name}/%`));
      await trx.run(builder.deleteFrom('instances').where('engine', '=', name));
    }
  });
}
