import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startFloor } from './child-service.ts';
import { startCollector } from './collector.ts';
import { type Compared, compareLoad } from './compare-load.ts';
import { type Installation, openInstallation } from './installation.ts';
import { measureChains } from './measure-chains.ts';
import { measureConsole } from './measure-console.ts';
import { measureMemory, restingMegabytes } from './measure-memory.ts';
import { measurePainting } from './measure-painting.ts';
import { measureScale } from './scale.ts';
import { heading, printTable } from './table.ts';
import { measureWhilePainting } from './while-painting.ts';

/**
 * What is claimed about speed, measured: `npm run bench`. Every figure of the service stands beside that of the floor
 * (floor/floor.mjs), measured in the same run, in turns. `--tasks 0` leaves the large database out, `--rounds` and
 * `--seconds` say how long each load lasts. `--scale` measures what many processes make of it instead (scale.ts),
 * `--only` a part of it; `--console` measures the opening of the console alone, `--chains 1000` so many chains of three
 * orders alone, `--traced` what traces cost alone.
 */
const { values: options } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    scale: { type: 'boolean', default: false },
    console: { type: 'boolean', default: false },
    chains: { type: 'string', default: '' },
    traced: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const FEW_TASKS = 25_000;
const LARGE = Number(options.tasks);

const directory = await mkdtemp(join(tmpdir(), 'darkroom-bench-'));
const stops: (() => Promise<void>)[] = [() => rm(directory, { recursive: true, force: true })];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopAll().then(() => process.exit(1)));
try {
  if (options.scale) await measureScale(options.only);
  else if (options.console) await measureConsole();
  else if (options.chains !== '') await measureChainsAlone(Number(options.chains));
  else if (options.traced) await measureTraced();
  else await measure();
} finally {
  await stopAll();
}

/** Ends what was started and removes the data, whatever happened. */
async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop().catch((error: unknown) => console.error(error));
}

async function measureChainsAlone(chains: number): Promise<void> {
  const service = await openInstallation(join(directory, 'chains'), 0);
  stops.push(service.stop);
  await measureChains(service, chains);
}

async function measureTraced(): Promise<void> {
  const few = await openInstallation(join(directory, 'few'), FEW_TASKS);
  stops.push(few.stop);
  const collector = await startCollector();
  stops.push(collector.close);
  const traced = await openInstallation(join(directory, 'traced'), FEW_TASKS, collector.env);
  stops.push(traced.stop);
  await compareWithFloor(few, traced, 'with traces');
}

async function measure(): Promise<void> {
  heading(`${new Date().toISOString()}, Node ${process.version}`);
  console.log(
    `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB`,
  );
  const few = await openInstallation(join(directory, 'few'), FEW_TASKS);
  stops.push(few.stop);
  const atRest = await restingMegabytes(few);
  const painting = await measurePainting(few);
  const started = Date.now();
  const many = LARGE === 0 ? null : await openInstallation(join(directory, 'many'), LARGE);
  if (many !== null) {
    stops.push(many.stop);
    console.log(`${LARGE} tasks filled in and opened in ${Math.round((Date.now() - started) / 1000)} s`);
  }
  const memory = measureMemory(few);
  await compareWithFloor(few, many, 'with many tasks');
  const underLoad = memory.stop();
  printTable(
    'Memory: resident, all processes together',
    ['', 'MB'],
    [
      ['at rest, ten seconds after the start', `${atRest}`],
      ['the most while under the loads above', `${underLoad}`],
    ],
  );
  printTable('Painting', ['', 'figure'], painting);
  await stopAll();
  await measureConsole();
  await reportWhilePainting();
}

async function compareWithFloor(few: Installation, second: Installation | null, difference: Compared['difference']) {
  const floor = await startFloor(join(directory, 'floor.db'));
  stops.push(floor.stop);
  const { rounds, seconds } = options;
  await compareLoad({ floor, few, second, difference, rounds: Number(rounds), seconds: Number(seconds) });
}

/** How quick retrievals are while films are painted, and while nothing is. */
async function reportWhilePainting(): Promise<void> {
  const { films, requests, medianMs, p95Ms, p99Ms, longestMs, idleMedianMs, idleP99Ms } = await measureWhilePainting();
  const rows = [
    ['median', medianMs, idleMedianMs],
    ['95th percentile', p95Ms, null],
    ['99th percentile', p99Ms, idleP99Ms],
    ['longest', longestMs, null],
  ] as const;
  printTable(
    `A retrieval while ${films} films are painted (${requests} requests), and while nothing is`,
    ['', 'painting', 'idle'],
    rows.map(([name, painting, idle]) => [name, milliseconds(painting), idle === null ? '' : milliseconds(idle)]),
  );
}

function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}
