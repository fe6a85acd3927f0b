import type { Command } from 'commander';
import { withOutput } from './output.ts';
import { whenRun } from './when-run.ts';

/** Adds `darkroom restore`: restores a backup to the empty data directory of a stopped service. */
export function addRestoreCommand(program: Command): void {
  withOutput(program.command('restore').description('restore a backup into an empty data directory'))
    .argument('<dir>', 'the directory of the backup')
    .action(whenRun(async () => (await import('./restore-backup.ts')).restoreBackup));
}
