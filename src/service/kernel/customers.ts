import type { AccountView, CreditView, Micros } from '@darkroom-service/contract';
import {
  type AccountChange,
  changeAccount,
  createAccount,
  getAccount,
  type ListPage,
  listAccounts,
  type NewAccount,
} from '../../accounts/accounts.ts';
import type { Act } from '../../accounts/audit.ts';
import { creditAccount, creditFingerprint, getCredit, listCredits, takeBackCredit } from '../../accounts/credits.ts';
import type { Database } from '../../database/database.ts';

/** Accounts and their credits, as operators manage them. All amounts are micro-dollars. */
export interface Customers {
  /**
   * Creates an account.
   * @throws ServiceError `invalid_request` with every fault
   * @example const { account_id: id } = await kernel.customers.create(by, { name: 'Acme' });
   */
  create(by: Act, account: NewAccount): Promise<AccountView>;
  /**
   * Reads an account with its balance.
   * @throws ServiceError `not_found`
   * @example const { balance } = await kernel.customers.read('default');
   */
  read(accountId: string): Promise<AccountView>;
  /**
   * Lists accounts in the order of their ids: all, or those of a page after an id.
   * @example const [first] = await kernel.customers.list({ limit: 1 });
   */
  list(page?: ListPage): Promise<AccountView[]>;
  /**
   * Changes the settings of an account.
   * @throws ServiceError `not_found`, `invalid_request`
   * @example await kernel.customers.change(by, 'default', { creditLimit: null });
   */
  change(by: Act, accountId: string, change: AccountChange): Promise<AccountView>;
  /**
   * Adds an amount to the live balance of an account; a negative one is subtracted.
   * @throws ServiceError `not_found`, `invalid_request`
   * @example await kernel.customers.credit(by, 'default', { amount, note: 'invoice 7' });
   */
  credit(
    by: Act,
    accountId: string,
    credit: { readonly amount: Micros; readonly note?: string | null },
  ): Promise<AccountView>;
  /**
   * Returns the fingerprint of a credit, which a repetition over HTTP or by a command has, too.
   * @example const fingerprint = kernel.customers.creditFingerprint('default', amount, null);
   */
  creditFingerprint: typeof creditFingerprint;
  /**
   * Lists the credits of all accounts, the newest first.
   * @example const { items, hasMore } = await kernel.customers.credits({ limit: 20, after: null });
   */
  credits(page: { readonly limit: number; readonly after: string | null }): ReturnType<typeof listCredits>;
  /**
   * Reads a credit.
   * @throws ServiceError `not_found`
   * @example const { amount } = await kernel.customers.readCredit('crd_1');
   */
  readCredit(creditId: string): Promise<CreditView>;
  /**
   * Takes a credit back, whole and once.
   * @throws ServiceError `not_found`, `not_refundable` if it was taken back before, `invalid_request`
   * @example await kernel.customers.takeBack(by, 'crd_1');
   */
  takeBack(by: Act, creditId: string): Promise<CreditView>;
}

/** Opens the accounts for operators. */
export function openCustomers(database: Pick<Database, 'read' | 'write'>): Customers {
  return {
    create: (by, account) => createAccount(database, by, account),
    read: (accountId) => getAccount(database.read, accountId),
    list: (page) => listAccounts(database.read, page),
    change: (by, accountId, change) => changeAccount(database, by, accountId, change),
    credit: (by, accountId, credit) => creditAccount(database, by, accountId, credit),
    creditFingerprint,
    credits: (page) => listCredits(database.read, page),
    readCredit: (creditId) => getCredit(database.read, creditId),
    takeBack: (by, creditId) => takeBackCredit(database, by, creditId),
  };
}
