import type { Command } from 'commander';
import type { Addition } from '../../kernel.ts';
import { whenRun, withIdempotencyKey, withNotes, withOutput } from '../../kernel-cli.ts';

/** Adds `darkroom privacy`. All but the export use the database directly, also while the service is running. */
export function addPrivacyCommand(program: Command, additions: readonly Addition[]): void {
  const hooks = additions.flatMap((addition) => addition.hooks ?? []);
  const privacy = program.command('privacy').description("export and erase people's data");
  const erase = privacy
    .command('erase')
    .description('erase an account, or one end user of it; a worker does it')
    .argument('<account_id>')
    .option('--end-user <name>', 'only this end user of all keys of the account')
    .option('--uploads', 'also uploads that name no end user, if only orders of this one used them');
  withNotes(
    withIdempotencyKey(withOutput(erase, 'the erasure_id')),
    [
      'Prompts, inputs, outputs and names go; ledger and charges stay. Without --end-user it revokes the keys, too.',
      'Without --uploads, darkroom privacy erasures lists the uploads that are undecided.',
    ],
    'darkroom privacy erase acme --end-user ada',
  );
  erase.action(whenRun(async () => (await import('./privacy-actions.ts')).erase));
  const list = withOutput(privacy.command('erasures').description('print erasures as JSON lines, oldest first'));
  withNotes(list, ['Keep the list beside your backups: darkroom privacy repeat needs it after a restore.']);
  list.action(whenRun(async () => (await import('./privacy-actions.ts')).printErasures));
  const repeat = privacy
    .command('repeat')
    .description('erase again what an older database has, after a restore')
    .argument('<file>', 'what darkroom privacy erasures printed, or - for standard input');
  withOutput(repeat).action(whenRun(async () => (await import('./privacy-actions.ts')).repeatWith(hooks)));
  const exported = privacy
    .command('export')
    .description('download what is stored as ZIP archives, from a running service')
    .argument('<account_id>')
    .argument('<dir>', 'where the archives go; run it again after an interruption, and it goes on')
    .option('--end-user <name>', 'only this end user of all keys of the account');
  withNotes(withOutput(exported), ['DARKROOM_API_KEY must be an admin key.'], 'darkroom privacy export acme ./acme');
  exported.action(whenRun(async () => (await import('./export-data.ts')).exportData));
}
