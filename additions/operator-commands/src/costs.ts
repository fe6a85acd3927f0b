import { whenRun, withNotes, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

/** Adds `darkroom costs`. It reads the database directly, also while the service is running. */
export function addCostsCommand(program: Command): void {
  const command = program
    .command('costs')
    .description('report what live orders earned and what they cost at the upstreams')
    .option('--by <group>', 'one of model, account, engine', 'model')
    .option('--from <date>', 'such as 2026-11-01; by default 30 days before --to')
    .option('--to <date>', 'itself excluded; by default now');
  withNotes(
    withOutput(command),
    ['An order counts if its upstream told what it cost, or if the catalog states what its route costs.'],
    'darkroom costs --by engine --from 2026-11-01 --to 2026-12-01',
  );
  command.action(
    whenRun(async () => (await import('@darkroom-service/addition-common/commands/report-costs')).showCosts),
  );
}
