import { setTimeout as pause } from 'node:timers/promises';
import type { Installation } from './installation.ts';
import { printTable } from './table.ts';

/** How long chains take to their end, and what others notice of many orders that wait for one. */

const TINY = { model_id: 'sketch', prompt: 'a red fox in the snow', size: '64x64' };
const CONNECTIONS = 16;
const PROBE_EVERY_MS = 10;

interface Placed {
  readonly task_id: string;
}

export async function measureChains(service: Installation, chains: number): Promise<void> {
  const children = 10 * chains;
  let parent: Placed = { task_id: '' };
  const parts: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      `${chains} chains of three, to the end`,
      async () => {
        await inParallel(chains, async () => {
          const first = await order(service, TINY);
          const second = await order(service, follow(first));
          await order(service, follow(second));
        });
        await untilNoneIsLeft(service);
      },
    ],
    [
      `${3 * chains} orders without parents, to the end`,
      async () => {
        await inParallel(3 * chains, () => order(service, TINY));
        await untilNoneIsLeft(service);
      },
    ],
    [
      `${children} orders on one unfinished parent, to their 201`,
      async () => {
        parent = await order(service, { ...TINY, simulate: { outcome: 'stuck' } });
        await inParallel(children, () => order(service, follow(parent)));
      },
    ],
    ['the cancel of that parent, to its 200', () => call(service, 'POST', `/v1/images/${parent.task_id}/cancel`)],
    [`its ${children} orders, from then to the end`, () => untilNoneIsLeft(service)],
  ];
  const rows: string[][] = [];
  for (const [name, work] of parts) {
    const { ms, longestMs } = await timed(service, work);
    rows.push([name, (ms / 1000).toFixed(2), longestMs.toFixed(0)]);
    console.log(rows.at(-1)?.join(' | '));
  }
  printTable('Chains', ['', 's', 'longest answer to another request, ms'], rows);
}

function follow({ task_id }: Placed): object {
  return { ...TINY, image_urls: [`task:${task_id}`], wait_for_parent: true };
}

async function order(service: Installation, body: object): Promise<Placed> {
  return (await call(service, 'POST', '/v1/images', body)) as Placed;
}

async function untilNoneIsLeft(service: Installation): Promise<void> {
  for (;;) {
    const page = await call(service, 'GET', '/v1/images?status=queued,processing&limit=1');
    if ((page as { items: unknown[] }).items.length === 0) return;
    await pause(50);
  }
}

interface Timed {
  readonly ms: number;
  readonly longestMs: number;
}

/** Times some work, and meanwhile the longest answer to a small request of somebody else. */
async function timed(service: Installation, work: () => Promise<unknown>): Promise<Timed> {
  const ended = new AbortController();
  let longestMs = 0;
  const probes = (async () => {
    while (!ended.signal.aborted) {
      const began = performance.now();
      await (await fetch(`${service.url}/healthz`)).arrayBuffer();
      longestMs = Math.max(longestMs, performance.now() - began);
      await pause(PROBE_EVERY_MS);
    }
  })();
  const began = performance.now();
  try {
    await work();
  } finally {
    ended.abort();
    await probes;
  }
  return { ms: performance.now() - began, longestMs };
}

async function inParallel(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

async function call(service: Installation, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${service.painter.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return (JSON.parse(text) as { data: unknown }).data;
}
