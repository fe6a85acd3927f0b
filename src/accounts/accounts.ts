import type { Selectable } from 'kysely';
import { fingerprint } from '../base/canonical-json.ts';
import { isoTime } from '../base/clock.ts';
import { errorFromFaults, type Fault, ServiceError } from '../base/errors.ts';
import { formatMicros, MICROS_PER_DOLLAR, type Micros } from '../base/money.ts';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { Account } from './api-key.ts';
import { type Act, recordAct } from './audit.ts';
import { addCredit, balanceOf } from './ledger.ts';

export interface NewAccount {
  /** Chosen by the operator (`acme`): lower-case letters, digits, `-` and `_`. Without one it is made up. */
  readonly id?: string;
  readonly name?: string;
  /** Micro-dollars; null = pays later, no limit. Left out it is 0: what is not credited cannot be spent. */
  readonly creditLimit?: Micros | null;
}

/** What can be changed of an account; what is left out stays. */
export interface AccountChange {
  readonly name?: string;
  /** How far below zero the live balance may go, in micro-dollars; null = pays later, no limit. */
  readonly creditLimit?: Micros | null;
  readonly priceRules?: Account['priceRules'];
  readonly hiddenModels?: readonly string[];
  /** Where the ends of tasks are told that name no address of their own. */
  readonly webhookUrl?: string | null;
}

/** An account as the wire and the command line show it. */
export interface AccountView {
  readonly account_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly balance: string;
  readonly credit_limit: string | null;
  readonly currency: 'USD';
  readonly price_rules: Account['priceRules'];
  readonly hidden_models: readonly string[];
  readonly webhook_url: string | null;
}

/** @throws ServiceError `invalid_request`, also when the id is taken. */
export async function createAccount(database: Database, by: Act, order: NewAccount): Promise<AccountView> {
  const id = order.id ?? by.createId('acc');
  const change = { name: order.name ?? id, creditLimit: order.creditLimit === undefined ? 0 : order.creditLimit };
  const faults = faultsOf(change);
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id)) {
    faults.unshift({
      param: 'account_id',
      code: 'invalid_request',
      message: `'account_id' takes 1 to 64 lower-case letters, digits, '-' and '_', found '${id.slice(0, 80)}'.`,
    });
  }
  if (faults.length > 0) throw errorFromFaults(faults);
  return await database.write('create_account', async (trx) => {
    if ((await findRow(trx, id)) !== undefined) {
      throw new ServiceError('invalid_request', `There is already an account '${id}'. Choose another id.`, {
        param: 'account_id',
      });
    }
    const row: AccountRow = {
      id,
      name: change.name,
      created_at: by.now,
      credit_limit: change.creditLimit,
      price_rules_json: '[]',
      hidden_models_json: '[]',
      webhook_url: null,
    };
    await trx.run(trx.builder.insertInto('accounts').values(row));
    await recordAct(trx, by, { act: 'account.create', target: id, detail: { name: row.name } });
    return await view(trx, row);
  });
}

/** Accounts in order of their ids. */
export async function listAccounts(session: Session): Promise<AccountView[]> {
  const rows = await session.all(session.builder.selectFrom('accounts').selectAll().orderBy('id'));
  return await Promise.all(rows.map((row) => view(session, row)));
}

/** @throws ServiceError `not_found` */
export async function getAccount(session: Session, accountId: string): Promise<AccountView> {
  return await view(session, await rowOf(session, accountId));
}

/** @throws ServiceError `not_found`, `invalid_request` */
export async function changeAccount(
  database: Database,
  by: Act,
  accountId: string,
  change: AccountChange,
): Promise<AccountView> {
  const faults = faultsOf(change);
  if (faults.length > 0) throw errorFromFaults(faults);
  return await database.write('change_account', async (trx) => {
    const row = await applyChange(trx, accountId, change);
    await recordAct(trx, by, {
      act: 'account.change',
      target: accountId,
      detail: { changed: Object.keys(change) },
    });
    return await view(trx, row);
  });
}

/** Where the ends of tasks are told that name no address of their own. @throws ServiceError `not_found` */
export async function setWebhookUrl(
  database: Database,
  by: Act,
  accountId: string,
  webhookUrl: string | null,
): Promise<AccountView> {
  return await changeAccount(database, by, accountId, { webhookUrl });
}

/** How far below zero the live balance may go; null = pays later, no limit. @throws ServiceError `not_found`, `invalid_request` */
export async function setCreditLimit(
  database: Database,
  by: Act,
  accountId: string,
  creditLimit: Micros | null,
): Promise<AccountView> {
  return await changeAccount(database, by, accountId, { creditLimit });
}

/**
 * Adds to the live balance (takes off it, where negative). With an idempotency key the same credit is entered once, however often it is sent.
 * @throws ServiceError `not_found`, `invalid_request`, `idempotency_key_reused`
 */
