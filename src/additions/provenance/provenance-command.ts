import { Argument, type Command } from 'commander';
import { withOutput } from '../../cli/output.ts';
import { whenRun } from '../../cli/when-run.ts';
import { PROVENANCE_SETTINGS } from '../../service/config/provenance-variables.ts';

/** Adds `darkroom accounts provenance`. It works directly on the database, also while the service is running. */
export function addProvenanceCommand(program: Command): void {
  const accounts = program.commands.find((other) => other.name() === 'accounts');
  if (accounts === undefined) return;
  const setting = new Argument('[setting]', "'default' = the service's own setting; without one it is only shown");
  withOutput(accounts.command('provenance').description("set how an account's outputs say that a machine made them"))
    .argument('<account>')
    .addArgument(setting.choices([...PROVENANCE_SETTINGS, 'default']))
    .option('--prompt', 'the mark also contains the prompt')
    .action(whenRun(async () => (await import('./set-account-provenance.ts')).setAccountProvenance));
}
