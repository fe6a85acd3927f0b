import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printTable } from '../table.ts';
import { simulate } from './simulate.ts';
import type { Figures } from './tally.ts';
import { LARGE, SMALL } from './world.ts';

/**
 * Simulates a large fleet in virtual time, with and without calls of upstreams, and divided into cells:
 * `npm run simulate -- --hours 24`.
 * `--keep` keeps the figures of the small fleet, with which a test compares.
 */
const { values: options } = parseArgs({
  options: {
    hours: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});

const FLEETS = [
  { cells: 1, callsBack: false },
  { cells: 1, callsBack: true },
  { cells: 3, callsBack: true },
];
const seed = Number(options.seed);
if (options.keep) {
  writeFileSync(join(import.meta.dirname, 'kept.json'), `${JSON.stringify(await simulate(SMALL, seed), null, 2)}\n`);
} else {
  const world = { ...LARGE, hours: Number(options.hours) };
  const fleets: Figures[] = [];
  for (const fleet of FLEETS) fleets.push(await simulate({ ...world, ...fleet }, seed));
  printTable(
    `${world.hours} h, ${world.ordersPerSecond} orders a second on average, ${world.accounts} keys, ${world.upstreams} upstreams, ${world.workers} workers, seed ${seed}`,
    ['', 'upstreams are polled', 'upstreams call', 'upstreams call, and three cells share them'],
    rowsOf(fleets),
  );
}

function rowsOf(fleets: readonly Figures[]): string[][] {
  const row = (name: string, text: (figures: Figures) => string) => [name, ...fleets.map(text)];
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  return [
    row('orders', ({ orders }) => orders.toLocaleString('en')),
    row('wait for a claim, mean and p99', ({ waitMean, waitP99 }) => `${seconds(waitMean)}, ${seconds(waitP99)}`),
    row('fairness among 10 large, 990 middle and the small keys; cells', ({ fairness }) =>
      [fairness.large, fairness.middle, fairness.small, fairness.cells].map((index) => index.toFixed(3)).join(', '),
    ),
    row('result known after, mean and p99', ({ foundAfterMean, foundAfterP99 }) =>
      [foundAfterMean, foundAfterP99].map(seconds).join(', '),
    ),
    row('checks of an order', ({ checksPerOrder }) => checksPerOrder.toFixed(2)),
    row('checks a second of one upstream account, at most', ({ mostChecks }) => mostChecks.toFixed(0)),
    row('claims of an order', ({ looksPerOrder }) => looksPerOrder.toFixed(2)),
    row('submissions lost to outages, in a million', ({ wastedPerMillion }) => wastedPerMillion.toFixed(0)),
    row('submissions refused by full upstreams, in a million', ({ refusedPerMillion }) => refusedPerMillion.toFixed(0)),
    row('capacity unused while orders wait for it', ({ unused }) => `${(unused * 100).toFixed(2)} %`),
    row('until a part follows, mean and p99', ({ behindMean, behindP99 }) =>
      [behindMean, behindP99].map(seconds).join(', '),
    ),
  ];
}
