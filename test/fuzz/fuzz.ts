import { parseArgs } from 'node:util';
import { printTable } from '../../bench/table.ts';
import { runFuzz } from './run-fuzz.ts';

/**
 * The fuzzer: `npm run fuzz [-- --minutes 5] [--seed N]`. Requests drawn from our own OpenAPI document and catalog,
 * with keys of several accounts; every answer is held to the document, and the money is checked after each batch. Exits
 * with 1 at the first finding, and with the seed that repeats it.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0 && minutes <= 24 * 60) || !Number.isSafeInteger(seed)) {
  console.error(
    `--minutes takes a number up to 1440 and --seed a whole number, found '${values.minutes}' and '${values.seed}'.`,
  );
  process.exit(2);
}
const again = `npm run fuzz -- --minutes ${minutes} --seed ${seed}`;
console.log(`${again}\n`);
try {
  const statuses = await runFuzz({
    seed,
    ms: minutes * 60_000,
    onBatch(batch) {
      if (batch % 50 === 49) console.log(`${batch + 1} batches`);
    },
  });
  printTable(
    'Answers',
    ['status', 'times'],
    [...statuses].sort().map(([status, times]) => [status, String(times)]),
  );
  console.log('\nEvery answer was as it should be.');
  process.exit(0);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}\n\nAgain: ${again}`);
  process.exit(1);
}
