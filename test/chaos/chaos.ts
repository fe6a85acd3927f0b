import { parseArgs } from 'node:util';
import { printTable } from '../../bench/table.ts';
import { BrokenPromise } from './broken-promise.ts';
import { runChaos } from './run-chaos.ts';

/**
 * The hard-life program: `npm run chaos -- [--seed N] [--seconds 120] [--embedded | --cells]`. Processes of the
 * service are killed, paused and shut down, the database is restarted, storage fails, the upstream does all that
 * upstreams do, and at the end every promise is checked. With `--cells`, two cells are behind HAProxy, and the
 * primary of one is killed and its standby promoted. Exits with 1 at the first broken promise, and with the seed that
 * repeats it.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    seconds: { type: 'string', default: '120' },
    embedded: { type: 'boolean', default: false },
    cells: { type: 'boolean', default: false },
  },
});
const seed = wholeNumber('seed', values.seed);
const seconds = wholeNumber('seconds', values.seconds);
const setting = values.cells ? 'cells' : values.embedded ? 'embedded' : 'shared';
const again = `npm run chaos -- --seed ${seed} --seconds ${seconds}${setting === 'shared' ? '' : ` --${setting}`}`;
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}`)));

console.log(`${again}\n`);
try {
  const report = await runChaos({ setting, seed, seconds, onFault: console.log, signal: interrupted.signal });
  const title = { faults: 'Survived', upstream: 'The upstream', customers: 'Customers', ends: 'Tasks ended' } as const;
  for (const part of ['faults', 'upstream', 'customers', 'ends'] as const) {
    const rows = [...report[part]].sort(([one], [other]) => one.localeCompare(other));
    printTable(
      title[part],
      ['what', 'times'],
      rows.map(([what, times]) => [what, String(times)]),
    );
  }
  console.log('\nEvery promise was kept.');
} catch (error) {
  const what = error instanceof BrokenPromise ? 'Broken' : 'Ended';
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(`\n${what}: ${told}\n\nAgain: ${again}`);
  process.exitCode = 1;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    console.error(`--${name} takes a whole number, found '${text}'.`);
    process.exit(2);
  }
  return Number(text);
}
