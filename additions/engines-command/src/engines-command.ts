import { type Micros, parseMicros } from '@darkroom-service/contract';
import type { Addition } from '@darkroom-service/darkroom/kernel';
import { usageFault, whenRun, withNotes, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import { type Command, Option } from 'commander';

/**
 * Adds `darkroom engines`: `list` shows the configured instances, `try` places the cheapest order of each live route
 * with the operator's own accounts.
 */
export function addEnginesCommand(program: Command, additions: readonly Addition[]): void {
  const engines = program.command('engines').description('list the configured engines, and try their routes');
  withOutput(engines.command('list').description('list the configured instances of engines; asks no upstream')).action(
    whenRun(async () => (await import('./engines-list.ts')).listEngines),
  );
  const command = engines
    .command('try')
    .description('place the cheapest order of each live route, and report what the upstreams say')
    .argument('[engine...]', 'only these engines')
    .addOption(
      new Option('--max-spend <dollars>', 'the most that all orders together may cost by the catalog')
        .argParser(readAmount)
        .default(500_000, '0.50'),
    )
    .option('--dry-run', 'show the requests and make none; needs no budget')
    .option('--yes', 'order without asking')
    .option('--report <file>', 'where the report is written', 'engines-try.json');
  withNotes(
    withOutput(command),
    [
      'The orders are paid: your accounts at the upstreams are charged. They do not appear in your service, and their results are not kept.',
      'Name local to try the models of this machine: that starts their servers and costs nothing. A dry run leaves them out.',
      'The report holds no keys. It names models, requests, ids of the upstreams, and what differed from the tests.',
    ],
    'darkroom engines try fal xai --max-spend 0.20',
  );
  command.action(
    async (names, options) => await (await import('./try-engines.ts')).tryEngines(names, options, additions),
  );
}

function readAmount(text: string): Micros {
  const amount = parseMicros(text);
  if (amount === null || amount < 0) throw usageFault(`--max-spend: expected dollars such as 0.50; found '${text}'`);
  return amount;
}
