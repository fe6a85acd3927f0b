import { type Command, Option } from 'commander';
import { withNotes, withOutput } from '../../cli/output.ts';
import { whenRun } from '../../cli/when-run.ts';
import { ALERT_KINDS, ALERT_STATES } from './alert-words.ts';

/**
 * Adds `darkroom alerts`, and an option of `darkroom doctor`. It reads the database directly, also while the service is
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
  program.commands
    .find((other) => other.name() === 'doctor')
    ?.option('--test-alert', 'also send a test alert to the configured receivers');
}
