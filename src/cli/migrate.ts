import type { Command } from 'commander';
import { withOutput } from './output.ts';
import { whenRun } from './when-run.ts';

/** Adds `darkroom migrate`: copies a whole installation to another database while no service runs on either. */
export function addMigrateCommand(program: Command): void {
  withOutput(program.command('migrate').description('copy all data to another database, such as PostgreSQL'))
    .requiredOption('--from <address>', 'sqlite:./data/darkroom.db, or postgres://…')
    .requiredOption('--to <address>', 'postgres://…, or sqlite:… ; an empty database')
    .action(whenRun(async () => (await import('./move-database.ts')).moveDatabase));
}
