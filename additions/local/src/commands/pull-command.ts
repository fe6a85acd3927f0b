import { whenRun, withNotes, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

/** Adds `darkroom pull`: downloads a model for this machine, or imports it from a folder. */
export function addPullCommand(program: Command): void {
  const command = program
    .command('pull')
    .description('download an open model for this machine and check it')
    .argument('<name>', 'the name in darkroom local list')
    .option('--build <variant>', "the engine's build, or none; default: the one that suits this machine")
    .option('--from <folder>', 'import the files from a folder; the network is not used')
    .option('--accept-licence', "accept the model's licence, if it must be accepted")
    .option('--yes', 'agree to facts that only the hub tells')
    .option('--force', 'also download if this machine has too little memory');
  withNotes(
    withOutput(command),
    ['An interrupted download goes on with the same command. A file of another digest is deleted and never used.'],
    'darkroom pull z-image-turbo',
  );
  command.action(whenRun(async () => (await import('./pull-model.ts')).pullModel));
}
