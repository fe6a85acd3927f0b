import { SPEND_WINDOWS, type SpendLimits } from '@darkroom-service/contract';
import type { Session } from '@darkroom-service/darkroom/kernel';
import { type RawBuilder, sql } from 'kysely';

/** A key with limits on its own spending or that of its end users, whose account has a default webhook URL. */
export interface LimitedKey {
  readonly id: string;
  readonly accountId: string;
  readonly mode: 'live' | 'test';
  /** The default URL of the key's mode. */
  readonly url: string;
  readonly spendLimits: SpendLimits;
  /** Limits of each end user that has none of its own. */
  readonly endUserLimits: SpendLimits;
  /** Time zone of the limits' days and months. */
  readonly timezone: string;
  /** Whether some end users have limits of their own. */
  readonly limitsEndUsers: boolean;
}

const URL: RawBuilder<string | null> =
  sql`case mode when 'live' then webhook_url when 'test' then test_webhook_url end`;

/** Finds the keys with limits whose accounts have a default webhook URL for their mode. */
export async function limitedKeys(read: Session): Promise<LimitedKey[]> {
  const own = sql<string | null>`(select end_user from end_users where end_users.api_key_id = api_keys.id
    and limits_json <> '{}' order by end_user limit 1)`;
  const columns = SPEND_WINDOWS.flatMap((window) => [`spend_${window}`, `end_user_${window}`] as const);
  const rows = await read.all(
    read.builder
      .selectFrom('accounts')
      // SQLite plans without statistics: this join makes it read the accounts first, which are few.
      .crossJoin('api_keys')
      .select(['api_keys.id', 'account_id', 'mode', 'timezone', ...columns, URL.as('url'), own.as('own')])
      .whereRef('account_id', '=', 'accounts.id')
      .where(URL, 'is not', null)
      .where(({ or, eb }) => or([...columns.map((column) => eb(column, 'is not', null)), eb(own, 'is not', null)])),
  );
  return rows.flatMap(({ id, account_id: accountId, mode, url, own, ...row }) => {
    if (mode === 'admin' || url === null) return [];
    const spendLimits = { day: row.spend_day, month: row.spend_month, total: row.spend_total };
    const endUserLimits = { day: row.end_user_day, month: row.end_user_month, total: row.end_user_total };
    return [
      {
        id,
        accountId,
        mode,
        url,
        spendLimits,
        endUserLimits,
        timezone: row.timezone ?? 'UTC',
        limitsEndUsers: own !== null,
      },
    ];
  });
}

/** Tells whether some window has a limit. */
export function limitsAny(limits: SpendLimits): boolean {
  return SPEND_WINDOWS.some((window) => limits[window] !== null);
}
