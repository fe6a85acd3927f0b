import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '@darkroom-service/engines/fakes/parts';

/** A program under load: where it answers, and its process. */
export interface Running {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

const STARTS_WITHIN_MS = 60_000;

const CHECKOUT = join(import.meta.dirname, '..', 'src', 'main.ts');

/**
 * The service as `npm start` runs it, on these data and a free port.
 * @param program of an installed package, instead of the checkout's
 * @param variables beside those of the others
 */
export async function startService(
  dataDirectory: string,
  program = CHECKOUT,
  variables: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [program, 'serve'], {
    env: {
      PATH: process.env.PATH,
      DARKROOM_DATA_DIR: dataDirectory,
      DARKROOM_PORT: String(port),
      DARKROOM_LOG_LEVEL: 'warn',
      ...variables,
      ...(process.env.BENCH_NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const running = { url, process: child, stop: () => stop(child) };
  await answers(running, '/readyz');
  return running;
}

/** The floor (`floor/floor.mjs`): the same answers from bare `node:http` and `node:sqlite`, with nothing checked. */
export async function startFloor(databasePath: string): Promise<Running & { readonly taskId: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor', 'floor.mjs'), databasePath, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const running = { url, process: child, stop: () => stop(child), taskId: line.toString().trim() };
  await answers(running, '/');
  return running;
}

async function answers({ url, process: child }: Running, path: string): Promise<void> {
  const until = Date.now() + STARTS_WITHIN_MS;
  while (Date.now() < until && child.exitCode === null) {
    const response = await fetch(url + path).catch(() => null);
    await response?.arrayBuffer();
    if (response !== null && response.status < 500) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill();
  throw new Error(`nothing answers at ${url}${path}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
