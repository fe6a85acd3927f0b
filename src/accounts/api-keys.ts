import type { Selectable } from 'kysely';
import { isoTime } from '../base/clock.ts';
import { errorFromFaults, type Fault, ServiceError } from '../base/errors.ts';
import { formatMicros, type Micros } from '../base/money.ts';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { IssuedKeyView, KeyView, KeyWithTasksView, RevokedKeyView } from '../wire/admin.ts';
import { modelsOf } from './account-json.ts';
import type { ApiKey } from './api-key.ts';
import { type Act, recordAct } from './audit.ts';
import { createSecret, hashSecret } from './key-secret.ts';
import type { SpendWindow } from './spend-windows.ts';

/** The properties of a new key; absent ones have the defaults of the contract. */
export interface NewKey {
  readonly accountId: string;
  readonly mode: ApiKey['mode'];
  readonly name?: string;
  /** Milliseconds since 1970 UTC. */
  readonly expiresAt?: number | null;
  /** Glob patterns; empty = every model. */
  readonly models?: readonly string[];
  /** For all four: 0 = no limit. */
  readonly createsPerMinute?: number;
  readonly readsPerMinute?: number;
  readonly concurrency?: number;
  readonly queueLimit?: number;
  /** Micro-dollars; null or 0 = no limit. */
  readonly spendLimits?: LimitWish;
  /** The limits of each end user that has none of its own. Micro-dollars; null or 0 = no limit. */
  readonly endUserLimits?: LimitWish;
  readonly accountView?: boolean;
  /** Micro-dollars above which a person must agree to an order through MCP; null = the operator's setting. */
  readonly approveOver?: Micros | null;
}

export type LimitWish = { readonly [window in SpendWindow]?: Micros | null };

const DEFAULTS = { rpm: 0, read_rpm: 3000, concurrency: 0, queue_limit: 10_000 };

/**
 * Creates a key and its secret. @throws ServiceError `invalid_request` with all faults, `not_found` for an unknown
 * account.
 */
export async function issueKey(database: Database, by: Act, order: NewKey): Promise<IssuedKeyView> {
  const faults = faultsOf(order, by.now);
  if (faults.length > 0) throw errorFromFaults(faults);
  const key = createSecret(order.mode);
  const row: KeyRow = {
    id: by.createId('key'),
    account_id: order.accountId,
    mode: order.mode,
    name: order.name ?? order.mode,
    hash: hashSecret(key),
    previous_hash: null,
    previous_until: null,
    created_at: by.now,
    expires_at: order.expiresAt ?? null,
    revoked_at: null,
    models_json: JSON.stringify(order.models ?? []),
    rpm: order.createsPerMinute ?? DEFAULTS.rpm,
    read_rpm: order.readsPerMinute ?? DEFAULTS.read_rpm,
    concurrency: order.concurrency ?? DEFAULTS.concurrency,
    queue_limit: order.queueLimit ?? DEFAULTS.queue_limit,
    spend_day: order.spendLimits?.day || null,
    spend_month: order.spendLimits?.month || null,
    spend_total: order.spendLimits?.total || null,
    ...endUserColumns(order.endUserLimits ?? {}),
    account_view: order.accountView === true ? 1 : 0,
    approve_over: order.approveOver ?? null,
  };
  await database.write('issue_key', async (trx) => {
    const account = await trx.first(trx.builder.selectFrom('accounts').select('id').where('id', '=', order.accountId));
    if (account === undefined)
      throw new ServiceError('not_found', `There is no account '${order.accountId}'. Create it first.`, {
        param: 'account_id',
      });
    await trx.run(trx.builder.insertInto('api_keys').values(row));
    await recordAct(trx, by, {
      act: 'key.create',
      target: row.id,
      detail: { account_id: row.account_id, mode: row.mode, name: row.name },
    });
  });
  return { ...keyView(row), key };
}

/** Lists keys in order of creation, including revoked ones. */
export async function listKeys(
  session: Session,
  filter: { readonly accountId?: string | undefined } = {},
): Promise<KeyView[]> {
  let query = session.builder.selectFrom('api_keys').selectAll().orderBy('id');
  if (filter.accountId !== undefined) query = query.where('account_id', '=', filter.accountId);
  return (await session.all(query)).map(keyView);
}

/** Reads a key and counts its tasks. @throws ServiceError `not_found` */
export async function readKey(session: Session, keyId: string): Promise<KeyWithTasksView> {
  const row = await session.first(session.builder.selectFrom('api_keys').selectAll().where('id', '=', keyId));
  if (row === undefined) throw unknownKey(keyId);
  return { ...keyView(row), tasks: await countTasks(session, keyId) };
}

/**
 * Revokes a key permanently. Only this key could access its tasks: `unreachable_tasks` counts them.
 * Repeating it changes nothing. @throws ServiceError `not_found`
 */
