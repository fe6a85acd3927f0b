import { setTimeout as sleep } from 'node:timers/promises';
import { type LoadOrder, sendLoad } from '../load.ts';
import { placeOrder, readCounts } from './client.ts';
import type { Installation, World } from './peer.ts';
import type { RunningPeer } from './peer-process.ts';
import { readMegabytes, readWrittenBytes } from './process-figures.ts';

/** Rates of creating and retrieving tasks while no order is run; latency in milliseconds. */
export interface DoorRates {
  readonly acceptedPerSecond: number;
  readonly p99: number;
  readonly retrievedPerSecond: number;
}

/** Resident memory after many orders, in megabytes, and bytes written for each order. */
export interface Costs {
  readonly megabytes: number;
  readonly writtenPerOrder: number;
}

const CONNECTIONS = 64;
const WAITING = 130_000;
/** Orders that go all the way, by so many clients. */
const THROUGH = 300;
const CLIENTS = 10;
const GIVES_UP_AFTER_MS = 60_000;

/** Measures how fast orders are accepted and retrieved while none is run. */
export async function measureDoor(installation: Installation, _: World, seconds: number): Promise<DoorRates> {
  const running = await installation.start(false);
  const create = loadOf(installation, running, seconds);
  await sendLoad({ ...create, seconds: 1 });
  const accepted = await sendLoad(create);
  const paths = (await installation.fill(running, WAITING)).map(installation.orders.pathOf);
  const retrieved = await sendLoad({ ...create, method: 'GET', paths, body: null, idempotent: false });
  await running.end('SIGTERM');
  return {
    acceptedPerSecond: accepted.answered / accepted.seconds,
    p99: accepted.p99,
    retrievedPerSecond: retrieved.answered / retrieved.seconds,
  };
}

function loadOf({ orders }: Installation, { url }: RunningPeer, seconds: number): LoadOrder {
  return {
    url,
    method: 'POST',
    paths: [orders.path],
    headers: { ...orders.headers },
    body: JSON.stringify(orders.body('a red fox in the snow')),
    idempotent: true,
    expected: 200,
    connections: CONNECTIONS,
    seconds,
  };
}

/** Measures what an order costs from its acceptance until its customer is told. */
export async function measureCosts(installation: Installation, { directory, upstream }: World): Promise<Costs> {
  const running = await installation.start(true);
  const written = async () => {
    await installation.flush();
    return await readWrittenBytes(directory);
  };
  await place(installation, running, 'warm up', CLIENTS);
  await untilTold(upstream, CLIENTS);
  const before = await written();
  await place(installation, running, 'through', THROUGH);
  await untilTold(upstream, CLIENTS + THROUGH);
  const writtenPerOrder = ((await written()) - before) / THROUGH;
  const megabytes = await readMegabytes([running.pid, ...(await installation.databases())]);
  await running.end('SIGTERM');
  return { megabytes, writtenPerOrder };
}

async function place({ orders }: Installation, { url }: RunningPeer, prompt: string, count: number): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < count) await placeOrder(orders, () => url, `${prompt} ${next++}`);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

async function untilTold(upstream: string, count: number): Promise<void> {
  const end = Date.now() + GIVES_UP_AFTER_MS;
  for (;;) {
    const told = Object.values((await readCounts(upstream)).told).filter((status) => status === 'succeeded').length;
    if (told >= count) return;
    if (Date.now() > end) throw new Error(`only ${told} of ${count} orders succeeded and were told of`);
    await sleep(100);
  }
}
