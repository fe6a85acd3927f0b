import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@darkroom-service/engines/fakes/parts';

/** It loads every module through a preload, on a machine that may be busy. */
const START_TIMEOUT_MS = 300_000;

/** A running service of a checkout, on a database of its own. */
export interface RunningCheckout extends AsyncDisposable {
  /** Such as `http://127.0.0.1:1234`. */
  readonly url: string;
  readonly database: string;
  /** @param words options of `darkroom keys create` */
  readonly createKey: (...words: string[]) => Promise<string>;
  /** @throws if the answer is no success */
  readonly post: (key: string, path: string, body: object) => Promise<void>;
}

/**
 * Starts the service of a checkout, this or another, whose packages are installed.
 * @param preload imported before any other module of the service
 */
export async function runCheckout(
  root: string,
  preload: string,
  variables: Readonly<Record<string, string>>,
): Promise<RunningCheckout> {
  const main = join(root, 'src', 'main.ts');
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-checkout-'));
  const data = join(directory, 'data');
  const url = `http://127.0.0.1:${await freePort()}`;
  const env = {
    PATH: process.env.PATH,
    DARKROOM_DATA_DIR: data,
    DARKROOM_PORT: new URL(url).port,
    DARKROOM_LOG_LEVEL: 'fatal',
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.1',
  };
  const service = spawn(process.execPath, ['--import', preload, main, 'serve'], {
    cwd: directory,
    env: { ...env, ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const hasEnded = () => service.exitCode !== null || service.signalCode !== null;
  const running: RunningCheckout = {
    url,
    database: join(data, 'darkroom.db'),
    createKey: async (...words) => {
      const child = spawn(process.execPath, [main, 'keys', 'create', '--mode', 'test', '--plain', ...words], {
        cwd: directory,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return (await text(child.stdout)).trim();
    },
    post: async (key, path, body) => {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    },
    [Symbol.asyncDispose]: async () => {
      if (!hasEnded()) {
        service.kill('SIGKILL');
        await once(service, 'exit');
      }
      await rm(directory, { recursive: true, maxRetries: 5 });
    },
  };
  const end = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < end && !hasEnded()) {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok === true) return running;
    await setTimeout(100);
  }
  const why = hasEnded()
    ? `ended before it was ready, with ${service.exitCode ?? service.signalCode}`
    : `did not start within ${START_TIMEOUT_MS / 60_000} minutes`;
  await running[Symbol.asyncDispose]();
  throw new Error(`the service of ${root} ${why}`);
}