export async function revokeKey(database: Database, by: Act, keyId: string): Promise<RevokedKeyView> {
  return await database.write('revoke_key', async (trx) => {
    const row = await keyRow(trx, keyId);
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
  database: Database,
  by: Act,
  keyId: string,
  options: { readonly graceMs: number },
): Promise<IssuedKeyView> {
  return await database.write('rotate_key', async (trx) => {
    const row = await keyRow(trx, keyId);
    if (row.revoked_at !== null) {
      throw new ServiceError(
        'invalid_request',
        `Key '${keyId}' was revoked and cannot be rotated. Issue a new key instead.`,
      );
    }
    const key = createSecret(row.mode);
    const change = { hash: hashSecret(key), previous_hash: row.hash, previous_until: by.now + options.graceMs };
    await trx.run(trx.builder.updateTable('api_keys').set(change).where('id', '=', keyId));
    await recordAct(trx, by, { act: 'key.rotate', target: keyId, detail: { grace_seconds: options.graceMs / 1000 } });
    return { ...keyView({ ...row, ...change }), key };
  });
}

/**
 * Changes the limits that each end user of a key has by default; windows that are left out stay.
 * @throws ServiceError `not_found`; `invalid_request` for a wrong amount.
 */
export async function changeEndUserLimits(
  database: Database,
  by: Act,
  keyId: string,
  limits: LimitWish,
): Promise<KeyView> {
  const faults = faultsOfLimits('end_user_limits', limits);
  if (faults.length > 0) throw errorFromFaults(faults);
  return await database.write('change_key', async (trx) => {
    const row = await keyRow(trx, keyId);
    const { end_user_day: day, end_user_month: month, end_user_total: total } = row;
    const change = endUserColumns({ day, month, total, ...limits });
    await trx.run(trx.builder.updateTable('api_keys').set(change).where('id', '=', keyId));
    const changed = keyView({ ...row, ...change });
    await recordAct(trx, by, {
      act: 'key.change',
      target: keyId,
      detail: { end_user_limits: { ...changed.end_user_limits } },
    });
    return changed;
  });
}

function endUserColumns({ day, month, total }: LimitWish) {
  return { end_user_day: day || null, end_user_month: month || null, end_user_total: total || null };
}

type KeyRow = Selectable<Schema['api_keys']>;

async function keyRow(trx: Transaction, keyId: string): Promise<KeyRow> {
  const row = await trx.first(trx.builder.selectFrom('api_keys').selectAll().where('id', '=', keyId).forUpdate());
  if (row === undefined) throw unknownKey(keyId);
  return row;
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

function keyView(row: KeyRow): KeyView {
  const amount = (micros: Micros | null) => (micros === null ? null : formatMicros(micros));
  return {
    key_id: row.id,
    account_id: row.account_id,
    mode: row.mode,
    name: row.name,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
    revoked_at: isoTime(row.revoked_at),
    previous_until: isoTime(row.previous_until),
    models: modelsOf(row),
    rpm: row.rpm,
    read_rpm: row.read_rpm,
    concurrency: row.concurrency,
    queue: row.queue_limit,
    spend_limits: { day: amount(row.spend_day), month: amount(row.spend_month), total: amount(row.spend_total) },
    end_user_limits: {
      day: amount(row.end_user_day),
      month: amount(row.end_user_month),
      total: amount(row.end_user_total),
    },
    account_view: row.account_view === 1,
    approve_over: amount(row.approve_over),
  };
}

function faultsOf(order: NewKey, now: number): Fault[] {
  const faults: Fault[] = [];
  const fault = (param: string, message: string) => faults.push({ param, code: 'invalid_request', message });
  if (order.name !== undefined && (order.name.trim() === '' || order.name.length > 100))
    fault('name', `'name' must have 1 to 100 characters; found ${order.name.length}.`);
  if (order.expiresAt != null && !(order.expiresAt > now)) fault('expires_at', `'expires_at' must be in the future.`);
  for (const [index, pattern] of (order.models ?? []).entries()) {
    if (!/^[a-z0-9.*?-]{1,64}$/.test(pattern))
      fault(`models[${index}]`, `Expected a pattern such as 'flux-*', found '${pattern.slice(0, 80)}'.`);
  }
  const counts = {
    rpm: order.createsPerMinute,
    read_rpm: order.readsPerMinute,
    concurrency: order.concurrency,
    queue: order.queueLimit,
  };
  for (const [param, count] of Object.entries(counts)) {
    if (count !== undefined && (!Number.isSafeInteger(count) || count < 0 || count > 1_000_000_000))
      fault(param, `'${param}' must be a whole number from 0 (no limit) to 1000000000; found ${count}.`);
  }
  return [
    ...faults,
    ...faultsOfLimits('spend_limits', order.spendLimits ?? {}),
    ...faultsOfLimits('end_user_limits', order.endUserLimits ?? {}),
    ...faultsOfAmount('approve_over', order.approveOver),
  ];
}

function faultsOfLimits(param: string, limits: LimitWish): Fault[] {
  return Object.entries(limits).flatMap(([period, amount]) => faultsOfAmount(`${param}.${period}`, amount));
}

function faultsOfAmount(param: string, amount: Micros | null | undefined): Fault[] {
  if (amount == null || (Number.isSafeInteger(amount) && amount >= 0)) return [];
  const message = `'${param}' must be an amount of dollars of at least 0; found ${showMicros(amount)}.`;
  return [{ param, code: 'invalid_request', message }];
}

function showMicros(amount: number): string {
  return Number.isSafeInteger(amount) ? formatMicros(amount) : String(amount);
}
