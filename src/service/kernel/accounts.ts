import type { Fault, JsonValue } from '@darkroom-service/contract';
import { setWebhookUrl } from '../../accounts/accounts.ts';
import type { ApiKey, OrderingKey } from '../../accounts/api-key.ts';
import { type Act, recordAct, recordChange, type What } from '../../accounts/audit.ts';
import type { Budgets } from '../../accounts/budgets.ts';
import { findKeyById } from '../../accounts/keyring.ts';
import { isOwn, type Owner } from '../../accounts/scope.ts';
import type { SigningSecret, SigningSecretName } from '../../accounts/signing-secrets.ts';
import type { Transaction } from '../../database/database.ts';
import { endUserOf, readEndUserName, readWebhookUrl } from '../../orders/service-fields.ts';
import { type Followed, followedBy, notifyFollowers } from '../../tasks/follower.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

/** The keys that a first start creates, one of each kind. */
export type FirstKeys = Readonly<Record<'test' | 'live' | 'admin', string>>;

/** Accounts, their keys, and the audit log. */
export interface Accounts {
  /**
   * Returns a key, also a revoked or expired one; null = there is none.
   * @example const owner = await kernel.accounts.key(key.id);
   */
  key(id: string): Promise<(ApiKey & { readonly revoked: boolean }) | null>;
  /**
   * Tells whether a row with an end user belongs to the caller: a client token sees only those of its end user.
   * @example const isMine = kernel.accounts.owns(key, { end_user: null });
   */
  owns(owner: Owner, row: Parameters<typeof isOwn>[1]): boolean;
  /**
   * Returns the name of an end user as a caller has spelled it.
   * @throws ServiceError `invalid_request`
   * @example const name = kernel.accounts.readEndUser('ada');
   */
  readEndUser(text: string): string;
  /**
   * Returns the end user that a request is for: that of its client token, or the one it names; null = none.
   * @throws ServiceError `invalid_request`, `forbidden`
   * @example const endUser = kernel.accounts.endUserOf(key, 'ada');
   */
  endUserOf(key: OrderingKey, sent: string | null): string | null;
  /**
   * Records a change in the audit log, in the unit that makes it.
   * @example await kernel.accounts.record(trx, by, { act: 'brand.set', target: key.account.id });
   */
  record(trx: Transaction, by: Act, what: What): Promise<void>;
  /**
   * Records a change with the values before and after it. Returns false if they are equal: nothing is recorded.
   * @example
   * const change = { before: { name: 'a' }, after: { name: 'b' } };
   * await kernel.accounts.recordChange(trx, by, { act: 'brand.set', target: null, ...change });
   */
  recordChange<T extends object>(
    trx: Transaction,
    by: Act,
    what: What & { readonly before: T; readonly after: T },
  ): Promise<boolean>;
  /**
   * Sets the URL that is notified of the orders of an account that name no other one; null = none.
   * @param alongside further writes in the same unit
   * @throws ServiceError `not_found`
   * @example await kernel.accounts.setWebhookUrl(by, { accountId: key.account.id, mode: key.mode }, null);
   */
  setWebhookUrl(
    by: Act,
    owner: Parameters<typeof setWebhookUrl>[2],
    url: string | null,
    alongside?: (trx: Transaction) => Promise<void>,
  ): ReturnType<typeof setWebhookUrl>;
  /**
   * Notifies the followers of an order about an event, in the unit that writes it.
   * @param order names its followers in `followed`; if that is absent, those who follow such an order now are notified
   * @param notify calls the follower, whose statements join the unit
   * @example
   * const delivery = { isComplete: true, now: kernel.clock.now() };
   * kernel.accounts.notify(trx, row, (follower, unit) => follower.delivered?.(unit, row, delivery));
   */
  notify(
    trx: Transaction,
    order: Followed & { readonly followed?: number },
    notify: Parameters<typeof notifyFollowers>[3],
  ): void;
  /**
   * Reads the URL of a receiver of events; null = none. Adds its faults to `faults`.
   * @example const url = kernel.accounts.readWebhookUrl('https://example.com/', faults, 'url');
   */
  readWebhookUrl(value: JsonValue | undefined, faults: Fault[], param?: string): string | null;
  /**
   * Limits how much of this process each key uses.
   * @example const share = kernel.accounts.budgets.take(key, 'streams', 1);
   */
  readonly budgets: Budgets;
  /**
   * Returns the secrets of the installation that sign now, and those that are accepted.
   * @example const { signing } = kernel.accounts.signingSecret('file_signature');
   */
  signingSecret(name: SigningSecretName): SigningSecret;
  /**
   * Adds a text for the person at the terminal who sees the first keys of the installation.
   * @param text gets the keys, and the address of the service on this machine without a slash at the end
   * @example kernel.accounts.welcome((_keys, address) => `Brands: ${address}/brands`);
   */
  welcome(text: Welcome): void;
}

/** Returns a text for the person who sees the first keys. */
export type Welcome = (keys: FirstKeys, address: string) => string;

/** Opens the accounts for additions. */
export function openAccounts(
  services: Pick<TaskServices, 'database' | 'budgets' | 'createId' | 'followers' | 'settings' | 'wakeWork'>,
  signingSecrets: { of(name: SigningSecretName): SigningSecret },
  welcomes: Set<Welcome>,
): Accounts {
  const { database, budgets, settings } = services;
  return {
    key: (id) => findKeyById(database.read, id),
    owns: isOwn,
    readEndUser: readEndUserName,
    endUserOf,
    record: recordAct,
    recordChange,
    setWebhookUrl: (by, owner, url, alongside) => setWebhookUrl(database, by, owner, url, alongside),
    notify: (trx, order, notify) =>
      notifyFollowers(services, trx, order.followed ?? followedBy(services.followers, order), notify),
    readWebhookUrl: (value, faults, param) => readWebhookUrl(value, settings.allowedAddresses, faults, param),
    budgets,
    signingSecret: (name) => signingSecrets.of(name),
    welcome: (text) => void welcomes.add(text),
  };
}
