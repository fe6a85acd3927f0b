import { ROLES } from '@darkroom-service/contract';
import { whenRun, withIdempotencyKey, withNotes, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import { type Command, Option } from 'commander';

/** Adds `darkroom invitations`. It uses the database directly, also while the service is running. */
export function addInvitationsCommand(program: Command): void {
  const invitations = program.command('invitations').description('invite people to sign in, by links that work once');
  const create = invitations
    .command('create')
    .description('print a link that offers a role to whoever signs in with it')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory())
    .option('--account <id>', 'the account; required for all roles but operator and owner')
    .option('--email <address>', 'only for this verified address');
  withNotes(
    withIdempotencyKey(withOutput(create, 'the link')),
    ['The link works once, within seven days, and is shown only now.'],
    'darkroom invitations create --account acme --role manager --email ada@example.com',
  );
  create.action(whenRun(async () => (await import('./invitation-actions.ts')).create));
  const list = invitations
    .command('list')
    .description('list open invitations to an account, or to the operators')
    .option('--account <id>', 'the account; left out: the operators');
  withOutput(list, 'their ids').action(whenRun(async () => (await import('./invitation-actions.ts')).list));
  const revoke = invitations
    .command('revoke')
    .description('end an invitation that nobody has accepted')
    .argument('<invitation_id>');
  withOutput(revoke).action(whenRun(async () => (await import('./invitation-actions.ts')).revoke));
}
