import type { Command } from 'commander';
import { type Addition, tablesOf } from '../service/addition.ts';
import { withOutput } from './output.ts';

/** Adds `darkroom migrate`: copies a whole installation to another database while no service runs on either. */
export function addMigrateCommand(program: Command, additions: readonly Addition[]): void {
  withOutput(program.command('migrate').description('copy all data to another database, such as PostgreSQL'))
    .requiredOption('--from <address>', 'sqlite:./data/darkroom.db, or postgres://…')
    .requiredOption('--to <address>', 'postgres://…, or sqlite:… ; an empty database')
    .action(async (options) => await (await import('./move-database.ts')).moveDatabase(options, tablesOf(additions)));
}
