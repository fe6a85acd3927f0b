import { type Command, Option } from 'commander';
import { issueKey, listKeys, type NewKey, revokeKey, rotateKey } from '../accounts/api-keys.ts';
import { type Micros, parseMicros } from '../base/money.ts';
import { DEFAULT_ACCOUNT } from '../service/first-start.ts';
import type { IssuedKeyView, KeyView } from '../wire/admin.ts';
import { usageFault } from './command-fault.ts';
import { parseDuration } from './duration.ts';
import { withLocalData } from './local-database.ts';
import { type OutputOptions, show, table, withOutput } from './output.ts';

interface CreateOptions extends OutputOptions {
  readonly mode: 'test' | 'live' | 'admin';
  readonly account: string;
  readonly name?: string;
  readonly expires?: string;
  readonly rpm?: number;
  readonly readRpm?: number;
  readonly concurrency?: number;
  readonly queue?: number;
  readonly spendLimit?: SpendLimits;
  readonly models?: string[];
  readonly accountView?: boolean;
  readonly approveOver?: Micros;
}

type Period = 'day' | 'month' | 'total';
type SpendLimits = { readonly [period in Period]?: Micros };

/** Adds `darkroom keys`. It works directly on the database, also while the service is running. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('make, list, rotate and revoke API keys');
  withOutput(keys.command('create').description('make a key; its secret is shown this once'), 'the key')
    .addOption(new Option('--mode <mode>', 'what it is for').choices(['test', 'live', 'admin']).makeOptionMandatory())
    .option('--account <id>', 'whose money it spends', DEFAULT_ACCOUNT)
    .option('--name <name>', 'what to call it')
    .option('--expires <time>', 'when it stops working, such as 90d')
    .option('--rpm <n>', 'creates per minute; 0 = no limit (default)', count('--rpm'))
    .option('--read-rpm <n>', 'reads per minute; 0 = no limit (default: 3000)', count('--read-rpm'))
    .option('--concurrency <n>', 'how many of its tasks run at once; 0 = no limit (default)', count('--concurrency'))
    .option('--queue <n>', 'how many of its tasks may wait (default: 10000)', count('--queue'))
    .option('--spend-limit <limit>', 'dollars such as 20/day, 50/month or 100/total; repeatable', spendLimit)
    .option('--models <patterns>', "the only models it may order, such as 'flux-*,sketch'; repeatable", patterns)
    .option('--approve-over <dollars>', 'a person must agree to orders through MCP above this price', dollars)
    .option('--account-view', 'let it see what the whole account spends')
    .action(async (options: CreateOptions) => {
      const issued = await withLocalData('make', ({ database, by }) => issueKey(database, by, newKey(options, by.now)));
      showIssued(options, issued);
    });

  withOutput(keys.command('list').description('list keys, without their secrets'), 'their ids')
    .option('--account <id>', 'of this account only')
    .action(async (options: OutputOptions & { account?: string }) => {
      const items = await withLocalData('refuse', ({ database }) =>
        listKeys(database.read, { accountId: options.account }),
      );
      show(options, { json: { items }, text: keyTable(items), plain: items.map((key) => key.key_id).join('\n') });
    });

  withOutput(keys.command('revoke').description('end a key for good'))
    .argument('<key_id>')
    .action(async (keyId: string, options: OutputOptions) => {
      const revoked = await withLocalData('refuse', ({ database, by }) => revokeKey(database, by, keyId));
      const tasks = revoked.unreachable_tasks;
      const lost =
        tasks === 1 ? '1 task of it can no longer be reached' : `${tasks} tasks of it can no longer be reached`;
      show(options, {
        json: revoked,
        text: `${keyId} is revoked within five seconds; ${tasks === 0 ? 'it has no tasks' : lost}.`,
      });
    });

  withOutput(keys.command('rotate').description('give a key a new secret; its tasks stay its own'), 'the new key')
    .argument('<key_id>')
    .option('--grace <time>', 'how long the old secret still works; 0 = not at all', '24h')
    .action(async (keyId: string, options: OutputOptions & { grace: string }) => {
      const graceMs = parseDuration(options.grace, '--grace');
      const issued = await withLocalData('refuse', ({ database, by }) => rotateKey(database, by, keyId, { graceMs }));
      showIssued(options, issued);
    });
}

function newKey(options: CreateOptions, now: number): NewKey {
  return {
    accountId: options.account,
    mode: options.mode,
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.expires === undefined ? {} : { expiresAt: now + parseDuration(options.expires, '--expires') }),
    ...(options.rpm === undefined ? {} : { createsPerMinute: options.rpm }),
    ...(options.readRpm === undefined ? {} : { readsPerMinute: options.readRpm }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(options.queue === undefined ? {} : { queueLimit: options.queue }),
    ...(options.spendLimit === undefined ? {} : { spendLimits: options.spendLimit }),
    models: options.models ?? [],
    accountView: options.accountView ?? false,
    approveOver: options.approveOver ?? null,
  };
}

function showIssued(options: OutputOptions, issued: IssuedKeyView): void {
  const lines = [`${issued.key_id}  ${issued.mode} key '${issued.name}' of account '${issued.account_id}'`, ''];
  lines.push(`  ${issued.key}`, '', 'This is the only time it is shown.');
  show(options, { json: issued, text: lines.join('\n'), plain: issued.key });
}

function keyTable(items: readonly KeyView[]): string {
  if (items.length === 0) return 'There are no keys. Make one: darkroom keys create --mode test';
  return table(
    ['KEY', 'MODE', 'NAME', 'ACCOUNT', 'CREATED', 'STATE', 'SPEND LIMITS', 'MODELS'],
    items.map((key) => [
      key.key_id,
      key.mode,
      key.name,
      key.account_id,
      key.created_at.slice(0, 10),
      stateOf(key),
      Object.entries(key.spend_limits)
        .filter(([, amount]) => amount !== null)
        .map(([period, amount]) => `${amount}/${period}`)
        .join(' ') || '-',
      key.models.join(',') || '*',
    ]),
  );
}

function stateOf(key: KeyView): string {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'good';
  return Date.parse(key.expires_at) <= Date.now() ? 'expired' : `until ${key.expires_at.slice(0, 10)}`;
}

function count(option: string): (text: string) => number {
  return (text) => {
    if (!/^\d{1,9}$/.test(text)) throw usageFault(`${option}: expected a whole number from 0 on, found '${text}'`);
    return Number(text);
  };
}

function spendLimit(text: string, before: SpendLimits = {}): SpendLimits {
  const match = /^([\d.]+)\/(day|month|total)$/.exec(text);
  const amount = parseMicros(match?.[1] ?? '');
  const period = match?.[2] as Period | undefined;
  if (amount === null || period === undefined) {
    throw usageFault(
      `--spend-limit: expected dollars and a period such as 20/day, 50/month or 100/total, found '${text}'`,
    );
  }
  if (before[period] !== undefined) throw usageFault(`--spend-limit: the period ${period} was given twice`);
  return { ...before, [period]: amount };
}

function dollars(text: string): Micros {
  const amount = parseMicros(text);
  if (amount !== null && amount >= 0) return amount;
  throw usageFault(`--approve-over: expected dollars such as 0.50, found '${text}'`);
}

function patterns(text: string, before: string[] = []): string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...before, ...items.filter((item) => item !== '')];
}
