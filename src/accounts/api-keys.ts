import {
  cellOf,
  errorFromFaults,
  type IssuedKeyView,
  type JsonObject,
  type KeyView,
  type KeyWithTasksView,
  type RevokedKeyView,
  ServiceError,
} from '@darkroom-service/contract';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { ListPage } from './accounts.ts';
import type { ApiKey } from './api-key.ts';
import { type Act, recordAct } from './audit.ts';
import { createSecret, hashSecret } from './key-secret.ts';
import { columnsOf, DEFAULT_COLUMNS, faultsOf, type KeyRow, type KeySettings, keyView } from './key-settings.ts';

/**
 * Prefix of the ids of keys that have no secret. Each belongs to one person, whose tokens are signed with its random
 * hash. Such keys cannot be listed, changed, rotated or revoked as keys.
 */
export const PERSON_KEY = 'psk';

/** The properties of a new key; absent ones have the defaults of the contract. */
export interface NewKey extends KeySettings {
  readonly accountId: string;
  readonly mode: ApiKey['mode'];
}

/** A key with the secret that was just made. */
export type NewSecretView = IssuedKeyView & { readonly key: string };

/**
 * Creates a key and its secret. @throws ServiceError `invalid_request` with all faults, `not_found` for an unknown
 * account.
 */
export async function issueKey(database: Pick<Database, 'write'>, by: Act, order: NewKey): Promise<NewSecretView> {
  const faults = faultsOf(order, by.now);
  if (faults.length > 0) throw errorFromFaults(faults);
  const id = by.createId('key');
  const key = createSecret(order.mode, cellOf(id));
  const row: KeyRow = {
    id,
    account_id: order.accountId,
    mode: order.mode,
    name: order.mode,
    hash: hashSecret(key),
    previous_hash: null,
    previous_until: null,
    created_at: by.now,
    revoked_at: null,
    ...DEFAULT_COLUMNS,
    ...columnsOf(order),
  };
  await database.write('issue_key', async (trx) => {
    await by.binding?.within(trx, row.id);
    const account = await trx.first(trx.builder.selectFrom('accounts').select('id').where('id', '=', order.accountId));
    if (account === undefined)
      throw new ServiceError('not_found', `There is no account '${order.accountId}'. Create it first.`, {
        param: 'account_id',
      });
    await trx.run(trx.builder.insertInto('api_keys').values(row));
    await recordAct(trx, by, {
      act: 'key.create',
      target: row.id,
      detail: { account_id: row.account_id, mode: row.mode, name: row.name, after: settingsOf(keyView(row)) },
    });
  });
  return { ...keyView(row), key, message: null };
}

/** Lists keys in order of creation, including revoked ones: all, or those of a page after an id. */
export async function listKeys(
  session: Session,
  filter: ListPage & { readonly accountId?: string | undefined } = {},
): Promise<KeyView[]> {
  let query = session.builder
    .selectFrom('api_keys')
    .selectAll()
    .where('id', 'not like', `${PERSON_KEY}_%`)
    .orderBy('id');
  if (filter.accountId !== undefined) query = query.where('account_id', '=', filter.accountId);
  if (filter.after !== undefined) query = query.where('id', '>', filter.after);
  if (filter.limit !== undefined) query = query.limit(filter.limit);
  return (await session.all(query)).map(keyView);
}

/** Reads a key and counts its tasks. @throws ServiceError `not_found` */
export async function readKey(session: Session, keyId: string): Promise<KeyWithTasksView> {
  const row = await session.first(session.builder.selectFrom('api_keys').selectAll().where('id', '=', keyId));
  if (row === undefined || isPersonKey(row)) throw unknownKey(keyId);
  return { ...keyView(row), tasks: await countTasks(session, keyId) };
}

/**
 * Revokes a key permanently. Only this key could access its tasks: `unreachable_tasks` counts them.
 * Repeating it changes nothing. @throws ServiceError `not_found`
 */
