import type { IssuedKeyView, KeyView, KeyWithTasksView, RevokedKeyView } from '@darkroom-service/contract';
import type { ListPage } from '../../accounts/accounts.ts';
import {
  asRevoked,
  issueKey,
  listKeys,
  type NewKey,
  readKey,
  revokeKey,
  rotateKey,
  withoutSecret,
} from '../../accounts/api-keys.ts';
import type { Act } from '../../accounts/audit.ts';
import type { KeySettings } from '../../accounts/key-settings.ts';
import type { Database } from '../../database/database.ts';
import { changeLimitsOfKey } from '../../tasks/change-limits-of-key.ts';
import type { TaskHooks } from '../../tasks/task-hooks.ts';

/** Keys of accounts, as operators and members of an account manage them. Keys of people are not among them. */
export interface Keys {
  /**
   * Creates a key and its secret.
   * @throws ServiceError `not_found` for an unknown account, `invalid_request` with every fault
   * @example const { key_id: id, key: secret } = await kernel.keys.issue(by, { accountId: 'default', mode: 'test' });
   */
  issue(by: Act, key: NewKey): Promise<IssuedKeyView>;
  /**
   * Returns an issued or rotated key without its secret, for a repeated request.
   * @throws ServiceError `not_found`
   * @example const { message } = await kernel.keys.issued(key.id);
   */
  issued(keyId: string): Promise<IssuedKeyView>;
  /**
   * Lists keys in the order of their ids: all, those of an account, or those of a page after an id.
   * @example const [first] = await kernel.keys.list({ accountId: key.account.id, limit: 1 });
   */
  list(filter?: ListPage & { readonly accountId?: string | undefined }): Promise<KeyView[]>;
  /**
   * Reads a key and counts its tasks.
   * @throws ServiceError `not_found`
   * @example const { tasks } = await kernel.keys.read(key.id);
   */
  read(keyId: string): Promise<KeyWithTasksView>;
  /**
   * Changes settings of a key. Orders that its concurrency kept waiting may start.
   * @throws ServiceError `not_found`, `invalid_request`
   * @example await kernel.keys.change(by, key.id, { name: 'shop' });
   */
  change(by: Act, keyId: string, settings: KeySettings): Promise<KeyView>;
  /**
   * Revokes a key permanently. A repetition changes nothing.
   * @throws ServiceError `not_found`
   * @example const { unreachable_tasks: lost } = await kernel.keys.revoke(by, key.id);
   */
  revoke(by: Act, keyId: string): Promise<RevokedKeyView>;
  /**
   * Returns a revoked key as `revoke` did, for a repeated request.
   * @throws ServiceError `not_found`
   * @example const { revoked_at: at } = await kernel.keys.revoked(key.id);
   */
  revoked(keyId: string): Promise<RevokedKeyView>;
  /**
   * Gives a key a new secret. The previous one stays valid for a time, in milliseconds.
   * @throws ServiceError `not_found`; `invalid_request` for a revoked key
   * @example const { key: secret } = await kernel.keys.rotate(by, key.id, { graceMs: 86_400_000 });
   */
  rotate(by: Act, keyId: string, options: { readonly graceMs: number }): Promise<IssuedKeyView>;
}

/** Opens the keys for additions and commands. */
export function openKeys({
  database,
  hooks,
}: {
  readonly database: Pick<Database, 'kind' | 'read' | 'reports' | 'write'>;
  readonly hooks: readonly TaskHooks[];
}): Keys {
  return {
    issue: (by, key) => issueKey(database, by, key),
    issued: (keyId) => withoutSecret(database.read, keyId),
    list: (filter) => listKeys(database.read, filter),
    read: (keyId) => readKey(database.read, keyId),
    change: (by, keyId, settings) => changeLimitsOfKey({ database, hooks }, by, keyId, settings),
    revoke: (by, keyId) => revokeKey(database, by, keyId),
    revoked: (keyId) => asRevoked(database.read, keyId),
    rotate: (by, keyId, options) => rotateKey(database, by, keyId, options),
  };
}
