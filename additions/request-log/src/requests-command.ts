import { whenRun, withNotes, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import { type Command, Option } from 'commander';

/** Adds `darkroom requests`. It reads the database directly, also while the service is running. */
export function addRequestsCommand(program: Command): void {
  const command = program
    .command('requests')
    .description('list the requests that keys sent lately, and how they were answered')
    .option('--key <key_id>', 'of one key')
    .option('--account <account_id>', 'of the keys of one account')
    .option('--failed', 'only those that were refused or failed')
    .addOption(new Option('--status <status>', 'such as 404 or 4xx').conflicts('failed'))
    .option('--code <code>', 'the code of an error')
    .option('--method <method>', 'such as POST')
    .option('--limit <count>', 'the newest ones, at most 1000', '20');
  withNotes(
    withOutput(command, 'their request ids'),
    [
      'DARKROOM_REQUEST_LOG says which requests are kept: by default all but successful reads, for 7 days, the last 2,000 of each key.',
    ],
    'darkroom requests --key key_01h… --failed',
  );
  command.action(whenRun(async () => (await import('./show-requests.ts')).showRequests));
}
