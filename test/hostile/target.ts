import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { ChildService, Premises } from '../crash/child-service.ts';

/** One hostile request, sent byte for byte as it is written here. */
export interface Attack {
  readonly what: string;
  readonly method?: string;
  readonly path: string;
  /** Beside the key's; null takes that away. */
  readonly headers?: Readonly<Record<string, string | string[] | null>>;
  readonly body?: string | Uint8Array;
  /**
   * Whether it may also be answered with a 2xx or 3xx, because nothing in it is forbidden. Default: it must be refused.
   */
  readonly mayPass?: boolean;
}

/** The smallest order that is taken. */
export const tiny = { model_id: 'sketch', prompt: 'a fox', size: '64x64' };

export interface Refusal {
  readonly status: number;
  readonly body: string;
}

const ANSWERED_WITHIN_MS = 60_000;
const AT_ONCE = 16;
/**
 * Garbage that a second pass may leave: pages of the allocator that are not given back at once, never the requests
 * themselves.
 */
const RSS_MARGIN_BYTES = 64 * 2 ** 20;
const LOOKS = 3;
const HEAP_MARGIN_BYTES = 4 * 2 ** 20;

/**
 * Sends every attack, a few at a time, and holds each to its 4xx in the shape of every failure.
 * @throws AssertionError that names all that were not.
 */
export async function sendAll(child: ChildService, key: string, attacks: readonly Attack[]): Promise<void> {
  const faults: string[] = [];
  const waiting = [...attacks];
  const work = async () => {
    for (let attack = waiting.pop(); attack !== undefined; attack = waiting.pop()) {
      await sendOne(child, key, attack).catch((error: unknown) => faults.push(String(error)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  assert.deepEqual(faults, []);
}

async function sendOne(child: ChildService, key: string, attack: Attack): Promise<void> {
  const { status, body } = await send(child, key, attack).catch((error: unknown) => {
    throw new Error(`${attack.what}: ${String(error)}`, { cause: error });
  });
  const where = `${attack.what}: ${status} ${body.slice(0, 300)}`;
  if (attack.mayPass === true && status < 400) return;
  assert.ok(status >= 400 && status < 500, where);
  const { error, timestamp } = JSON.parse(body);
  assert.equal(error.status, status, where);
  assert.match(error.code, /^[a-z_]+$/, where);
  assert.ok(typeof error.message === 'string' && error.message.length < 4_000, where);
  assert.equal(typeof timestamp, 'string', where);
}

/** `fetch` would tidy the path up and refuse half of the headers. */
async function send(child: ChildService, key: string, attack: Attack): Promise<Refusal> {
  const { hostname, port } = new URL(child.url);
  const { method = attack.body === undefined ? 'GET' : 'POST', path, body } = attack;
  const headers: Record<string, string | string[] | null> = {
    authorization: `Bearer ${key}`,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...attack.headers,
  };
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== null)) as Record<
    string,
    string
  >;
  return await new Promise((resolve, reject) => {
    const call = request(
      { host: hostname, port, method, path, headers: sent, agent: false, timeout: ANSWERED_WITHIN_MS },
      (response) =>
        text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject),
    );
    call.on('timeout', () => call.destroy(new Error(`no answer within ${ANSWERED_WITHIN_MS} ms`)));
    // A refusal may come before the body has gone out whole.
    call.on('error', reject);
    call.end(body);
  });
}

/** Healthy: alive, ready, and an order is made and charged. */
export async function assertHealthy(child: ChildService, { keys, database }: Premises): Promise<void> {
  for (const path of ['/healthz', '/readyz']) assert.equal((await child.call(null, 'GET', path)).status, 200);
  const order = await child.call(keys.live, 'POST', '/v1/images', tiny, { prefer: 'wait=60' });
  assert.deepEqual([order.status, order.body.data.status, order.body.data.cost.state], [201, 'succeeded', 'charged']);
  const { read } = database;
  const [checked] = await read.all(read.builder.selectFrom('accounts').selectAll());
  assert.equal(checked?.id, 'default');
}

/**
 * Asserts that repeated requests leave nothing in memory. Runs them some rounds, until one-time allocations are made,
 * and as often again: a leak grows at every look; the allocator's own pace does not.
 */
export async function assertNoTrace(
  t: TestContext,
  child: ChildService,
  run: () => Promise<void>,
  { rounds = 1, warmUp = rounds }: { readonly rounds?: number; readonly warmUp?: number } = {},
): Promise<void> {
  const runAll = async (times: number) => {
    for (let round = 0; round < times; round++) await run();
  };
  await runAll(warmUp);
  let grown = { rss: 0, heap: 0 };
  for (let look = 1; look <= LOOKS; look++) {
    const before = await child.memory();
    await runAll(rounds);
    const after = await child.memory();
    grown = { rss: after.rss - before.rss, heap: after.heap - before.heap };
    t.diagnostic(
      `memory ${megabytes(grown.rss)} on ${megabytes(before.rss)}, heap ${megabytes(grown.heap)} on ${megabytes(before.heap)}`,
    );
    if (grown.rss < RSS_MARGIN_BYTES && grown.heap < HEAP_MARGIN_BYTES) return;
  }
  assert.fail(`the memory grows by ${megabytes(grown.rss)} every time, the heap by ${megabytes(grown.heap)}`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
