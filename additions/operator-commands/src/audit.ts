import { whenRun, withNotes, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

/** Adds `darkroom audit`. It reads the database directly, also while the service is running. */
export function addAuditCommand(program: Command): void {
  const audit = program.command('audit').description('show who changed what, when and from where');
  const list = withFilters(withOutput(audit.command('list').description('list changes, newest first'), 'their ids'));
  list.option('--limit <count>', 'the newest ones, at most 1000', '20');
  list.action(whenRun(async () => (await import('./show-audit.ts')).listAudit));
  const written = withFilters(audit.command('export').description('print all changes as JSON lines, oldest first'));
  withNotes(
    written,
    ['DARKROOM_AUDIT_DAYS says how long changes are kept: 400 days by default.'],
    'darkroom audit export --from 2026-11-01 > audit.jsonl',
  );
  written.action(whenRun(async () => (await import('./show-audit.ts')).exportAudit));
}

function withFilters(command: Command): Command {
  return command
    .option('--actor <id or name>', 'made by one key, person or program')
    .option('--act <act>', 'such as key.create, or key for all acts on keys')
    .option('--target <id>', 'of one key, account, task or other subject')
    .option('--from <time>', 'such as 2026-11-01')
    .option('--to <time>', 'itself excluded');
}
