import { DEFAULT_ACCOUNT, whenRun, withIdempotencyKey, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import { type Command, Option } from 'commander';
import { withSettings } from './key-settings.ts';

const actions = () => import('./key-actions.ts');

/** Adds `darkroom keys`. It works directly on the database, also while the service is running. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list, change, rotate and revoke API keys');
  const create = withOutput(
    keys.command('create').description('create a key; its secret is shown only once'),
    'the key',
  )
    .addOption(
      new Option('--mode <mode>', 'test: costs nothing; live: spends money; admin: manages the service')
        .choices(['test', 'live', 'admin'])
        .makeOptionMandatory(),
    )
    .option('--account <id>', 'the account that pays', DEFAULT_ACCOUNT);
  withIdempotencyKey(withSettings(create)).action(whenRun(async () => (await actions()).create));

  withOutput(keys.command('list').description('list keys, without their secrets'), 'their ids')
    .option('--account <id>', 'only of this account')
    .action(whenRun(async () => (await actions()).list));

  const change = withOutput(
    keys.command('change').description('change settings of a key; what you leave out stays'),
  ).argument('<key_id>');
  withIdempotencyKey(withSettings(change)).action(whenRun(async () => (await actions()).change));

  withIdempotencyKey(withOutput(keys.command('revoke').description('revoke a key for ever')))
    .argument('<key_id>')
    .action(whenRun(async () => (await actions()).revoke));

  withIdempotencyKey(
    withOutput(keys.command('rotate').description('give a key a new secret; it keeps its tasks'), 'the new key'),
  )
    .argument('<key_id>')
    .option('--grace <time>', 'the old secret works for this time; 0 = not at all', '24h')
    .action(whenRun(async () => (await actions()).rotate));
}
