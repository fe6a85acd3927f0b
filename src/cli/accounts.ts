import type { Command } from 'commander';
import { createAccount, creditAccount, listAccounts, setCreditLimit } from '../accounts/accounts.ts';
import { formatMicros, type Micros, parseMicros } from '../base/money.ts';
import type { AccountView } from '../wire/admin.ts';
import { usageFault } from './command-fault.ts';
import { withLocalData } from './local-database.ts';
import { type OutputOptions, show, table, withOutput } from './output.ts';

/** Adds `darkroom accounts`. It works directly on the database, also while the service is running. */
export function addAccountsCommand(program: Command): void {
  const accounts = program.command('accounts').description('create accounts, credit them and limit them');
  withOutput(accounts.command('create').description('create an account'), 'its id')
    .argument('[account]', "its id, such as 'acme'; without one the service chooses it")
    .option('--name <name>', 'a name for people')
    .option(
      '--limit <dollars>',
      "how far below zero its balance may go; 'none' = no limit, the account pays later",
      '0',
    )
    .action(async (id: string | undefined, options: OutputOptions & { name?: string; limit: string }) => {
      const creditLimit = parseLimit(options.limit, '--limit');
      const named = {
        ...(id === undefined ? {} : { id }),
        ...(options.name === undefined ? {} : { name: options.name }),
      };
      const account = await withLocalData('make', ({ database, by }) =>
        createAccount(database, by, { ...named, creditLimit }),
      );
      show(options, { json: account, text: describe(account), plain: account.account_id });
    });

  withOutput(accounts.command('list').description('list accounts with their balances'), 'their ids').action(
    async (options: OutputOptions) => {
      const items = await withLocalData('refuse', ({ database }) => listAccounts(database.read));
      const rows = items.map((account) => [
        account.account_id,
        account.name,
        account.balance,
        account.credit_limit ?? 'none',
        account.created_at.slice(0, 10),
      ]);
      const text = table(['ACCOUNT', 'NAME', 'BALANCE USD', 'CREDIT LIMIT', 'CREATED'], rows);
      show(options, { json: { items }, text, plain: items.map((account) => account.account_id).join('\n') });
    },
  );

  withOutput(accounts.command('credit').description('add to the live balance of an account'))
    .argument('<account>')
    .argument('<dollars>', 'such as 25.00; to subtract, write -- -5.00')
    .option('--note <text>', 'the reason, for the ledger')
    .option('--idempotency-key <key>', 'credits only once, however often you run the command')
    .action(
      async (id: string, dollars: string, options: OutputOptions & { note?: string; idempotencyKey?: string }) => {
        const amount = parseMicros(dollars);
        if (amount === null) throw usageFault(`<dollars>: expected an amount such as 25.00, found '${dollars}'`);
        const { account, replayed } = await withLocalData('refuse', ({ database, by }) =>
          creditAccount(database, by, id, {
            amount,
            note: options.note ?? null,
            idempotencyKey: options.idempotencyKey ?? null,
          }),
        );
        const done = replayed ? 'was credited before; nothing changed' : 'credited';
        show(options, {
          json: { ...account, replayed },
          text: `${formatMicros(amount)} USD ${done}.\n${describe(account)}`,
        });
      },
    );

  withOutput(accounts.command('limit').description('limit how far below zero the live balance of an account may go'))
    .argument('<account>')
    .argument('<dollars>', "such as 100 or 0; 'none' = no limit, the account pays later")
    .action(async (id: string, dollars: string, options: OutputOptions) => {
      const limit = parseLimit(dollars, '<dollars>');
      const account = await withLocalData('refuse', ({ database, by }) => setCreditLimit(database, by, id, limit));
      show(options, { json: account, text: describe(account) });
    });
}

function describe(account: AccountView): string {
  const limit = account.credit_limit === null ? 'pays later, no limit' : `credit limit ${account.credit_limit} USD`;
  return `${account.account_id} '${account.name}': balance ${account.balance} USD, ${limit}.`;
}

/** Parses a limit in dollars; null = no limit. */
function parseLimit(text: string, where: string): Micros | null {
  if (text === 'none') return null;
  const amount = parseMicros(text);
  if (amount === null || amount < 0) {
    throw usageFault(`${where}: expected dollars such as 100 or 0, or 'none', found '${text}'`);
  }
  return amount;
}
