import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { formatMicros } from '@darkroom-service/contract';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { type Fault, openFaultProxy } from './fault-proxy.ts';
import { openaiForNode } from './openai/clients.ts';

/**
 * `node test/clients/soak-mount.ts [--calls 2000] [--at-once 8]`: the `openai` package orders images, no two calls
 * alike, through a proxy that faults. Afterwards each image of each call is one order, made and charged once, and the
 * charges are the sum of the quotes. Ends with 1 if not.
 */
const { values } = parseArgs({
  options: { calls: { type: 'string', default: '2000' }, 'at-once': { type: 'string', default: '8' } },
});
const calls = Number(values.calls);
const FAULTS: readonly Fault[] = ['cut before', 'cut within', 'lose answer', '502 before', '502 after', 20, 300];
/** Of a hundred requests. */
const FAULTY = 30;
/** So many faults in a row do not end a call. */
const TRIES = 12;

const cleanups: (() => Promise<void> | void)[] = [];
const t = { after: (cleanup: () => Promise<void> | void) => void cleanups.unshift(cleanup) };
const service = await startTestService(t, {
  settings: { openai: { holdMs: 500 } },
  service: { engines: [createSwiftEngine()] },
});
const proxy = await openFaultProxy(t, service.url);
const met = new Map<Fault, number>();
proxy.decide = () => {
  const fault = randomInt(100) < FAULTY ? (FAULTS[randomInt(FAULTS.length)] ?? 'pass') : 'pass';
  met.set(fault, (met.get(fault) ?? 0) + 1);
  return fault;
};
const { key, key_id: keyId } = await service.issueKey({ mode: 'test', readsPerMinute: 0 });

const began = performance.now();
const failed: string[] = [];
let next = 0;
let wanted = 0;
let received = 0;
await Promise.all(
  Array.from({ length: Number(values['at-once']) }, async () => {
    for (let call = next++; call < calls; call = next++) {
      const n = call % 10 === 0 ? 3 : 1;
      wanted += n;
      // Every fifth call takes several waits.
      const simulate = { seconds: call % 5 === 0 ? 1 : 0 };
      const body = { model: 'sketch', prompt: `a fox, number ${call}`, size: '256x256', n, simulate };
      const order = ['images.generate', { ...body, response_format: 'url' }] as const;
      const { value, error } = await openaiForNode.call(proxy.url, key, order, { maxRetries: TRIES });
      if (error === undefined) received += new Set(value.data.map(({ url }: { url: string }) => url)).size;
      else failed.push(`call ${call}: ${error.status} ${error.code} ${error.message}`);
    }
  }),
);

const { read } = service.database;
const tasks = await read.all(
  read.builder.selectFrom('tasks').select(['status', 'price', 'charged']).where('api_key_id', '=', keyId),
);
const entries = await read.all(
  read.builder.selectFrom('ledger').select(['kind', 'amount']).where('api_key_id', '=', keyId),
);
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const kinds = Object.groupBy(entries, ({ kind }) => kind);
const report = {
  calls,
  images_wanted: wanted,
  images_received: received,
  calls_failed: failed.length,
  orders: tasks.length,
  succeeded: tasks.filter(({ status }) => status === 'succeeded').length,
  holds: kinds.hold?.length ?? 0,
  charges: kinds.charge?.length ?? 0,
  quoted: formatMicros(sum(tasks.map(({ price }) => price))),
  charged: formatMicros(-sum((kinds.charge ?? []).map(({ amount }) => amount))),
  balance: formatMicros(sum(entries.map(({ amount }) => amount))),
  requests: proxy.seen.length,
  faults: Object.fromEntries([...met].map(([fault, count]) => [String(fault), count])),
  seconds: Math.round((performance.now() - began) / 1000),
};
console.log(JSON.stringify(report, null, 2));
for (const line of failed.slice(0, 20)) console.error(line);
const isRight =
  failed.length === 0 &&
  [received, report.orders, report.succeeded, report.holds, report.charges].every((count) => count === wanted) &&
  report.charged === report.quoted &&
  report.balance === `-${report.charged}`;
console.log(isRight ? 'Each image was ordered, made and charged once.' : 'WRONG: see above.');
for (const cleanup of cleanups) await cleanup();
process.exit(isRight ? 0 : 1);
