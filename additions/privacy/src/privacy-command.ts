import { whenRun, withIdempotencyKey, withNotes, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

const NEEDS = 'DARKROOM_API_KEY must be an admin key.';

/** Adds `darkroom privacy`. */
export function addPrivacyCommand(program: Command): void {
  const privacy = program.command('privacy').description("export and erase people's data, in a running service");
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
      NEEDS,
    ],
    'darkroom privacy erase acme --end-user ada',
  );
  erase.action(whenRun(async () => (await import('./privacy-actions.ts')).erase));
  const list = withOutput(privacy.command('erasures').description('print erasures as JSON lines, oldest first'));
  withNotes(list, ['Keep the list beside your backups: darkroom privacy repeat needs it after a restore.', NEEDS]);
  list.action(whenRun(async () => (await import('./privacy-actions.ts')).printErasures));
  const repeat = privacy
    .command('repeat')
    .description('erase again what an older database has, after a restore')
    .argument('<file>', 'what darkroom privacy erasures printed, or - for standard input');
  withNotes(withOutput(repeat), [NEEDS]);
  repeat.action(whenRun(async () => (await import('./privacy-actions.ts')).repeat));
  const exported = privacy
    .command('export')
    .description('download what is stored as ZIP archives')
    .argument('<account_id>')
    .argument('<dir>', 'where the archives go; run it again after an interruption, and it goes on')
    .option('--end-user <name>', 'only this end user of all keys of the account');
  withNotes(withOutput(exported), [NEEDS], 'darkroom privacy export acme ./acme');
  exported.action(whenRun(async () => (await import('./export-data.ts')).exportData));
}
