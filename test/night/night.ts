import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { printTable } from '../../bench/table.ts';
import { assertBooks, readTasks } from '../crash/books.ts';
import { type ChildService, openPremises } from '../crash/child-service.ts';
import { Customer } from './customer.ts';
import { FAULTS } from './faults.ts';
import { type Told, Witness } from './witness.ts';

/**
 * The night: `npm run night [-- --seconds 30 --only 2,3]`. One process on SQLite under one fault after the other, while
 * a customer orders. Prints for each fault after how many seconds an operator was told, whether of the true subject,
 * and what was lost. Exits with 1 if an order was lost, doubled or charged wrongly. Needs root, to mount a small disk.
 */
const DISK = 'size=256m';
const ENDS_WITHIN_MS = 180_000;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '30' }, only: { type: 'string' } } });
const seconds = Number(values.seconds);
const only = values.only?.split(',').map(Number);
if (!(seconds >= 5 && seconds <= 600)) {
  console.error(`--seconds takes a number from 5 to 600, found '${values.seconds}'.`);
  process.exit(2);
}
const disk = mkdtempSync(join(tmpdir(), 'darkroom-night-'));
execFileSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', disk]);
process.env.TMPDIR = disk;
const closers: (() => unknown)[] = [];
const rows: string[][] = [];
let isLost = false;
try {
  const engine = { name: 'paid-night', workMs: 500 };
  const premises = await openPremises({ after: (close) => void closers.push(close as () => unknown) }, [engine], false);
  const customer = new Customer(premises.keys.live);
  const variables = { DARKROOM_DATA_DIR: join(premises.directory, 'data') };
  const witness = new Witness(premises.keys.admin, variables, premises.directory);
  let service: ChildService;
  const start = async () => {
    service = await premises.start();
    customer.service = service;
    witness.service = service;
  };
  const settle = async () => {
    await customer.end();
    for (const until = performance.now() + ENDS_WITHIN_MS; performance.now() < until; await sleep(500))
      if ((await readTasks(premises.database)).every(({ step }) => step === 'final')) break;
  };
  const lossOf = async (): Promise<string> => {
    const tasks = await readTasks(premises.database);
    const ids = new Set(tasks.map(({ id }) => id));
    const lost = customer.promised.filter((id) => !ids.has(id)).length;
    const open = tasks.filter(({ step }) => step !== 'final').length;
    const fault = await assertBooks(premises).then(
      () => null,
      (error: Error) => error.message.split('\n')[0] ?? '',
    );
    if (lost === 0 && open === 0 && fault === null) return '0';
    isLost = true;
    return [`${lost} lost`, `${open} open`, ...(fault === null ? [] : [fault])].join(', ');
  };
  await start();
  for (const [place, fault] of FAULTS.entries()) {
    if (only?.includes(place + 1) === false) continue;
    customer.begin();
    await sleep(2_000);
    const [placed, refused] = [customer.promised.length, customer.refused];
    const watching = new AbortController();
    const watched = witness.watch(await witness.look(), watching.signal);
    const failure = await fault.run({ premises, service: service!, seconds, restart: start }).then(
      () => null,
      (error: Error) => error.message.split('\n')[0] ?? '',
    );
    watching.abort();
    const told = await watched;
    await settle();
    if (failure !== null) isLost = true;
    rows.push([
      fault.name,
      ...describe(told, fault.subject),
      `${customer.promised.length - placed}, ${customer.refused - refused} asked again`,
      failure ?? (await lossOf()),
    ]);
  }
} finally {
  for (const close of closers.toReversed()) await close();
  execFileSync('umount', ['-l', disk]);
  rmdirSync(disk);
}
printTable(
  'One process on SQLite',
  ['fault', 'told after', 'true', 'also told', 'orders meanwhile', 'lost or wrong'],
  rows,
);
process.exit(isLost ? 1 : 0);

/** Returns when an operator was told the subject, by what, and what else was told. */
function describe(told: readonly Told[], subject: RegExp | null): [string, string, string] {
  const text = ({ by, after }: Told) => `${by} ${after.toFixed(1)} s`;
  const rest = (others: readonly Told[]) => (others.length === 0 ? '–' : others.map(text).join(', '));
  if (subject === null) return ['nothing is broken', '–', rest(told)];
  const first = told.find(({ by }) => subject.test(by));
  if (first === undefined) return ['not told', 'no', rest(told)];
  return [text(first), 'yes', rest(told.filter((one) => one !== first))];
}
