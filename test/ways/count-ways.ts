import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@darkroom-service/engines/fakes/free-port';
import { ORDER_PROMPT, PRICE_PROMPT, type WayName } from './record-stays.ts';

/**
 * Counts the five ways of a value through the code, in this or another checkout, with one picture of the built-in
 * engine:
 *
 *     node test/ways/count-ways.ts [directory] [--list]
 *
 * Stays are counted once a function. A return is a visit to a file that the value had already left, in the sequence of
 * first visits.
 */
const ROOT = resolve(
  process.argv[2]?.startsWith('--') === false ? process.argv[2] : join(import.meta.dirname, '..', '..'),
);
const MAIN = join(ROOT, 'src', 'main.ts');
const HOOK = join(import.meta.dirname, 'record-stays.ts');

const directory = mkdtempSync(join(tmpdir(), 'darkroom-ways-'));
const log = join(directory, 'stays.log');
const port = await freePort();
const environment = {
  PATH: process.env.PATH,
  DARKROOM_DATA_DIR: join(directory, 'data'),
  DARKROOM_PORT: String(port),
  DARKROOM_LOG_LEVEL: 'fatal',
  DARKROOM_ALLOWED_ADDRESSES: '127.0.0.1',
};
const told = Promise.withResolvers<void>();
const receiver = createServer((request, response) => {
  request.resume();
  response.end();
  told.resolve();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
try {
  const free = await createKey();
  const single = await createKey('--concurrency', '1');
  const service = spawn(process.execPath, ['--import', HOOK, MAIN, 'serve'], {
    cwd: directory,
    env: { ...environment, WAYS_LOG: log, WAYS_ROOT: ROOT },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await untilReady();
    await post(free, '/v1/prices', { model_id: 'sketch', prompt: PRICE_PROMPT });
    const priceLines = endPhase();
    const { port: receiverPort } = receiver.address() as { port: number };
    await post(free, '/v1/images', {
      model_id: 'sketch',
      prompt: 'a fox',
      webhook_url: `http://127.0.0.1:${receiverPort}/`,
    });
    await told.promise;
    await setTimeout(500);
    const taskLines = endPhase();
    // The other order of this key has the only slot, so this one is placed and not claimed.
    await post(single, '/v1/images', { model_id: 'sketch', prompt: 'a fox', simulate: { seconds: 600 } });
    await post(single, '/v1/images', { model_id: 'sketch', prompt: ORDER_PROMPT });
    report('order', endPhase());
    report('price', priceLines);
    for (const way of ['task', 'result', 'webhook'] as const) report(way, taskLines);
  } finally {
    service.kill('SIGKILL');
    await once(service, 'exit');
  }
} finally {
  receiver.close();
  rmSync(directory, { recursive: true });
}

async function createKey(...words: string[]): Promise<string> {
  const child = spawn(process.execPath, [MAIN, 'keys', 'create', '--mode', 'test', '--plain', ...words], {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return (await text(child.stdout)).trim();
}

async function untilReady(): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (response?.ok === true) return;
    await setTimeout(100);
  }
  throw new Error('the service did not start');
}

async function post(key: string, path: string, body: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
}

/** Returns the stays since the last call. */
function endPhase(): string[] {
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  writeFileSync(log, '');
  return lines;
}

function report(way: WayName, lines: readonly string[]): void {
  const stays = new Set(lines.filter((line) => line.startsWith(`${way}\t`)).map((line) => line.slice(way.length + 1)));
  const files = [...stays].map((stay) => stay.split('\t')[0] as string);
  const returns = files.filter((file, index) => file !== files[index - 1] && files.indexOf(file) < index);
  console.log(`${way}: ${stays.size} stays in ${new Set(files).size} files, ${returns.length} returns`);
  if (process.argv.includes('--list')) for (const stay of stays) console.log(`    ${stay.replace('\t', '  ')}`);
}
