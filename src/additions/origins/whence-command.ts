import type { Command } from 'commander';
import { withOutput } from '../../cli/output.ts';
import { whenRun } from '../../cli/when-run.ts';

/** Adds `darkroom whence`. It hashes the file here and asks a running service. */
export function addWhenceCommand(program: Command): void {
  withOutput(program.command('whence').description('find the task that made a file'), 'the id of the task')
    .argument('<file>', 'an image or a video as it was downloaded; - for standard input')
    .action(whenRun(async () => (await import('./show-whence.ts')).showWhence));
}
