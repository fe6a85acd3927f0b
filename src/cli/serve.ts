import type { Command } from 'commander';
import type { Addition } from '../service/addition.ts';

/** Adds `darkroom serve`: runs the service in the foreground until a signal. */
export function addServeCommand(program: Command, additions: readonly Addition[]): void {
  program
    .command('serve')
    .description('start the service; docs/configuration.md lists its settings, which are environment variables')
    .action(async () => await (await import('./run-service.ts')).runService(additions));
}
