import { whenRun, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

const actions = () => import('./local-actions.ts');

/** Adds `darkroom local`: lists, shows, tries and removes models for this machine. */
export function addLocalCommand(program: Command): void {
  const local = program.command('local').description('models for this machine: list, show, price, run, remove');
  withOutput(local.command('list').description('list the models that can be pulled')).action(
    whenRun(async () => (await actions()).list),
  );
  withOutput(
    local
      .command('show')
      .description("show a model's files")
      .argument('<name>', 'the name in darkroom local list')
      .option('--entry', 'print the catalog entries of a pulled model instead'),
  ).action(whenRun(async () => (await actions()).showModel));
  local
    .command('run')
    .description("start a pulled model's server here, until Ctrl-C; the service needs no such command")
    .argument('<name>', 'the name in darkroom local list')
    .action(whenRun(async () => (await import('./local-run.ts')).runLocalModel));
  withOutput(
    local
      .command('price')
      .description('set what a pulled model costs your customers; default: nothing')
      .argument('<name>', 'the name in darkroom local list')
      .argument('<amount>', 'US dollars for one picture, grid or second of video, such as 0.01'),
  ).action(whenRun(async () => (await import('./local-price.ts')).setPrice));
  withOutput(
    local
      .command('rm')
      .description('remove a pulled model, or an unfinished download')
      .argument('<name>', 'the name in darkroom local list'),
  ).action(whenRun(async () => (await actions()).remove));
}
