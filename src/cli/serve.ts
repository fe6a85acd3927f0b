import type { Command } from 'commander';
import { whenRun } from './when-run.ts';

/** Adds `darkroom serve`: runs the service in the foreground until a signal. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('start the service; docs/configuration.md lists its settings, which are environment variables')
    .action(whenRun(async () => (await import('./run-service.ts')).runService));
}
