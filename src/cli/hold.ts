import { type Command, Option } from 'commander';
import { withNotes, withOutput } from './output.ts';
import { whenRun } from './when-run.ts';

/** Adds `darkroom hold` and `darkroom release`. They write the database directly, also while the service is running. */
export function addHoldCommands(program: Command): void {
  const hold = program
    .command('hold')
    .description('accept orders and send none: no order, no webhook, no clean-up')
    .option('--message <text>', 'what customers read about it');
  withOutput(hold).action(whenRun(async () => (await import('./hold-service.ts')).hold));
  const release = program
    .command('release')
    .description('end a hold')
    .addOption(
      new Option(
        '--as <role>',
        'of a restored or copied installation: successor takes the place of its original, copy goes on beside it',
      ).choices(['successor', 'copy']),
    )
    .addOption(
      new Option('--webhooks <what>', 'with --as: what happens to webhooks that were not delivered')
        .choices(['send', 'drop'])
        .default('send'),
    );
  withNotes(
    withOutput(release),
    [
      'With --as, it lists the orders that were open at the copy. A worker ends those that cost money as outcome_unknown, for reconciliation: nobody is charged, and none is sent again. Then the hold ends.',
    ],
    'darkroom release --as successor',
  );
  release.action(whenRun(async () => (await import('./hold-service.ts')).release));
}
