import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { printTable } from '../../bench/table.ts';
import { openPremises } from '../siege/premises.ts';
import { startLoad } from './load.ts';
import { bytesBelow, holdingsOf } from './measure.ts';
import { slopeOf } from './slope.ts';

/**
 * The soak: `npm run soak [-- --minutes 45]`. A mixed load at a tenth of capacity on the embedded default; exits with 1
 * where memory or open handles grow (a slope whose 95 % interval lies above zero), where the disk takes more per order
 * than it may, or where anything failed.
 */
const SAMPLE_EVERY_MS = 5_000;
/** What is made once has been made by then, and caches are full. */
const WARM_UP_SHARE = 0.3;
/**
 * Rows, indexes and write-ahead log of an order, with its share of pictures and uploads; bench/README.md says what
 * was measured.
 */
const BYTES_PER_ORDER = 24_000;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '45' } } });
const minutes = Number(values.minutes);
if (!(minutes >= 3 && minutes <= 7 * 24 * 60)) {
  console.error(`--minutes takes a number from 3 to 10080, found '${values.minutes}'.`);
  process.exit(2);
}
const premises = await openPremises('embedded', 'http://127.0.0.1:9/v1');
const [service] = premises.processes;
if (service === undefined) throw new Error('no process was started');
const picture = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#364' } })
  .png()
  .toBuffer();
const load = startLoad(premises.url, premises.testKey, picture);
const begun = performance.now();
const minuteNow = () => (performance.now() - begun) / 60_000;
await sleep(minutes * 60_000 * WARM_UP_SHARE);
const atStart = { orders: load.orders, bytes: bytesBelow(premises.data) };
const samples: { minute: number; megabytes: number; handles: number | null }[] = [];
while (minuteNow() < minutes && premises.ended.length === 0) {
  samples.push({ minute: minuteNow(), ...holdingsOf(service.pid) });
  await sleep(SAMPLE_EVERY_MS);
}
const orders = load.orders - atStart.orders;
const perOrder = (bytesBelow(premises.data) - atStart.bytes) / Math.max(1, orders);
await load.stop();
const faults: string[] = [...premises.ended];
const rows: string[][] = [];
for (const [name, value] of [
  ['memory, MB', (sample: (typeof samples)[number]) => sample.megabytes],
  ['open handles', (sample: (typeof samples)[number]) => sample.handles],
] as const) {
  const known = samples.flatMap((sample) => {
    const found = value(sample);
    return found === null ? [] : [{ minute: sample.minute, value: found }];
  });
  if (known.length === 0) continue;
  const { perMinute, low, high } = slopeOf(known);
  const most = Math.max(...known.map((sample) => sample.value));
  rows.push([
    name,
    (known[0]?.value ?? 0).toFixed(0),
    most.toFixed(0),
    ...[perMinute, low, high].map((one) => one.toFixed(3)),
  ]);
  if (low > 0) faults.push(`${name}: grows by ${low.toFixed(3)} to ${high.toFixed(3)} a minute`);
}
printTable(
  `${minutes} minutes, ${orders} orders after the warm-up`,
  ['what', 'first', 'most', 'a minute', 'low', 'high'],
  rows,
);
console.log(`\nDisk: ${perOrder.toFixed(0)} bytes an order, at most ${BYTES_PER_ORDER}.`);
if (perOrder > BYTES_PER_ORDER) faults.push(`the disk took ${perOrder.toFixed(0)} bytes an order`);
const broken = [...load.answers].filter(([answer]) => !/^[234]/.test(answer) && answer !== 'ended');
for (const [answer, times] of broken) faults.push(`${times} requests: ${answer}`);
printTable(
  'Answers',
  ['answer', 'times'],
  [...load.answers].map(([answer, times]) => [answer, String(times)]),
);
await premises.close();
console.log(faults.length === 0 ? '\nNothing grows.' : `\n${faults.join('\n')}`);
process.exit(faults.length === 0 ? 0 : 1);
