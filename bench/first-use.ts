import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIdFactory } from '@darkroom-service/contract';
import { createAccount } from '../src/accounts/accounts.ts';
import { issueKey } from '../src/accounts/api-keys.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { startService } from './child-service.ts';
import { makeTask } from './make-task.ts';
import { median, printTable } from './table.ts';

/**
 * How long others wait while a service does something for the first time since its start, such as starting a painter or
 * opening a medium: `node bench/first-use.ts [starts] [program]`. The program is that of an installed package or, by
 * default, of this checkout. A package needs its optional packages for films and uploads.
 */
const [starts = '5', program] = process.argv.slice(2);
const BETWEEN_READS_MS = 1;
const AT_REST_MS = 500;
const FOX = { model_id: 'sketch', prompt: 'a red fox in the snow', size: '512x512' };
const FILM = { model_id: 'sketch-motion', prompt: 'a red fox in the snow', resolution: '360p', duration: 1 };

interface Caller {
  readonly url: string;
  readonly key: string;
}

/** The order is that of a new user: each use finds what the uses before it have loaded. */
const USES: readonly { readonly name: string; readonly run: (caller: Caller) => Promise<unknown> }[] = [
  { name: 'nothing', run: async () => await sleep(AT_REST_MS) },
  { name: 'catalog', run: async ({ url }) => await read(`${url}/v1/catalog`) },
  { name: 'page of the console', run: async ({ url }) => await read(`${url}/`) },
  { name: 'OpenAPI document', run: async ({ url }) => await read(`${url}/openapi.json`) },
  { name: 'picture', run: async ({ url, key }) => await makeTask(url, key, '/v1/images', FOX) },
  { name: 'picture again', run: async ({ url, key }) => await makeTask(url, key, '/v1/images', FOX) },
  { name: 'film', run: async ({ url, key }) => await makeTask(url, key, '/v1/videos', FILM) },
  { name: 'upload of a picture', run: uploadPicture },
];

const directory = await mkdtemp(join(tmpdir(), 'darkroom-first-use-'));
const waits = USES.map((): number[] => []);
const durations = USES.map((): number[] => []);
try {
  const key = await makeKey(directory);
  for (let start = 0; start < Number(starts); start++) {
    const service = await startService(directory, program);
    try {
      for (const [place, use] of USES.entries()) {
        const { longestMs, tookMs } = await whileReading(service.url, () => use.run({ url: service.url, key }));
        waits[place]?.push(longestMs);
        durations[place]?.push(tookMs);
      }
    } finally {
      await service.stop();
    }
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
const figure = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;
printTable(
  `The longest wait of another caller during a use, ${starts} starts`,
  ['first', 'longest wait, median', 'the longest', 'the use itself, median'],
  USES.map(({ name }, place) => [
    name,
    figure(median(waits[place] ?? [])),
    figure(Math.max(...(waits[place] ?? []))),
    figure(median(durations[place] ?? [])),
  ]),
);

/** Sends one read after the other on a connection of its own, until the use has ended. */
async function whileReading(url: string, use: () => Promise<unknown>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await timedRead(agent, url);
  const began = performance.now();
  let isOver = false;
  const used = use().finally(() => {
    isOver = true;
  });
  // A failure is thrown where the use is awaited, below.
  used.catch(() => {});
  let longestMs = 0;
  while (!isOver) {
    longestMs = Math.max(longestMs, await timedRead(agent, url));
    await sleep(BETWEEN_READS_MS);
  }
  await used;
  agent.destroy();
  return { longestMs, tookMs: performance.now() - began };
}

function timedRead(agent: Agent, url: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(performance.now() - began));
    }).once('error', reject);
  });
}

async function uploadPicture({ url, key }: Caller): Promise<void> {
  const task = await makeTask(url, key, '/v1/images', FOX);
  const authorization = `Bearer ${key}`;
  const picture = await read(`${url}/v1/images/${task.task_id}/content`, { headers: { authorization } });
  const headers = { authorization, 'content-type': 'image/png' };
  await read(`${url}/v1/files`, { method: 'POST', headers, body: picture });
}

async function read(url: string, init: RequestInit = {}): Promise<ArrayBuffer> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return await response.arrayBuffer();
}

async function makeKey(dataDirectory: string): Promise<string> {
  await (await startService(dataDirectory, program)).stop();
  const database = await openDatabase({ url: null, path: join(dataDirectory, 'darkroom.db') });
  try {
    const by = { actor: 'bench', now: Date.now(), createId: createIdFactory(() => Date.now()) };
    await createAccount(database, by, { id: 'bench', name: 'bench', creditLimit: null });
    return (await issueKey(database, by, { mode: 'test', accountId: 'bench', readsPerMinute: 0 })).key;
  } finally {
    await database.close();
  }
}
