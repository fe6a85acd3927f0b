import type { Command } from 'commander';
import { withOutput } from '../../cli/output.ts';
import { withIdempotencyKey } from '../../cli/repeatable-command.ts';
import { whenRun } from '../../cli/when-run.ts';

/** Adds `darkroom receipts`. It works directly on the database, also while the service is running. */
export function addReceiptsCommand(program: Command): void {
  const receipts = program.command('receipts').description('replace the key that signs receipts');
  withIdempotencyKey(
    withOutput(receipts.command('rotate').description('sign receipts with a new key from now on')),
  ).action(whenRun(async () => (await import('./rotate-key.ts')).rotateKey));
}
