import { clientOfEnvironment } from '@darkroom-service/addition-common/commands/api-client';
import { withNotes } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

/** Adds `darkroom call`, whose commands are the operations of the service that answers. */
export function addCallCommand(program: Command): void {
  const call = program
    .command('call')
    .description('call any operation of the service: one command for each, with its own --help')
    .argument('[operation]', 'such as list-images; without one, all are listed')
    .argument('[words...]', "the operation's arguments and options")
    // All options are the operation's.
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions();
  call.action(async () => {
    const { runCall } = await import('./run-call.ts');
    await runCall(call, clientOfEnvironment());
  });
}

/** Adds `darkroom completion`. */
export function addCompletionCommand(program: Command): void {
  const completion = program
    .command('completion')
    .description('print a script that completes commands and options in your shell')
    .argument('<shell>', 'bash or zsh');
  withNotes(
    completion,
    ['Operations of darkroom call are completed while the service answers.'],
    'darkroom completion bash >> ~/.bashrc',
  );
  completion.action(async (shell: string) => {
    const { printCompletion } = await import('./completion.ts');
    printCompletion(program, shell);
  });
}
