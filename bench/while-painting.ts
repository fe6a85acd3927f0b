import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Installation, openInstallation } from './installation.ts';
import { makeTask } from './make-task.ts';

/**
 * How long the retrieval of a task takes while all painters are busy, beside the same retrieval when nothing else
 * happens.
 */
export interface WhilePainting {
  readonly films: number;
  /** Duration from the first create to the end of the last film. */
  readonly seconds: number;
  readonly requests: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  readonly idleMedianMs: number;
  readonly idleP99Ms: number;
}

const FILMS = 10;
const FILM = { model_id: 'sketch-motion', prompt: 'a red fox in the snow', resolution: '360p', duration: 3 };
const IDLE_REQUESTS = 300;
const BETWEEN_REQUESTS_MS = 5;

/**
 * Orders ten films of three seconds at 360p together and retrieves one of the tasks, again and again, until all are
 * painted.
 */
export async function measureWhilePainting(): Promise<WhilePainting> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-while-painting-'));
  try {
    const installation = await openInstallation(join(directory, 'data'), 1);
    try {
      return await measure(installation);
    } finally {
      await installation.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure({ url, painter }: Installation): Promise<WhilePainting> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const first = await makeTask(url, painter.key, '/v1/images', { model_id: 'sketch', prompt: 'a fox', size: '64x64' });
  const retrieve = () => timedGet(agent, `${url}/v1/images/${first.task_id}`, painter.key);
  const idle: number[] = [];
  while (idle.length < IDLE_REQUESTS) {
    idle.push(await retrieve());
    await sleep(BETWEEN_REQUESTS_MS);
  }
  const start = performance.now();
  let painting = true;
  const films = Promise.all(
    Array.from({ length: FILMS }, (_, seed) => makeTask(url, painter.key, '/v1/videos', { ...FILM, seed })),
  ).finally(() => {
    painting = false;
  });
  const busy: number[] = [];
  while (painting) {
    busy.push(await retrieve());
    await sleep(BETWEEN_REQUESTS_MS);
  }
  await films;
  agent.destroy();
  return {
    films: FILMS,
    seconds: rounded((performance.now() - start) / 1000),
    requests: busy.length,
    medianMs: quantile(busy, 0.5),
    p95Ms: quantile(busy, 0.95),
    p99Ms: quantile(busy, 0.99),
    longestMs: quantile(busy, 1),
    idleMedianMs: quantile(idle, 0.5),
    idleP99Ms: quantile(idle, 0.99),
  };
}

/** Milliseconds from the request to the last byte. `fetch` takes longer than the answer does. */
function timedGet(agent: Agent, url: string, key: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - start);
        else reject(new Error(`expected a task, found ${response.statusCode}`));
      });
    }).once('error', reject);
  });
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return rounded(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

if (import.meta.main) console.table(await measureWhilePainting());
