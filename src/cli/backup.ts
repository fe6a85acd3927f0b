import type { Command } from 'commander';
import { withOutput } from './output.ts';
import { whenRun } from './when-run.ts';

/** Adds `darkroom backup`: makes a consistent copy, also while the service is running. */
export function addBackupCommand(program: Command): void {
  withOutput(program.command('backup').description('copy database and files, also while the service runs'))
    .argument('<dir>', 'a new or empty directory')
    .action(whenRun(async () => (await import('./make-backup.ts')).makeBackup));
}
