import { whenRun, withIdempotencyKey, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

const actions = () => import('./account-actions.ts');

/** Adds `darkroom accounts`. It works directly on the database, also while the service is running. */
export function addAccountsCommand(program: Command): void {
  const accounts = program.command('accounts').description('create accounts, credit, refund and limit them');
  withIdempotencyKey(withOutput(accounts.command('create').description('create an account'), 'its id'))
    .argument('[account]', "its id, such as 'acme'; without one the service chooses it")
    .option('--name <name>', 'a name for people')
    .option(
      '--limit <dollars>',
      "how far below zero its balance may go; 'none' = no limit, the account pays later",
      '0',
    )
    .action(whenRun(async () => (await actions()).create));

  withOutput(accounts.command('list').description('list accounts with their balances'), 'their ids').action(
    whenRun(async () => (await actions()).list),
  );

  withIdempotencyKey(withOutput(accounts.command('credit').description('add to the live balance of an account')))
    .argument('<account>')
    .argument('<dollars>', 'such as 25.00; to subtract, write -- -5.00')
    .option('--note <text>', 'the reason, for the ledger')
    .action(whenRun(async () => (await actions()).credit));

  withIdempotencyKey(withOutput(accounts.command('refund').description('give the whole charge of a task back, once')))
    .argument('<task_id>', 'of a task that succeeded')
    .action(whenRun(async () => (await actions()).refund));

  withIdempotencyKey(
    withOutput(accounts.command('limit').description('limit how far below zero the live balance of an account may go')),
  )
    .argument('<account>')
    .argument('<dollars>', "such as 100 or 0; 'none' = no limit, the account pays later")
    .action(whenRun(async () => (await actions()).limit));
}
