import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdFactory } from '@darkroom-service/contract';
import { createAccount } from '../src/accounts/accounts.ts';
import { issueKey } from '../src/accounts/api-keys.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { startService } from './child-service.ts';

/**
 * Places one batch on the embedded database and prints: the time from its last byte to the 201, the longest waits of
 * another caller until the batch has ended, when the first task was final and when the last row was there. Every order
 * ends at once, so that no picture is painted.
 *
 *     node bench/batches.ts [orders, 10000 by default]
 */
const orders = Number(process.argv[2] ?? 10_000);
const READ_EVERY_MS = 2;
const agent = new Agent({ keepAlive: true });

const directory = await mkdtemp(join(tmpdir(), 'darkroom-batches-'));
const [key, otherKey] = await makeKeys(directory);
const service = await startService(directory);
try {
  await measure();
} finally {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  // Made before others wait: this process measures them too.
  const text = bodyOf();
  const others = watchOthers();
  await others.pause(2_500);
  others.take();
  await others.pause(1_000);
  console.log(`another caller, before: ${others.take()}`);
  const began = performance.now();
  const { status, body, answerMs } = await place(text);
  if (status !== 201) throw new Error(`${status} ${body.slice(0, 500)}`);
  console.log(`${orders} orders: 201 ${Math.round(answerMs)} ms after the last byte`);
  console.log(`another caller, until the 201: ${others.take()}`);
  const { urls } = JSON.parse(body).data;
  let first: number | null = null;
  for (;;) {
    const batch = await read(urls.self);
    const final = orders - batch.counts.queued - batch.counts.processing;
    if (final > 0 && first === null) {
      first = performance.now() - began;
      const { data } = JSON.parse((await send('GET', `${urls.tasks}?limit=1`, key)).body);
      console.log(`first final task after ${Math.round(first)} ms; ${data.items.length} listed`);
    }
    if (batch.status !== 'processing') break;
    await others.pause(100);
  }
  console.log(`ended after ${Math.round(performance.now() - began)} ms`);
  console.log(`another caller, until the end: ${others.take()}`);
  others.stop();
}

/** Lists the tasks of another key again and again. */
function watchOthers() {
  let waits: number[] = [];
  let stopped = false;
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  void (async () => {
    while (!stopped) {
      const began = performance.now();
      const { status } = await send('GET', `${service.url}/v1/images?limit=1`, otherKey);
      if (status !== 200) throw new Error(`a read answered ${status}`);
      waits.push(performance.now() - began);
      await pause(READ_EVERY_MS);
    }
  })();
  return {
    pause,
    take() {
      const sorted = waits.toSorted((a, b) => a - b);
      waits = [];
      const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
      return `${sorted.length} reads, median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
    },
    stop: () => {
      stopped = true;
    },
  };
}

function bodyOf(): string {
  const bodies = Array.from({ length: orders }, (_, seed) => ({
    name: `fox-${seed}`,
    operation: 'images',
    body: {
      model_id: 'sketch',
      prompt: `a red fox in the snow, number ${seed}`,
      seed,
      simulate: { outcome: 'content_policy' },
    },
  }));
  return JSON.stringify({ orders: bodies });
}

async function place(text: string) {
  let sentAt = 0;
  const answer = await send('POST', `${service.url}/v1/batches`, key, text, () => {
    sentAt = performance.now();
  });
  return { ...answer, answerMs: performance.now() - sentAt };
}

async function read(url: string) {
  return JSON.parse((await send('GET', url, key)).body).data;
}

/** @param onSent called once the last byte of the request was handed to the system */
function send(
  method: string,
  url: string,
  secret: string,
  text?: string,
  onSent: () => void = () => {},
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const sent = request(url, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    sent.on('finish', onSent).on('error', reject);
    sent.end(text);
  });
}

async function makeKeys(dataDirectory: string): Promise<[string, string]> {
  const first = await startService(dataDirectory);
  await first.stop();
  const database = await openDatabase({ url: null, path: join(dataDirectory, 'darkroom.db') });
  try {
    const by = { actor: 'bench', now: Date.now(), createId: createIdFactory(() => Date.now()) };
    await createAccount(database, by, { id: 'bench', name: 'bench', creditLimit: null });
    const issue = async () =>
      (await issueKey(database, by, { mode: 'test', accountId: 'bench', readsPerMinute: 0 })).key;
    return [await issue(), await issue()];
  } finally {
    await database.close();
  }
}
