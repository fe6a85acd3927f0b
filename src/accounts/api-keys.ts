import type { Selectable } from 'kysely';
import { isoTime } from '../base/clock.ts';
import { errorFromFaults, type Fault, ServiceError } from '../base/errors.ts';
import { formatMicros, type Micros } from '../base/money.ts';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { ApiKey } from './api-key.ts';
import { type Act, recordAct } from './audit.ts';
import { createSecret, hashSecret } from './key-secret.ts';

/** What may be said of a new key; what is left out has the default of the contract. */
export interface NewKey {
  readonly accountId: string;
  readonly mode: ApiKey['mode'];
  readonly name?: string;
  /** Milliseconds since 1970 UTC. */
  readonly expiresAt?: number | null;
  /** Glob patterns; empty = every model. */
  readonly models?: readonly string[];
  /** 0 = no limit, in all four. */
  readonly createsPerMinute?: number;
  readonly readsPerMinute?: number;
  readonly concurrency?: number;
  readonly queueLimit?: number;
  /** Micro-dollars; null or 0 = no limit. */
  readonly spendLimits?: {
    readonly day?: Micros | null;
    readonly month?: Micros | null;
    readonly total?: Micros | null;
  };
  readonly accountView?: boolean;
}

/** A key as the wire and the command line show it: everything but the secret. */
export interface KeyView {
  readonly key_id: string;
  readonly account_id: string;
  readonly mode: ApiKey['mode'];
  readonly name: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** Until when the secret before the last rotation works. */
  readonly previous_until: string | null;
  readonly models: readonly string[];
  readonly rpm: number;
  readonly read_rpm: number;
  readonly concurrency: number;
  readonly queue: number;
  readonly spend_limits: { readonly day: string | null; readonly month: string | null; readonly total: string | null };
  readonly account_view: boolean;
}

/** The one moment at which a secret is known. */
export interface IssuedKey extends KeyView {
  readonly key: string;
}

const DEFAULTS = { rpm: 0, read_rpm: 3000, concurrency: 0, queue_limit: 10_000 };

/** Makes a key and its secret. @throws ServiceError `invalid_request` with every fault, `not_found` for an unknown account. */
export async function issueKey(database: Database, by: Act, order: NewKey): Promise<IssuedKey> {
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
    account_view: order.accountView === true ? 1 : 0,
  };
  await database.write('issue_key', async (trx) => {
    const account = await trx.first(trx.builder.selectFrom('accounts').select('id').where('id', '=', order.accountId));
    if (account === undefined)
      throw new ServiceError('not_found', `There is no account '${order.accountId}'. Make it first.`, {
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

/** Keys in order of creation, revoked ones included. */
export async function listKeys(
  session: Session,
  filter: { readonly accountId?: string | undefined } = {},
): Promise<KeyView[]> {
  let query = session.builder.selectFrom('api_keys').selectAll().orderBy('id');
  if (filter.accountId !== undefined) query = query.where('account_id', '=', filter.accountId);
  return (await session.all(query)).map(keyView);
}

/**
 * Ends a key for good. Its tasks belong to it alone, so nobody can reach them any more: `unreachable_tasks` says how many.
 * Repeating it changes nothing. @throws ServiceError `not_found`
 */
export async function revokeKey(
  database: Database,
  by: Act,
  keyId: string,
): Promise<KeyView & { readonly unreachable_tasks: number }> {
  return await database.write('revoke_key', async (trx) => {
    const row = await keyRow(trx, keyId);
    const tasks = await trx.first(
      trx.builder
        .selectFrom('tasks')
        .select((expression) => expression.fn.countAll<number>().as('count'))
        .where('api_key_id', '=', keyId)
        .where('deleted_at', 'is', null),
    );
    const unreachable = Number(tasks?.count ?? 0);
    if (row.revoked_at === null) {
      row.revoked_at = by.now;
      await trx.run(trx.builder.updateTable('api_keys').set({ revoked_at: by.now }).where('id', '=', keyId));
      await recordAct(trx, by, { act: 'key.revoke', target: keyId, detail: { unreachable_tasks: unreachable } });
    }
    return { ...keyView(row), unreachable_tasks: unreachable };
  });
}

/**
 * Gives a key a new secret; its tasks stay its own. The old secret works for `graceMs` more, the one before it no longer.
 * @throws ServiceError `not_found`; `invalid_request` for a key that is revoked.
 */
export async function rotateKey(
  database: Database,
  by: Act,
  keyId: string,
  options: { readonly graceMs: number },
): Promise<IssuedKey> {
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

type KeyRow = Selectable<Schema['api_keys']>;

async function keyRow(trx: Transaction, keyId: string): Promise<KeyRow> {
  const row = await trx.first(trx.builder.selectFrom('api_keys').selectAll().where('id', '=', keyId).forUpdate());
  if (row === undefined) throw new ServiceError('not_found', `There is no key '${keyId}'.`, { param: 'key_id' });
  return row;
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
    models: JSON.parse(row.models_json) as string[],
    rpm: row.rpm,
    read_rpm: row.read_rpm,
    concurrency: row.concurrency,
    queue: row.queue_limit,
    spend_limits: { day: amount(row.spend_day), month: amount(row.spend_month), total: amount(row.spend_total) },
    account_view: row.account_view === 1,
  };
}

function faultsOf(order: NewKey, now: number): Fault[] {
  const faults: Fault[] = [];
  const fault = (param: string, message: string) => faults.push({ param, code: 'invalid_request', message });
  if (order.name !== undefined && (order.name.trim() === '' || order.name.length > 100))
    fault('name', `'name' takes 1 to 100 characters, found ${order.name.length}.`);
  if (order.expiresAt != null && !(order.expiresAt > now)) fault('expires_at', `'expires_at' must lie in the future.`);
  for (const [index, pattern] of (order.models ?? []).entries()) {
    if (!/^[a-z0-9.*?-]{1,64}$/.test(pattern))
      fault(`models[${index}]`, `A pattern such as 'flux-*' is expected, found '${pattern.slice(0, 80)}'.`);
  }
  const counts = {
    rpm: order.createsPerMinute,
    read_rpm: order.readsPerMinute,
    concurrency: order.concurrency,
    queue: order.queueLimit,
  };
  for (const [param, count] of Object.entries(counts)) {
    if (count !== undefined && (!Number.isSafeInteger(count) || count < 0 || count > 1_000_000_000))
      fault(param, `'${param}' takes a whole number from 0 (no limit) to 1000000000, found ${count}.`);
  }
  for (const [period, amount] of Object.entries(order.spendLimits ?? {})) {
    if (amount != null && (!Number.isSafeInteger(amount) || amount < 0))
      fault(`spend_limits.${period}`, `A spend limit is an amount of dollars from 0 on, found ${showMicros(amount)}.`);
  }
  return faults;
}

function showMicros(amount: number): string {
  return Number.isSafeInteger(amount) ? formatMicros(amount) : String(amount);
}
