import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { startPeer } from '../peers/peer-process.ts';
import { heading, median, printTable } from '../table.ts';
import { darkroom, openMarked, openPostgresAndS3, openTraced } from './darkroom.ts';
import type { Gateway } from './gateway.ts';
import { type Contender, type Result, runRace } from './measure.ts';
import { floor, litellm, portkey, straight } from './others.ts';
import { drawPicture, FLAT, type Grain, PHOTOGRAPH } from './picture.ts';

/**
 * The race of gateways: the same `POST images/generations` through each of them, in turns, from one fake upstream.
 * `--only darkroom,floor` and `--races small-0` choose by parts of their names. `--other DIRECTORY` adds the Darkroom
 * of another checkout, `--servers` Darkroom on PostgreSQL and S3, `--marked` one that marks its outputs, and
 * `--traced` one that sends traces to a collector. With `--left` a client leaves each gateway without its answer before
 * each round, whose requests are equal to the one that it sent.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    races: { type: 'string', default: '' },
    other: { type: 'string', default: '' },
    servers: { type: 'boolean', default: false },
    marked: { type: 'boolean', default: false },
    traced: { type: 'boolean', default: false },
    left: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
  },
});

const PICTURES = 8;
const PROMPT = 'a red fox in the snow';
const HERE = import.meta.dirname;
const CHECKOUT = join(HERE, '..', '..');
const GATEWAYS: readonly Gateway[] = [
  straight,
  floor,
  portkey,
  litellm,
  darkroom('Darkroom', CHECKOUT),
  ...(options.servers ? [darkroom('Darkroom on PostgreSQL and S3', CHECKOUT, openPostgresAndS3)] : []),
  ...(options.marked ? [darkroom('Darkroom with marks', CHECKOUT, openMarked)] : []),
  ...(options.traced ? [darkroom('Darkroom with traces', CHECKOUT, openTraced)] : []),
  ...(options.other === '' ? [] : [darkroom('other Darkroom', options.other)]),
];

interface Kind {
  readonly name: string;
  readonly grain: Grain;
  readonly form: 'b64_json' | 'url';
}

const KINDS: Readonly<Record<string, Kind>> = {
  small: { name: '16 KB in base64', grain: FLAT, form: 'b64_json' },
  photo: { name: '1.5 MB in base64', grain: PHOTOGRAPH, form: 'b64_json' },
  url: { name: '1.5 MB by URL', grain: PHOTOGRAPH, form: 'url' },
};
/** Connections by the time that the upstream takes, in milliseconds. */
const DELAYS = { 0: 64, 1000: 8 };

const chooses = (words: string, name: string) => words.split(',').some((word) => name.toLowerCase().includes(word));

const directory = await mkdtemp(join(tmpdir(), 'darkroom-gateways-'));
process.once('SIGINT', () => process.exit(1));
process.once('SIGTERM', () => process.exit(1));
process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
const gateways = GATEWAYS.filter(({ name }) => chooses(options.only.toLowerCase(), name)).filter(isInstalled);
for (const [short, kind] of Object.entries(KINDS)) {
  for (const [delay, connections] of Object.entries(DELAYS))
    if (chooses(options.races, `${short}-${delay}`)) await measure(kind, delay, connections);
}
// The connection to the keeper of PostgreSQL stays open.
process.exit();

function isInstalled({ name, missing }: Gateway): boolean {
  const command = missing();
  if (command !== null) console.error(`left out: ${name}. Install it with ${command}`);
  return command === null;
}

/** Races in one kind of picture, with an upstream and gateways that are started for it. */
async function measure({ name, grain, form }: Kind, delay: string, connections: number): Promise<void> {
  await using stops = new AsyncDisposableStack();
  const own = await mkdtemp(join(directory, 'race-'));
  const pictures = await Promise.all(Array.from({ length: PICTURES }, (_, seed) => drawPicture(grain, seed)));
  const paths = pictures.map((_, place) => join(own, `${place}.png`));
  for (const [place, picture] of pictures.entries()) await writeFile(paths[place]!, picture);
  const port = await freePort();
  const upstream = `http://127.0.0.1:${port}`;
  const program = [process.execPath, join(HERE, 'upstream.mjs'), String(port), form, delay, ...paths] as const;
  const { end } = await startPeer(program, {}, upstream);
  stops.defer(() => end('SIGKILL'));
  const contenders: Contender[] = [];
  for (const gateway of gateways) {
    const folder = join(own, gateway.name);
    await mkdir(folder);
    const running = await gateway.start({ upstream, directory: folder });
    stops.defer(() => running.end('SIGTERM'));
    contenders.push({ name: gateway.name, running });
  }
  const { seconds, rounds } = options;
  const smallest = Math.min(...pictures.map(({ length }) => length));
  const results = await runRace(contenders, {
    connections,
    seconds: Number(seconds),
    rounds: Number(rounds),
    afterLeaving: options.left,
    leastBytes: form === 'url' ? 1 : Math.ceil(smallest / 3) * 4,
    bodyFor: (model) => JSON.stringify({ model, prompt: PROMPT, n: 1, size: '1024x1024', response_format: form }),
  });
  heading(
    `${new Date().toISOString()}, Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
  );
  printTable(
    `${name}, the upstream takes ${delay} ms, ${connections} connections, ${rounds} rounds of ${seconds} s${options.left ? ', each after a client has left' : ''}`,
    [
      '',
      'pictures a second',
      'of the floor',
      'p50',
      'p99',
      'processor',
      'busy after',
      'memory at rest',
      'at most',
      'loop p99',
    ],
    results.map((result) =>
      cellsOf(
        result,
        results.find((other) => other.name === floor.name),
      ),
    ),
  );
}

function cellsOf(result: Result, ofFloor: Result | undefined): string[] {
  const { rates, p50, p99, processorMs, busyAfterSeconds, restingMegabytes, mostMegabytes, loopDelayMs } = result;
  const ratios = rates.map((rate, round) => rate / (ofFloor?.rates[round] ?? Number.NaN));
  const rate = median(rates);
  const isProcess = mostMegabytes > 0;
  return [
    result.name,
    rate < 100 ? rate.toPrecision(3) : rate.toFixed(0),
    ofFloor === undefined ? '–' : `${Math.round(median(ratios) * 100)} %`,
    `${p50.toFixed(0)} ms`,
    `${p99.toFixed(0)} ms`,
    isProcess ? `${processorMs.toFixed(2)} ms` : '–',
    isProcess ? `${busyAfterSeconds.toFixed(1)} s` : '–',
    isProcess ? `${restingMegabytes} MB` : '–',
    isProcess ? `${mostMegabytes} MB` : '–',
    loopDelayMs > 0 ? `${loopDelayMs.toFixed(0)} ms` : '–',
  ];
}
