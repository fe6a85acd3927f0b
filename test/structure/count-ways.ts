import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ORDER_PROMPT, PRICE_PROMPT, type WayName } from './record-stays.ts';
import { type RunningCheckout, runCheckout } from './run-checkout.ts';

const HOOK = join(import.meta.dirname, 'record-stays.ts');

/** Called when an answer has been sent, so that it comes before or after the end of the count. */
const AFTER_THE_ANSWER = 'src/http/bodies/read-body.ts\treleaseBody';

/** The way of a value through the code. */
export interface Way {
  readonly name: WayName;
  /** The functions that got the value, in the sequence of first visits: file, tab, name. */
  readonly stays: readonly string[];
  readonly files: number;
  /** Visits to a file that the value had already left. */
  readonly returns: number;
}

/**
 * Counts the five ways of a value through the code of a checkout, with one picture of the built-in engine.
 * @param look is called before the service ends
 */
export async function countWays(root: string, look?: (service: RunningCheckout) => Promise<void>): Promise<Way[]> {
  const directory = mkdtempSync(join(tmpdir(), 'darkroom-ways-'));
  const log = join(directory, 'stays.log');
  const told = Promise.withResolvers<void>();
  const receiver = createServer((request, response) => {
    request.resume();
    response.end();
    told.resolve();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  try {
    await using service = await runCheckout(root, HOOK, { WAYS_LOG: log, WAYS_ROOT: root });
    const free = await service.createKey();
    const single = await service.createKey('--concurrency', '1');
    endPhase(log);
    await service.post(free, '/v1/prices', { model_id: 'sketch', prompt: PRICE_PROMPT });
    const price = endPhase(log);
    const { port } = receiver.address() as { port: number };
    const webhook = { webhook_url: `http://127.0.0.1:${port}/` };
    await service.post(free, '/v1/images', { model_id: 'sketch', prompt: 'a fox', ...webhook });
    await told.promise;
    await setTimeout(500);
    const task = endPhase(log);
    // The other order of this key has the only slot, so this one is placed and not claimed.
    await service.post(single, '/v1/images', { model_id: 'sketch', prompt: 'a fox', simulate: { seconds: 600 } });
    await service.post(single, '/v1/images', { model_id: 'sketch', prompt: ORDER_PROMPT });
    const order = endPhase(log);
    await look?.(service);
    return [
      wayOf('order', order),
      wayOf('price', price),
      ...(['task', 'result', 'webhook'] as const).map((name) => wayOf(name, task)),
    ];
  } finally {
    receiver.close();
    rmSync(directory, { recursive: true });
  }
}

/** Returns the stays since the last call. */
function endPhase(log: string): string[] {
  const lines = readFileSync(log, { encoding: 'utf8', flag: 'a+' }).trim().split('\n');
  writeFileSync(log, '');
  return lines;
}

function wayOf(name: WayName, lines: readonly string[]): Way {
  const stays = [...new Set(lines.filter((line) => line.startsWith(`${name}\t`)))]
    .map((line) => line.slice(name.length + 1))
    .filter((stay) => stay !== AFTER_THE_ANSWER);
  const files = stays.map((stay) => stay.split('\t')[0] as string);
  const returns = files.filter((file, index) => file !== files[index - 1] && files.indexOf(file) < index);
  return { name, stays, files: new Set(files).size, returns: returns.length };
}

if (import.meta.main)
  for (const { name, stays, files, returns } of await countWays(
    resolve(process.argv[2] ?? join(import.meta.dirname, '..', '..')),
  )) {
    console.log(`${name}: ${stays.length} stays in ${files} files, ${returns} returns`);
    for (const stay of stays) console.log(`    ${stay.replace('\t', '  ')}`);
  }
