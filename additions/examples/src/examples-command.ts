import { type Micros, parseMicros } from '@darkroom-service/contract';
import { usageFault, whenRun, withNotes, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import { type Command, Option } from 'commander';

/** Adds `darkroom examples make`: orders one example for each model that has none, and shows it. */
export function addExamplesCommand(program: Command): void {
  const examples = program.command('examples').description('show pictures and films as examples of their models');
  const make = withOutput(examples.command('make'))
    .description('order an example of each model that has none, and show it to everybody')
    .argument('[model...]', 'only these models')
    .option('--prompt <text>', 'the prompt of each', 'A lighthouse on a cliff at dusk, waves below')
    .addOption(
      new Option('--max-spend <dollars>', 'the most that all orders together may cost; the cheapest are chosen')
        .argParser(readAmount)
        .default(1_000_000, '1.00'),
    )
    .option('--yes', 'order without asking');
  withNotes(
    make,
    [
      'DARKROOM_API_KEY is a live key, which pays, of an account that has an admin key; DARKROOM_ADMIN_KEY is an admin key.',
      'Models and prices are listed before anything is ordered. Run again with the same prompt, the command orders again only what failed.',
      'Models that need more than a prompt are left out: order those yourself, then show them with PUT /admin/v1/tasks/{task_id}/example.',
    ],
    'darkroom examples make --max-spend 2.00',
  );
  make.action(whenRun(async () => (await import('./make-examples.ts')).makeExamples));
}

function readAmount(text: string): Micros {
  const amount = parseMicros(text);
  if (amount === null || amount < 0) throw usageFault(`--max-spend: expected dollars such as 2.00; found '${text}'`);
  return amount;
}
