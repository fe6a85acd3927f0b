import { formatMicros, type Micros } from '@darkroom-service/contract';
import type { Config } from '@darkroom-service/darkroom/kernel';
import { type OutputOptions, readOwnConfig, show, table } from '@darkroom-service/darkroom/kernel-cli';
import { DEFAULT_INSTANCE } from '@darkroom-service/engines';

/** Lists the configured instances as the service would use them. Asks no upstream. */
export function listEngines(options: OutputOptions): void {
  const config = readOwnConfig();
  const json = instancesOf(config);
  const rows = json.map((one) => [
    one.name,
    one.kind,
    one.set_by,
    one.weight,
    one.submissions_per_minute,
    one.spend_limit_per_day,
    one.spend_limit_per_month,
    [...one.pinned_accounts, ...one.excluded_accounts.map((account) => `not ${account}`)].join(' '),
  ]);
  const heads = ['ENGINE', 'KIND', 'SET BY', 'WEIGHT', 'PER MINUTE', 'USD A DAY', 'USD A MONTH', 'ACCOUNTS'];
  const text = json.length === 0 ? 'No engine with an upstream is configured.' : table(heads, rows);
  show(options, {
    json: { policy: config.routePolicy, engines: json },
    text: `${text}\nPolicy: ${config.routePolicy}`,
  });
}

function instancesOf({ switchedOn, engineInstances }: Config) {
  return switchedOn.map(({ name, variable }) => {
    const settings = engineInstances.find((one) => one.name === name)?.settings ?? { ...DEFAULT_INSTANCE, kind: name };
    return {
      name,
      kind: settings.kind,
      set_by: variable,
      weight: settings.weight,
      submissions_per_minute: settings.submissionsPerMinute,
      spend_limit_per_day: amount(settings.spendLimits.day),
      spend_limit_per_month: amount(settings.spendLimits.month),
      pinned_accounts: settings.pinnedAccounts,
      excluded_accounts: settings.excludedAccounts,
    };
  });
}

function amount(limit: Micros | null): string | null {
  return limit === null ? null : formatMicros(limit);
}
