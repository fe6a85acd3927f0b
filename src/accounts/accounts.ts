import {
  ACCOUNT_ID,
  type AccountView,
  cutText,
  errorFromFaults,
  type Fault,
  formatMicros,
  given,
  isoTime,
  type Micros,
  MODEL_GLOB,
  ServiceError,
} from '@darkroom-service/contract';
import type { Selectable } from 'kysely';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { hiddenModelsOf, priceRulesOf } from './account-json.ts';
import type { Account } from './api-key.ts';
import { type Act, recordAct, recordChange } from './audit.ts';
import { balanceOf } from './ledger.ts';

/** The properties of a new account. */
export interface NewAccount {
  /** Chosen by the operator (`acme`): lower-case letters, digits, `-` and `_`. Generated if absent. */
  readonly id?: string;
  readonly name?: string;
  /** Micro-dollars; null = invoiced account without a limit. Default 0: only credited money can be spent. */
  readonly creditLimit?: Micros | null;
}

/** The page of a list to read; absent = the whole list. */
export interface ListPage {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** The properties of an account that can be changed; absent ones stay as they are. */
export interface AccountChange {
  readonly name?: string;
  /** Micro-dollars by which the live balance may fall below zero; null = invoiced account without a limit. */
  readonly creditLimit?: Micros | null;
  readonly priceRules?: Account['priceRules'];
  readonly hiddenModels?: readonly string[];
  /** Default webhook URL for live tasks. */
  readonly webhookUrl?: string | null;
  /** Default webhook URL for test tasks. */
  readonly testWebhookUrl?: string | null;
}

const ID = new RegExp(`^${ACCOUNT_ID}$`);
const GLOB = new RegExp(`^${MODEL_GLOB}$`);

/** Creates an account. @throws ServiceError `invalid_request`, also if the id is already used. */
export async function createAccount(
  database: Pick<Database, 'write'>,
  by: Act,
  order: NewAccount,
): Promise<AccountView> {
  const id = order.id ?? by.createId('acc');
  const change = { name: order.name ?? id, creditLimit: order.creditLimit === undefined ? 0 : order.creditLimit };
  const faults = faultsOf(change);
  if (!ID.test(id)) {
    faults.unshift({
      param: 'account_id',
      code: 'invalid_request',
      message: `'account_id' must have 1 to 64 lower-case letters, digits, '-' or '_'; found '${cutText(id, 80)}'.`,
    });
  }
  if (faults.length > 0) throw errorFromFaults(faults);
  return await database.write('create_account', async (trx) => {
    await by.binding?.within(trx, id);
    if ((await findRow(trx, id)) !== undefined) {
      throw new ServiceError('invalid_request', `The account '${id}' exists already. Choose another id.`, {
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
      deliver_json: null,
      test_webhook_url: null,
    };
    await trx.run(trx.builder.insertInto('accounts').values(row));
    const after = { name: row.name, credit_limit: limitText(row) };
    await recordAct(trx, by, { act: 'account.create', target: id, detail: { name: row.name, after } });
    return await view(trx, row);
  });
}

/** Creates the account `default`, without a credit limit, if there is no account. */
export async function ensureDefaultAccount(database: Database, by: Act): Promise<void> {
  if ((await anyAccount(database)) === undefined) {
    await createAccount(database, by, { id: DEFAULT_ACCOUNT, name: DEFAULT_ACCOUNT, creditLimit: null });
  }
}

/** Returns any one account; undefined = there is none. */
export async function anyAccount(database: Database): Promise<object | undefined> {
  return await database.read.first(database.read.builder.selectFrom('accounts').select('id').limit(1));
}

/** Lists accounts in order of their ids: all, or those of a page after an id. */
export async function listAccounts(session: Session, { after, limit }: ListPage = {}): Promise<AccountView[]> {
  let query = session.builder.selectFrom('accounts').selectAll().orderBy('id');
  if (after !== undefined) query = query.where('id', '>', after);
  if (limit !== undefined) query = query.limit(limit);
  const rows = await session.all(query);
  return await Promise.all(rows.map((row) => view(session, row)));
}

/** Reads an account with its balance. @throws ServiceError `not_found` */
export async function getAccount(session: Session, accountId: string): Promise<AccountView> {
  return await view(session, await rowOf(session, accountId));
}

/**
 * Changes the settings of an account.
 * @param alongside writes related rows in the same unit
 * @throws ServiceError `not_found`, `invalid_request`
 */
export async function changeAccount(
  database: Pick<Database, 'write'>,
  by: Act,
  accountId: string,
  change: AccountChange,
  alongside?: (trx: Transaction) => Promise<void>,
): Promise<AccountView> {
  const faults = faultsOf(change);
  if (faults.length > 0) throw errorFromFaults(faults);
  return await database.write('change_account', async (trx) => {
    await by.binding?.within(trx, accountId);
    const old = await lockedRowOf(trx, accountId);
    const row = await applyChange(trx, accountId, change);
    const [before, after] = [termsOf(old), termsOf(row)];
    await recordChange(trx, by, { act: 'account.change', target: accountId, before, after });
    await alongside?.(trx);
    return await view(trx, row);
  });
}

/**
 * Sets the default webhook URL for the tasks of one mode.
 * @param alongside writes related rows in the same unit
 * @throws ServiceError `not_found`
 */
export async function setWebhookUrl(
  database: Database,
  by: Act,
  { accountId, mode }: { readonly accountId: string; readonly mode: 'live' | 'test' },
  url: string | null,
  alongside?: (trx: Transaction) => Promise<void>,
): Promise<AccountView> {
  const change = mode === 'live' ? { webhookUrl: url } : { testWebhookUrl: url };
  return await changeAccount(database, by, accountId, change, alongside);
}

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

async function lockedRowOf(trx: Transaction, accountId: string): Promise<AccountRow> {
  await trx.first(trx.builder.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate());
  return await rowOf(trx, accountId);
}

/** Updates only the changed columns, since another writer may change the others at the same time. */
async function applyChange(trx: Transaction, accountId: string, change: AccountChange): Promise<AccountRow> {
  const { name, creditLimit, priceRules, hiddenModels, webhookUrl, testWebhookUrl } = change;
  const values = given({
    name,
    credit_limit: creditLimit,
    price_rules_json: priceRules && JSON.stringify(priceRules),
    hidden_models_json: hiddenModels && JSON.stringify(hiddenModels),
    webhook_url: webhookUrl,
    test_webhook_url: testWebhookUrl,
  });
  if (Object.keys(values).length > 0)
    await trx.run(trx.builder.updateTable('accounts').set(values).where('id', '=', accountId));
  return await rowOf(trx, accountId);
}

async function view(session: Session, row: AccountRow): Promise<AccountView> {
  return {
    account_id: row.id,
    created_at: isoTime(row.created_at),
    balance: formatMicros(await balanceOf(session, row.id, 'live')),
    currency: 'USD',
    ...termsOf(row),
  };
}

/** Returns the settings that an operator or a manager of the account can change. */
function termsOf(row: AccountRow) {
  return {
    name: row.name,
    credit_limit: limitText(row),
    price_rules: priceRulesOf(row),
    hidden_models: hiddenModelsOf(row),
    webhook_url: row.webhook_url,
    test_webhook_url: row.test_webhook_url,
  };
}

function limitText({ credit_limit: limit }: Pick<AccountRow, 'credit_limit'>): string | null {
  return limit === null ? null : formatMicros(limit);
}

function faultsOf(change: AccountChange): Fault[] {
  const faults: Fault[] = [];
  const fault = (param: string, message: string) => faults.push({ param, code: 'invalid_request', message });
  if (change.name !== undefined && (change.name.trim() === '' || change.name.length > 100))
    fault('name', `'name' must have 1 to 100 characters; found ${change.name.length}.`);
  if (change.creditLimit != null && (!Number.isSafeInteger(change.creditLimit) || change.creditLimit < 0))
    fault(
      'credit_limit',
      "'credit_limit' must be an amount of dollars of at least 0, or null for an account that pays later.",
    );
  for (const [index, rule] of (change.priceRules ?? []).entries()) {
    if (!GLOB.test(rule.models))
      fault(`price_rules[${index}].models`, `Expected a pattern such as 'flux-*', found '${rule.models}'.`);
    if (!/^\d{1,4}(\.\d{1,6})?$/.test(rule.multiplier))
      fault(`price_rules[${index}].multiplier`, `Expected a decimal such as "0.9", found '${rule.multiplier}'.`);
  }
  for (const [index, model] of (change.hiddenModels ?? []).entries()) {
    if (!GLOB.test(model)) fault(`hidden_models[${index}]`, `Expected a pattern such as 'flux-*', found '${model}'.`);
  }
  return faults;
}

/** The account that the first start creates. */
export const DEFAULT_ACCOUNT = 'default';
