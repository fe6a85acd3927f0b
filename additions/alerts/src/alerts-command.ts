import { whenRun, withIdempotencyKey, withNotes, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import { type Command, Option } from 'commander';
import { ALERT_KINDS, ALERT_STATES } from './alert-words.ts';

/**
 * Adds `darkroom alerts`, and an option of `darkroom doctor`. It uses the database directly, also while the service is
 * running.
 */
export function addAlertsCommand(program: Command): void {
  const command = program
    .command('alerts')
    .description('list what operators must know of, and who was told')
    .addOption(new Option('--state <state>', 'by default both').choices(ALERT_STATES))
    .addOption(new Option('--kind <kind>', 'by default all').choices(ALERT_KINDS))
    .option('--limit <count>', 'the newest ones, at most 1000', '20');
  withNotes(
    withOutput(command, 'their ids'),
    ['Alerts that ended more than 30 days ago are deleted.'],
    'darkroom alerts --state open',
  );
  command.action(whenRun(async () => (await import('./show-alerts.ts')).showAlerts));
  const acknowledge = command
    .command('acknowledge')
    .description('take an open alert on: it is not repeated any more')
    .argument('<alert_id>');
  withIdempotencyKey(withOutput(acknowledge)).action(
    whenRun(async () => (await import('./answer-alert-commands.ts')).acknowledge),
  );
  const silence = command
    .command('silence')
    .description('send no message about the condition of an open alert for a time')
    .argument('<alert_id>')
    .requiredOption('--for <time>', 'such as 4h or 2d, at most 30d; 0 = send messages again');
  withIdempotencyKey(withOutput(silence)).action(
    whenRun(async () => (await import('./answer-alert-commands.ts')).silence),
  );
  program.commands
    .find((other) => other.name() === 'doctor')
    ?.option('--test-alert', 'also send a test alert to the configured receivers');
}
