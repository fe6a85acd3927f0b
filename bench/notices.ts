import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { until } from '@darkroom-service/testing';
import type { Database } from '../src/database/database.ts';
import { noticeTransportOf } from '../test/helpers/additions.ts';
import { loadConfig } from '../test/helpers/load-config.ts';
import { startNatsServer } from '../test/helpers/nats-server.ts';
import { openPostgres } from '../test/helpers/open-postgres.ts';
import { openScaleService } from './scale-service.ts';
import { printTable } from './table.ts';

/**
 * How soon many processes hear of the orders that they wait for, by PostgreSQL and by NATS: `node bench/notices.ts`.
 * Each listens on a connection of its own, first to the channels of its orders, and then, for comparison, all to one
 * channel.
 */
const { values: options } = parseArgs({
  options: {
    listeners: { type: 'string', default: '100' },
    senders: { type: 'string', default: '6' },
    orders: { type: 'string', default: '50' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '5' },
  },
});
const LISTENERS = Number(options.listeners);
const ORDERS = Number(options.orders);
const RATE = Number(options.rate);
const SECONDS = Number(options.seconds);
const TICK_MS = 5;

type Carrier = 'PostgreSQL' | 'NATS';

const closers = new AsyncDisposableStack();
const service = await openScaleService('postgres');
closers.defer(() => service.close());
const nats = await startNatsServer({ after: (close) => closers.defer(close) });
const rows: string[][] = [];
try {
  for (const isAddressed of [true, false])
    for (const carrier of ['PostgreSQL', 'NATS'] as const) rows.push(await measure(carrier, isAddressed));
} finally {
  await closers.disposeAsync();
}
printTable(
  `${RATE} ends of orders a second, ${LISTENERS} processes that listen (${SECONDS} s)`,
  ['channels', 'carrier', 'sent', 'heard by who waits', 'delivered for each', 'p50', 'p99'],
  rows,
);

async function open(url: string, carrier: Carrier, listens: boolean): Promise<Database> {
  const config = loadConfig({ DARKROOM_DATABASE_URL: url, DARKROOM_NOTICES_URL: `nats://${nats.host}` });
  const listen = listens || carrier === 'NATS';
  const database = await openPostgres({
    url,
    openNoticeTransport: carrier === 'NATS' ? noticeTransportOf(config) : null,
    listen,
    onFault: console.error,
  });
  await until(
    () => database.notices.fault,
    (fault) => fault === null,
  );
  return database;
}

async function measure(carrier: Carrier, isAddressed: boolean): Promise<string[]> {
  const { url } = service;
  if (url === null) throw new Error('a PostgreSQL database is expected');
  const sentAt = new Map<string, number>();
  const waits: number[] = [];
  let delivered = 0;
  const listeners = await Promise.all(
    Array.from({ length: LISTENERS }, async (_, place) => {
      const notices = await open(url, carrier, true);
      notices.onRemoteChange((topics) => {
        for (const topic of topics) {
          delivered++;
          const [owner, id] = topic.split(':');
          if (owner !== String(place) || id === undefined) continue;
          waits.push(performance.now() - (sentAt.get(topic.slice(owner.length + 1)) ?? 0));
        }
      });
      const channels = isAddressed ? Array.from({ length: ORDERS }, (_, order) => `end:${place}-${order}`) : ['all'];
      await Promise.all(
        channels.map((channel) => new Promise<void>((resolve) => void notices.listenTo(channel, resolve))),
      );
      return notices;
    }),
  );
  const senders = await Promise.all(Array.from({ length: Number(options.senders) }, () => open(url, carrier, false)));
  const begun = performance.now();
  let sent = 0;
  while (performance.now() - begun < SECONDS * 1_000) {
    for (; sent < ((performance.now() - begun) / 1_000) * RATE; sent++) {
      const place = randomInt(LISTENERS);
      const id = String(sent);
      sentAt.set(id, performance.now());
      const channel = isAddressed ? `end:${place}-${randomInt(ORDERS)}` : 'all';
      senders[sent % senders.length]?.announce(channel, [`${place}:${id}`]);
    }
    await sleep(TICK_MS);
  }
  await sleep(2_000);
  for (const notices of [...senders, ...listeners]) await notices.close();
  waits.sort((one, other) => one - other);
  const at = (part: number) => `${(waits[Math.floor(waits.length * part)] ?? 0).toFixed(0)} ms`;
  const heard = `${((100 * waits.length) / sent).toFixed(1)} %`;
  const channels = isAddressed ? 'of each order' : 'one';
  return [channels, carrier, String(sent), heard, (delivered / sent).toFixed(1), at(0.5), at(0.99)];
}
