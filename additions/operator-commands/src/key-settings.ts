import { given, type KeyView, type Micros, parseMicros } from '@darkroom-service/contract';
import type { KeySettings, LimitPatch } from '@darkroom-service/darkroom/kernel-accounts';
import { parseDuration, usageFault } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

/** Options of `keys create` and `keys change`; absent ones leave the default, or the present value. */
export interface SettingOptions {
  readonly name?: string;
  readonly expires?: string;
  readonly rpm?: number;
  readonly readRpm?: number;
  readonly concurrency?: number;
  readonly queue?: number;
  readonly spendLimit?: LimitPatch;
  readonly endUserLimit?: LimitPatch;
  readonly timezone?: string;
  readonly models?: readonly string[];
  readonly accountView?: boolean;
  readonly approveOver?: Micros | 'none';
}

export function withSettings(command: Command): Command {
  return command
    .option('--name <name>', 'a name for people')
    .option('--expires <time>', "the key expires after this time, such as 90d; 'never'")
    .option('--rpm <n>', 'orders per minute; 0 = no limit (default)', count('--rpm'))
    .option('--read-rpm <n>', 'reads per minute; 0 = no limit (default: 3000)', count('--read-rpm'))
    .option('--concurrency <n>', 'tasks that run at once; 0 = no limit (default)', count('--concurrency'))
    .option('--queue <n>', 'tasks that may wait (default: 10000)', count('--queue'))
    .option(
      '--spend-limit <limit>',
      'dollars such as 20/day, 50/month or 100/total, 0/day = no limit; repeatable',
      spendLimit('--spend-limit'),
    )
    .option(
      '--end-user-limit <limit>',
      'the same for each end user without a limit of its own; repeatable',
      spendLimit('--end-user-limit'),
    )
    .option('--timezone <zone>', 'the days and months of these limits, such as Europe/Berlin (default: UTC)')
    .option(
      '--models <patterns>',
      "it can order only these models, such as 'flux-*,sketch'; repeatable; '*' = every model",
      patterns,
    )
    .option(
      '--approve-over <dollars>',
      "a person must agree to orders through MCP above this price; 'none' = the setting of the service",
      dollarsOrNone,
    )
    .option('--account-view', 'it can read the usage of the whole account and set its webhooks')
    .option('--no-account-view', 'it can read its own usage only (default)');
}

/** Converts options of the command line to settings of a key. @param now milliseconds since 1970 UTC */
export function settingsOf(options: SettingOptions, now: number): KeySettings {
  const { expires, models } = options;
  const settings: { [Setting in keyof KeySettings]-?: KeySettings[Setting] | undefined } = {
    name: options.name,
    expiresAt:
      expires === undefined ? undefined : expires === 'never' ? null : now + parseDuration(expires, '--expires'),
    models: models?.includes('*') === true ? [] : models,
    createsPerMinute: options.rpm,
    readsPerMinute: options.readRpm,
    concurrency: options.concurrency,
    queueLimit: options.queue,
    spendLimits: options.spendLimit,
    endUserLimits: options.endUserLimit,
    timezone: options.timezone,
    accountView: options.accountView,
    approveOver: options.approveOver === 'none' ? null : options.approveOver,
  };
  return given(settings);
}

/** Formats limits as `20.00/day 100.00/total`; empty if there is no limit. */
export function limitList(limits: KeyView['spend_limits']): string {
  const set = Object.entries(limits).filter(([, amount]) => amount !== null);
  return set.map(([period, amount]) => `${amount}/${period}`).join(' ');
}

function count(option: string): (text: string) => number {
  return (text) => {
    if (!/^\d{1,9}$/.test(text)) throw usageFault(`${option}: expected a whole number from 0 on, found '${text}'`);
    return Number(text);
  };
}

function spendLimit(option: string): (text: string, before?: LimitPatch) => LimitPatch {
  return (text, before = {}) => {
    const match = /^([\d.]+)\/(day|month|total)$/.exec(text);
    const amount = parseMicros(match?.[1] ?? '');
    const period = match?.[2] as keyof LimitPatch | undefined;
    if (amount === null || period === undefined) {
      throw usageFault(
        `${option}: expected dollars and a period such as 20/day, 50/month or 100/total, found '${text}'`,
      );
    }
    if (before[period] !== undefined) throw usageFault(`${option}: the period ${period} is given twice`);
    return { ...before, [period]: amount };
  };
}

function dollarsOrNone(text: string): Micros | 'none' {
  if (text === 'none') return text;
  const amount = parseMicros(text);
  if (amount !== null && amount >= 0) return amount;
  throw usageFault(`--approve-over: expected dollars such as 0.50, or 'none', found '${text}'`);
}

function patterns(text: string, before: readonly string[] = []): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...before, ...items.filter((item) => item !== '')];
}
