import { ACCOUNT_ID, parseMicros } from '@darkroom-service/contract';
import { DEFAULT_INSTANCE, type EngineInstance } from '@darkroom-service/engines';

interface Field {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const AMOUNT: Field = {
  expected: 'an amount in US dollars such as "20.00"',
  accepts: (value) => typeof value === 'string' && (parseMicros(value) ?? 0) > 0,
};

/** Settings of every instance, of any kind. */
export const INSTANCE_FIELDS: Readonly<Record<string, Field>> = {
  weight: {
    expected: 'a number from 0 to 1000',
    accepts: (value) => typeof value === 'number' && value >= 0 && value <= 1_000,
  },
  submissions_per_minute: {
    expected: 'a whole number from 1 to 100000',
    accepts: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100_000,
  },
  spend_limit_per_day: AMOUNT,
  spend_limit_per_month: AMOUNT,
  pinned_accounts: listOf('a list of account ids such as ["acme"]', ACCOUNT_ID),
  excluded_accounts: listOf('a list of account ids such as ["acme"], or ["*"]', `(?:\\*|${ACCOUNT_ID})`),
};

/** Returns the settings of a checked entry. */
export function instanceOf(kind: string, entry: Readonly<Record<string, unknown>>): EngineInstance {
  const amount = (field: string) => (entry[field] === undefined ? null : parseMicros(String(entry[field])));
  return {
    kind,
    weight: (entry.weight as number | undefined) ?? DEFAULT_INSTANCE.weight,
    submissionsPerMinute: (entry.submissions_per_minute as number | undefined) ?? null,
    spendLimits: { day: amount('spend_limit_per_day'), month: amount('spend_limit_per_month') },
    pinnedAccounts: (entry.pinned_accounts as string[] | undefined) ?? [],
    excludedAccounts: (entry.excluded_accounts as string[] | undefined) ?? [],
  };
}

function listOf(expected: string, item: string): Field {
  const pattern = new RegExp(`^${item}$`);
  return {
    expected,
    accepts: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string' && pattern.test(one)),
  };
}
