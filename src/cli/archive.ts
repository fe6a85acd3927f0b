import type { Command } from 'commander';
import { withNotes, withOutput } from './output.ts';
import { whenRun } from './when-run.ts';

/** Adds `darkroom archive`. It works directly on the database and the storage, also while the service is running. */
export function addArchiveCommand(program: Command): void {
  const command = program
    .command('archive')
    .description('move finished tasks of past months to compressed files in the storage')
    .requiredOption('--before <month>', 'such as 2026-06: tasks of earlier months, in UTC')
    .option('--dry-run', 'only count them');
  withNotes(
    withOutput(command),
    [
      'Only tasks whose retention has ended are moved, with their ledger entries, Idempotency-Keys and costs. Balances and reports stay as they are. Interrupted, it goes on at its next run.',
    ],
    'darkroom archive --before 2026-06 --dry-run',
  );
  command.action(whenRun(async () => (await import('./run-archive.ts')).runArchive));
}
