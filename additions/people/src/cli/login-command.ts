import { whenRun, withNotes, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import { type Command, Option } from 'commander';

/** Adds `darkroom login` and `darkroom logout`. They call a running service. */
export function addLoginCommands(program: Command): void {
  const login = program
    .command('login')
    .description('sign in with your work account, to order without an API key')
    .option(
      '--account <id>',
      'the account to order in; left out: your only one, that of the last login, or it is asked',
    )
    .addOption(new Option('--mode <mode>', 'play money or real orders').choices(['test', 'live']).default('test'))
    .option('--no-browser', 'only print the address to open');
  withNotes(
    withOutput(login),
    ['The sign-in is kept for this user of the machine, for up to a week. DARKROOM_API_KEY goes before it.'],
    'darkroom login --mode live',
  );
  login.action(whenRun(async () => (await import('./login.ts')).logIn));
  withOutput(program.command('logout').description('end the sign-in of this command line')).action(
    whenRun(async () => (await import('./login.ts')).logOut),
  );
}
