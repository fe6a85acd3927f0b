import { whenRun, withIdempotencyKey, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

/** Adds `darkroom secrets`. It works directly on the database, also while the service is running. */
export function addSecretsCommand(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('replace what signs file URLs, share links and client tokens, or print the keys of a CDN');
  withIdempotencyKey(withOutput(secrets.command('rotate').description('replace the secrets that sign')))
    .option('--grace <time>', 'what was signed before works for this time; 0 = not at all', '24h')
    .action(whenRun(async () => (await import('./secret-actions.ts')).rotateSecrets));
  withOutput(secrets.command('edge').description('print the keys with which a CDN verifies file URLs')).action(
    whenRun(async () => (await import('./secret-actions.ts')).showEdgeKeys),
  );
}
