import type { InstanceParts } from '../../kernel.ts';
import { keyedEngine } from '../../kernel-accounts.ts';

/** The upstream keys in force, as last read. */
export interface KeyRegistry {
  /** Returns the engines of an account's own upstream keys, by kind; empty for most accounts. */
  of(accountId: string): ReadonlyMap<string, string>;
  /** Whether there is any upstream key, also a removed one that orders may still use. */
  readonly hasAny: boolean;
  /** Reads the keys at once, after a change made in this process. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

const REFRESH_MS = 1_000;
const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Reads the upstream keys now and every second, so that a change applies in all processes within a second.
 */
export async function openKeyRegistry(options: Pick<InstanceParts, 'database' | 'startRefresh'>): Promise<KeyRegistry> {
  const { read } = options.database;
  let byAccount = new Map<string, Map<string, string>>();
  let hasAny = false;
  const refresh = await options.startRefresh('upstream_keys', REFRESH_MS, async () => {
    const rows = await read.all(
      read.builder.selectFrom('upstream_keys').select(['id', 'account_id', 'engine', 'removed_at']),
    );
    const next: typeof byAccount = new Map();
    for (const { id, account_id, engine, removed_at } of rows) {
      if (removed_at !== null) continue;
      const ofAccount = next.get(account_id) ?? new Map<string, string>();
      next.set(account_id, ofAccount.set(engine, keyedEngine(engine, id)));
    }
    byAccount = next;
    hasAny = rows.length > 0;
  });
  return {
    of: (accountId) => byAccount.get(accountId) ?? NONE,
    get hasAny() {
      return hasAny;
    },
    refresh: refresh.now,
    stop: refresh.stop,
  };
}