export async function revokeKey(database: Pick<Database, 'write'>, by: Act, keyId: string): Promise<RevokedKeyView> {
  return await database.write('revoke_key', async (trx) => {
    await by.binding?.within(trx, keyId);
    const row = await lockKeyRow(trx, keyId);
    const unreachable = await countTasks(trx, keyId);
    if (row.revoked_at === null) {
      row.revoked_at = by.now;
      await trx.run(trx.builder.updateTable('api_keys').set({ revoked_at: by.now }).where('id', '=', keyId));
      await recordAct(trx, by, { act: 'key.revoke', target: keyId, detail: { unreachable_tasks: unreachable } });
    }
    return { ...keyView(row), unreachable_tasks: unreachable };
  });
}

/**
 * Gives a key a new secret; the key keeps its tasks. The previous secret stays valid for `graceMs`; the one before it
 * becomes invalid.
 * @throws ServiceError `not_found`; `invalid_request` for a revoked key.
 */
export async function rotateKey(
  database: Pick<Database, 'write'>,
  by: Act,
  keyId: string,
  options: { readonly graceMs: number },
): Promise<NewSecretView> {
  return await database.write('rotate_key', async (trx) => {
    await by.binding?.within(trx, keyId);
    const row = await lockKeyRow(trx, keyId);
    if (row.revoked_at !== null) {
      throw new ServiceError(
        'invalid_request',
        `Key '${keyId}' was revoked and cannot be rotated. Issue a new key instead.`,
      );
    }
    // A key may be older than its cell's name.
    const key = createSecret(row.mode, cellOf(by.createId('key')));
    const change = { hash: hashSecret(key), previous_hash: row.hash, previous_until: by.now + options.graceMs };
    await trx.run(trx.builder.updateTable('api_keys').set(change).where('id', '=', keyId));
    await recordAct(trx, by, { act: 'key.rotate', target: keyId, detail: { grace_seconds: options.graceMs / 1000 } });
    return { ...keyView({ ...row, ...change }), key, message: null };
  });
}

/** Returns the present state of a key, for a repeated request for a secret. @throws ServiceError `not_found` */
export async function withoutSecret(session: Session, keyId: string): Promise<IssuedKeyView> {
  const { tasks: _, ...key } = await readKey(session, keyId);
  return {
    ...key,
    key: null,
    message: `This request was carried out before, and its secret was shown only then. If you do not have it, rotate the key '${keyId}' with a new Idempotency-Key.`,
  };
}

/** Returns a revoked key as the first revocation did, for a repeated request. @throws ServiceError `not_found` */
export async function asRevoked(session: Session, keyId: string): Promise<RevokedKeyView> {
  const { tasks, ...key } = await readKey(session, keyId);
  return { ...key, unreachable_tasks: tasks };
}

/** Reads a key and locks its row. @throws ServiceError `not_found` */
export async function lockKeyRow(trx: Transaction, keyId: string): Promise<KeyRow> {
  const row = await trx.first(trx.builder.selectFrom('api_keys').selectAll().where('id', '=', keyId).forUpdate());
  if (row === undefined || isPersonKey(row)) throw unknownKey(keyId);
  return row;
}

/** Returns the settings of a new key. */
function settingsOf({
  key_id: _id,
  created_at: _at,
  revoked_at: _end,
  previous_until: _until,
  ...set
}: KeyView): JsonObject {
  return set;
}

function isPersonKey({ id }: { readonly id: string }): boolean {
  return id.startsWith(`${PERSON_KEY}_`);
}

function unknownKey(keyId: string): ServiceError {
  return new ServiceError('not_found', `There is no key '${keyId}'.`, { param: 'key_id' });
}

async function countTasks(session: Session, keyId: string): Promise<number> {
  const tasks = await session.first(
    session.builder
      .selectFrom('tasks')
      .select((expression) => expression.fn.countAll<number>().as('count'))
      .where('api_key_id', '=', keyId)
      .where('deleted_at', 'is', null),
  );
  return Number(tasks?.count ?? 0);
}
