import { type Command, Option } from 'commander';
import { changeEndUserLimits, issueKey, listKeys, type NewKey, revokeKey, rotateKey } from '../accounts/api-keys.ts';
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
  readonly endUserLimit?: SpendLimits;
  readonly models?: string[];
  readonly accountView?: boolean;
  readonly approveOver?: Micros;
}

type Period = 'day' | 'month' | 'total';
type SpendLimits = { readonly [period in Period]?: Micros };

/** Adds `darkroom keys`. It works directly on the database, also while the service is running. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list, rotate and revoke API keys');
  withOutput(keys.command('create').description('create a key; its secret is shown only once'), 'the key')
    .addOption(
      new Option('--mode <mode>', 'test: costs nothing; live: spends money; admin: manages the service')
        .choices(['test', 'live', 'admin'])
        .makeOptionMandatory(),
    )
    .option('--account <id>', 'the account that pays', DEFAULT_ACCOUNT)
    .option('--name <name>', 'a name for people')
    .option('--expires <time>', 'the key expires after this time, such as 90d')
    .option('--rpm <n>', 'orders per minute; 0 = no limit (default)', count('--rpm'))
    .option('--read-rpm <n>', 'reads per minute; 0 = no limit (default: 3000)', count('--read-rpm'))
    .option('--concurrency <n>', 'tasks that run at once; 0 = no limit (default)', count('--concurrency'))
    .option('--queue <n>', 'tasks that may wait (default: 10000)', count('--queue'))
    .option(
      '--spend-limit <limit>',
      'dollars such as 20/day, 50/month or 100/total; repeatable',
      spendLimit('--spend-limit'),
    )
    .option(
      '--end-user-limit <limit>',
      'the same for each end user without a limit of its own; repeatable',
      spendLimit('--end-user-limit'),
    )
    .option('--models <patterns>', "it can order only these models, such as 'flux-*,sketch'; repeatable", patterns)
    .option('--approve-over <dollars>', 'a person must agree to orders through MCP above this price', dollars)
    .option('--account-view', 'it can read the usage of the whole account and set its webhooks')
    .action(async (options: CreateOptions) => {
      const issued = await withLocalData('make', ({ database, by }) => issueKey(database, by, newKey(options, by.now)));
      showIssued(options, issued);
    });

  withOutput(keys.command('list').description('list keys, without their secrets'), 'their ids')
    .option('--account <id>', 'only of this account')
    .action(async (options: OutputOptions & { account?: string }) => {
      const items = await withLocalData('refuse', ({ database }) =>
        listKeys(database.read, { accountId: options.account }),
      );
      show(options, { json: { items }, text: keyTable(items), plain: items.map((key) => key.key_id).join('\n') });
    });

  withOutput(keys.command('change').description('change the limits of the end users of a key'))
    .argument('<key_id>')
    .requiredOption(
      '--end-user-limit <limit>',
      'dollars such as 1/day, 20/month or 100/total for each end user without a limit of its own; 0/day = none',
      spendLimit('--end-user-limit'),
    )
    .action(async (keyId: string, options: OutputOptions & { endUserLimit: SpendLimits }) => {
      const changed = await withLocalData('refuse', ({ database, by }) =>
        changeEndUserLimits(database, by, keyId, options.endUserLimit),
      );
      const limits = limitList(changed.end_user_limits);
      const text = `${keyId}: each end user may spend ${limits === '' ? 'any amount' : limits}. It applies within five seconds.`;
      show(options, { json: changed, text });
    });

  withOutput(keys.command('revoke').description('revoke a key for ever'))
    .argument('<key_id>')
    .action(async (keyId: string, options: OutputOptions) => {
      const revoked = await withLocalData('refuse', ({ database, by }) => revokeKey(database, by, keyId));
      const tasks = revoked.unreachable_tasks;
      const lost =
        tasks === 1 ? 'Its task can no longer be retrieved' : `Its ${tasks} tasks can no longer be retrieved`;
      show(options, {
        json: revoked,
        text: `${keyId} stops working within five seconds. ${tasks === 0 ? 'It has no tasks' : lost}.`,
      });
    });

  withOutput(keys.command('rotate').description('give a key a new secret; it keeps its tasks'), 'the new key')
    .argument('<key_id>')
    .option('--grace <time>', 'the old secret works for this time; 0 = not at all', '24h')
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
    ...(options.endUserLimit === undefined ? {} : { endUserLimits: options.endUserLimit }),
    models: options.models ?? [],
    accountView: options.accountView ?? false,
    approveOver: options.approveOver ?? null,
  };
}

function showIssued(options: OutputOptions, issued: IssuedKeyView): void {
  const lines = [`${issued.key_id}  ${issued.mode} key '${issued.name}' of account '${issued.account_id}'`, ''];
  lines.push(`  ${issued.key}`, '', 'Store it now: it is not shown again.');
  show(options, { json: issued, text: lines.join('\n'), plain: issued.key });
}

function keyTable(items: readonly KeyView[]): string {
  if (items.length === 0) return 'There are no keys. Create one: darkroom keys create --mode test';
  return table(
    ['KEY', 'MODE', 'NAME', 'ACCOUNT', 'CREATED', 'STATE', 'SPEND LIMITS', 'MODELS'],
    items.map((key) => [
      key.key_id,
      key.mode,
      key.name,
      key.account_id,
      key.created_at.slice(0, 10),
      stateOf(key),
      limitList(key.spend_limits) || '-',
      key.models.join(',') || '*',
    ]),
  );
}

function limitList(limits: KeyView['spend_limits']): string {
  const set = Object.entries(limits).filter(([, amount]) => amount !== null);
  return set.map(([period, amount]) => `${amount}/${period}`).join(' ');
}

function stateOf(key: KeyView): string {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'active';
  return Date.parse(key.expires_at) <= Date.now() ? 'expired' : `until ${key.expires_at.slice(0, 10)}`;
}

function count(option: string): (text: string) => number {
  return (text) => {
    if (!/^\d{1,9}$/.test(text)) throw usageFault(`${option}: expected a whole number from 0 on, found '${text}'`);
    return Number(text);
  };
}

function spendLimit(option: string): (text: string, before?: SpendLimits) => SpendLimits {
  return (text, before = {}) => {
    const match = /^([\d.]+)\/(day|month|total)$/.exec(text);
    const amount = parseMicros(match?.[1] ?? '');
    const period = match?.[2] as Period | undefined;
    if (amount === null || period === undefined) {
      throw usageFault(
        `${option}: expected dollars and a period such as 20/day, 50/month or 100/total, found '${text}'`,
      );
    }
    if (before[period] !== undefined) throw usageFault(`${option}: the period ${period} is given twice`);
    return { ...before, [period]: amount };
  };
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
