import { mkdir, open, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the three hand-made services have in common: the HTTP interface, and the steps of an order at the upstream. */
const { PEER_PORT, PEER_UPSTREAM, PEER_DIRECTORY, PEER_WORKER } = process.env;

/** Whether this process runs orders, or only accepts them. */
export const runsOrders = PEER_WORKER === '1';
/** Orders that are under way at once. */
export const CONCURRENCY = 50;
export const PRICE_MICROS = 40_000;
const POLL_MS = 250;
const WEBHOOK_ATTEMPTS = 5;

/**
 * Serves orders.
 * @param service accept: stores an order before it resolves; find: an order's state, or null; fill: accepts so many
 * orders at once and returns some of their ids
 */
export async function serve(service) {
  const server = createServer((request, response) => {
    answer(service, request).then(
      ([status, body]) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise((resolve) => server.listen(Number(PEER_PORT), '127.0.0.1', resolve));
}

async function answer({ accept, find, fill }, request) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (request.method === 'GET') {
    if (pathname === '/ready') return [200, {}];
    const found = await find(pathname.slice('/orders/'.length));
    return found === null ? [404, {}] : [200, found];
  }
  if (pathname === '/fill') return [200, await fill(Number(searchParams.get('count')))];
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const id = request.headers['idempotency-key'];
  await accept({ ...JSON.parse(Buffer.concat(chunks).toString()), id });
  return [201, { id, status: 'queued' }];
}

/** Submits an order. @returns the upstream's own id */
export async function submit({ prompt }) {
  const body = JSON.stringify({ order: prompt });
  return (await ask('/jobs', { method: 'POST', body })).id;
}

/** Waits until an order has ended at the upstream, and stores its result durably. @returns the file */
export async function fetchResult(id, upstreamJob) {
  let job = await ask(`/jobs/${upstreamJob}`);
  for (; job.status !== 'succeeded'; job = await ask(`/jobs/${upstreamJob}`)) await sleep(POLL_MS);
  const picture = await fetch(`${PEER_UPSTREAM}${job.result}`);
  const directory = join(PEER_DIRECTORY, 'files', id.slice(0, 2));
  await mkdir(directory, { recursive: true });
  const path = join(directory, `${id}.png`);
  const file = await open(`${path}.part`, 'w');
  await file.writeFile(Buffer.from(await picture.arrayBuffer()));
  await file.sync();
  await file.close();
  await rename(`${path}.part`, path);
  return path;
}

/** Tells the customer that an order has ended. A receiver that fails is tried again. */
export async function tell(order, status) {
  for (let attempt = 1; ; attempt++) {
    const body = JSON.stringify({ id: order.id, prompt: order.prompt, status });
    const response = await fetch(order.webhook_url, { method: 'POST', body }).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok || attempt === WEBHOOK_ATTEMPTS) return;
    await sleep(1_000 * attempt);
  }
}

async function ask(path, init) {
  const response = await fetch(PEER_UPSTREAM + path, init);
  if (!response.ok) throw new Error(`${path}: the upstream answered ${response.status}`);
  return await response.json();
}
