import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, smallPicture } from '@darkroom-service/engines/fakes/parts';
import { heading, printTable } from '../table.ts';
import { darkroomEmbedded, darkroomOnPostgres } from './darkroom.ts';
import { bullmq, graphileWorker, pgBoss } from './hand-made.ts';
import { type AfterKills, measureKills } from './measure-kills.ts';
import { type Costs, type DoorRates, measureCosts, measureDoor } from './measure-rates.ts';
import type { Installation, Peer, World } from './peer.ts';
import { endChild } from './peer-process.ts';

/**
 * The same job on Darkroom and on services made by hand of libraries: accept durably, have an upstream work for a
 * second, fetch its result, store it, settle, tell. `--only bullmq,sqlite` chooses those whose name contains a word,
 * `--seconds 0` leaves out the rates, `--kills 0` the kills.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    kills: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '10' },
  },
});
const PEERS: readonly Peer[] = [darkroomEmbedded, darkroomOnPostgres, bullmq, pgBoss, graphileWorker];

heading(`${new Date().toISOString()}, Node ${process.version}, ${availableParallelism()} cores`);
const words = options.only.toLowerCase().split(',');
const chosen = PEERS.filter(({ name }) => words.some((word) => name.toLowerCase().includes(word)));
const rows: string[][] = [];
for (const peer of chosen) {
  const missing = peer.missing();
  if (missing !== null) {
    console.error(`left out: ${peer.name}. Install ${missing}`);
    continue;
  }
  const seconds = Number(options.seconds);
  const kills = Number(options.kills);
  const door = seconds === 0 ? null : await inWorld(peer, (...own) => measureDoor(...own, seconds));
  const costs = seconds === 0 ? null : await inWorld(peer, measureCosts);
  const after = kills === 0 ? null : await inWorld(peer, (...own) => measureKills(...own, kills));
  rows.push([peer.name, ...cellsOfDoor(door), ...cellsOfCosts(costs), ...cellsOfKills(after)]);
}
const rateColumns = ['accepted a second', 'p99', 'retrieved a second', 'memory', 'written per order'];
printTable('The same job', ['', ...rateColumns, 'orders', 'lost', 'doubled', 'failed'], rows);
// The connection to the keeper of PostgreSQL stays open.
process.exit();

/** Gives a measurement an empty installation with an upstream, and removes both, whatever happens. */
async function inWorld<Result>(
  peer: Peer,
  measure: (installation: Installation, world: World) => Promise<Result>,
): Promise<Result> {
  await using closers = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-peers-'));
  closers.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const port = await freePort();
  const picture = (await smallPicture).toString('base64');
  const upstream = fork(join(import.meta.dirname, 'upstream.mjs'), [String(port), picture]);
  closers.defer(() => endChild(upstream, 'SIGKILL'));
  await once(upstream, 'message');
  const world = { directory, upstream: `http://127.0.0.1:${port}` };
  const installation = await peer.open(world);
  closers.defer(() => installation.close());
  return await measure(installation, world);
}

function cellsOfDoor(rates: DoorRates | null): string[] {
  if (rates === null) return ['', '', ''];
  return [rates.acceptedPerSecond.toFixed(0), `${rates.p99} ms`, rates.retrievedPerSecond.toFixed(0)];
}

function cellsOfCosts(costs: Costs | null): string[] {
  return costs === null ? ['', ''] : [`${costs.megabytes} MB`, `${(costs.writtenPerOrder / 1024).toFixed(0)} KB`];
}

function cellsOfKills(after: AfterKills | null): string[] {
  return after === null ? ['', '', '', ''] : [after.accepted, after.lost, after.doubled, after.failed].map(String);
}
