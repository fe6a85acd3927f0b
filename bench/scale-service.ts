import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdFactory } from '@darkroom-service/contract';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { createAccount } from '../src/accounts/accounts.ts';
import { issueKey } from '../src/accounts/api-keys.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { paidModel } from '../test/crash/paid-model.ts';
import { createPostgresDatabase } from '../test/helpers/postgres-server.ts';
import type { ScaleFigures } from './scale-process.ts';

/** Processes of one service on an empty database, with a key that no limit holds back. */
export interface ScaleService {
  readonly database: Database;
  /** URL of the PostgreSQL database; null on SQLite. */
  readonly url: string | null;
  readonly key: string;
  start(role: 'api' | 'worker' | 'all'): Promise<ScaleProcess>;
  close(): Promise<void>;
}

export interface ScaleProcess {
  readonly url: string;
  readonly pid: number;
  figures(): Promise<ScaleFigures>;
  stop(): Promise<void>;
}

const PROGRAM = new URL('./scale-process.ts', import.meta.url);
export const SCALE_MODELS = ['bench-idle', 'bench-slow', 'bench-polled', 'bench-quick'] as const;

export async function openScaleService(kind: 'sqlite' | 'postgres'): Promise<ScaleService> {
  const closers: (() => unknown)[] = [];
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-scale-'));
  closers.push(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const data = join(directory, 'data');
  const catalog = join(directory, 'catalog');
  await mkdir(data);
  await mkdir(catalog);
  await writeFile(
    join(catalog, 'bench.json'),
    JSON.stringify({ vendor: 'Bench', models: SCALE_MODELS.map(paidModel) }),
  );
  const after = { after: (close: () => unknown) => closers.push(close) } as unknown as Parameters<
    typeof createPostgresDatabase
  >[0];
  const url = kind === 'postgres' ? await createPostgresDatabase(after, 'durable') : null;
  const database = await openDatabase({ url, path: join(data, 'darkroom.db') });
  closers.push(() => database.close());
  const by = { actor: 'bench', now: Date.now(), createId: createIdFactory(() => Date.now()) };
  await createAccount(database, by, { id: 'bench', name: 'bench', creditLimit: null });
  const { key } = await issueKey(database, by, { mode: 'live', accountId: 'bench', queueLimit: 0, readsPerMinute: 0 });
  const running = new Set<ChildProcess>();
  closers.push(() => Promise.all([...running].map(end)));
  return {
    database,
    url,
    key,
    async start(role) {
      const port = role === 'worker' ? 0 : await freePort();
      const process = await startProcess({
        DARKROOM_ROLE: role,
        DARKROOM_PORT: String(port),
        DARKROOM_PUBLIC_URL: `http://127.0.0.1:${port}`,
        DARKROOM_DATA_DIR: data,
        DARKROOM_CATALOG_DIR: catalog,
        DARKROOM_LOG_LEVEL: 'error',
        ...(url === null ? {} : { DARKROOM_DATABASE_URL: url }),
      });
      running.add(process);
      return {
        url: `http://127.0.0.1:${port}`,
        pid: process.pid ?? 0,
        async figures() {
          process.send('figures');
          const [figures] = await once(process, 'message');
          return figures as ScaleFigures;
        },
        async stop() {
          running.delete(process);
          await end(process);
        },
      };
    },
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}

async function startProcess(variables: Record<string, string>): Promise<ChildProcess> {
  const child = fork(PROGRAM, [JSON.stringify(variables)], { execArgv: [], env: { PATH: process.env.PATH } });
  await once(child, 'message');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