export async function creditAccount(
  database: Database,
  by: Act,
  accountId: string,
  credit: { readonly amount: Micros; readonly note?: string | null; readonly idempotencyKey?: string | null },
): Promise<{ readonly account: AccountView; readonly replayed: boolean }> {
  const { amount, note = null, idempotencyKey = null } = credit;
  if (!Number.isSafeInteger(amount) || amount === 0) {
    throw new ServiceError('invalid_request', "'amount' takes dollars other than 0, with at most six decimals.", {
      param: 'amount',
    });
  }
  const print = fingerprint({ accountId, amount, note });
  return await database.write('credit_account', async (trx) => {
    const row = await rowOf(trx, accountId);
    if (idempotencyKey !== null) {
      await trx.lock(`credit:${idempotencyKey}`);
      const bound = await trx.first(
        trx.builder
          .selectFrom('idempotency')
          .select('fingerprint')
          .where('scope', '=', 'admin')
          .where('idempotency_key', '=', idempotencyKey),
      );
      if (bound !== undefined && bound.fingerprint !== print) {
        throw new ServiceError(
          'idempotency_key_reused',
          `The Idempotency-Key '${idempotencyKey}' was used for another credit. Use a new key for a new credit.`,
          { param: 'Idempotency-Key' },
        );
      }
      if (bound !== undefined) return { account: await view(trx, row), replayed: true };
    }
    const balance = (await balanceOf(trx, accountId, 'live')) + amount;
    if (Math.abs(balance) > LARGEST_BALANCE) {
      throw new ServiceError(
        'invalid_request',
        `'amount' would make the balance ${formatMicros(balance)}; it stays within ${formatMicros(LARGEST_BALANCE)} above and below 0.`,
        { param: 'amount' },
      );
    }
    await addCredit(trx, { accountId, amount, note, now: by.now });
    if (idempotencyKey !== null) {
      await trx.run(
        trx.builder.insertInto('idempotency').values({
          scope: 'admin',
          idempotency_key: idempotencyKey,
          fingerprint: print,
          subject_id: accountId,
        }),
      );
    }
    await recordAct(trx, by, {
      act: 'account.credit',
      target: accountId,
      detail: { amount: formatMicros(amount), note },
    });
    return { account: await view(trx, row), replayed: false };
  });
}

/** Far from where sums of micro-dollars are no whole numbers any more. */
const LARGEST_BALANCE: Micros = 1_000_000_000 * MICROS_PER_DOLLAR;

type AccountRow = Selectable<Schema['accounts']>;

async function findRow(session: Session, accountId: string): Promise<AccountRow | undefined> {
  return await session.first(session.builder.selectFrom('accounts').selectAll().where('id', '=', accountId));
}

async function rowOf(session: Session | Transaction, accountId: string): Promise<AccountRow> {
  const row = await findRow(session, accountId);
  if (row === undefined)
    throw new ServiceError('not_found', `There is no account '${accountId}'.`, { param: 'account_id' });
  return row;
}

/** Writes the columns that are changed and no others, as somebody else may be changing those. */
async function applyChange(trx: Transaction, accountId: string, change: AccountChange): Promise<AccountRow> {
  const { name, creditLimit, priceRules, hiddenModels, webhookUrl } = change;
  const values = {
    ...(name === undefined ? {} : { name }),
    ...(creditLimit === undefined ? {} : { credit_limit: creditLimit }),
    ...(priceRules === undefined ? {} : { price_rules_json: JSON.stringify(priceRules) }),
    ...(hiddenModels === undefined ? {} : { hidden_models_json: JSON.stringify(hiddenModels) }),
    ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }),
  };
  if (Object.keys(values).length > 0)
    await trx.run(trx.builder.updateTable('accounts').set(values).where('id', '=', accountId));
  return await rowOf(trx, accountId);
}

async function view(session: Session, row: AccountRow): Promise<AccountView> {
  return {
    account_id: row.id,
    name: row.name,
    created_at: isoTime(row.created_at),
    balance: formatMicros(await balanceOf(session, row.id, 'live')),
    credit_limit: row.credit_limit === null ? null : formatMicros(row.credit_limit),
    currency: 'USD',
    price_rules: JSON.parse(row.price_rules_json) as Account['priceRules'],
    hidden_models: JSON.parse(row.hidden_models_json) as string[],
    webhook_url: row.webhook_url,
  };
}

function faultsOf(change: AccountChange): Fault[] {
  const faults: Fault[] = [];
  const fault = (param: string, message: string) => faults.push({ param, code: 'invalid_request', message });
  const pattern = /^[a-z0-9.*?-]{1,64}$/;
  if (change.name !== undefined && (change.name.trim() === '' || change.name.length > 100))
    fault('name', `'name' takes 1 to 100 characters, found ${change.name.length}.`);
  if (change.creditLimit != null && (!Number.isSafeInteger(change.creditLimit) || change.creditLimit < 0))
    fault('credit_limit', "'credit_limit' takes dollars from 0 on, or null for an account that pays later.");
  for (const [index, rule] of (change.priceRules ?? []).entries()) {
    if (!pattern.test(rule.models))
      fault(`price_rules[${index}].models`, `A pattern such as 'flux-*' is expected, found '${rule.models}'.`);
    if (!/^\d{1,4}(\.\d{1,6})?$/.test(rule.multiplier))
      fault(`price_rules[${index}].multiplier`, `A decimal such as "0.9" is expected, found '${rule.multiplier}'.`);
  }
  for (const [index, model] of (change.hiddenModels ?? []).entries()) {
    if (!pattern.test(model))
      fault(`hidden_models[${index}]`, `A pattern such as 'flux-*' is expected, found '${model}'.`);
  }
  return faults;
}
